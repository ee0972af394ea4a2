#!/usr/bin/env bash
# Installs Boxkeeper on a Raspberry Pi as a service; run again, it repairs or updates what is there.
#
#   sudo hardware/install/install.sh              install, repair, update from this checkout
#   hardware/install/install.sh --dry-run         say what would be done, and do nothing
#   sudo hardware/install/install.sh --uninstall  take it away; matches and settings stay
set -euo pipefail

readonly NAME=boxkeeper PREFIX=/opt/boxkeeper DATA=/var/lib/boxkeeper CONFIG=/etc/boxkeeper.toml
readonly COMMAND=/usr/local/bin/boxkeeper
readonly UNIT=/etc/systemd/system/boxkeeper.service RULES=/etc/udev/rules.d/70-boxkeeper.rules
readonly GROUPS_WANTED=(gpio i2c spi dialout video)
readonly BEGIN='# boxkeeper begin: install.sh wrote this, install.sh --uninstall takes it out'
readonly END='# boxkeeper end' WAS_OFF='# I2C was off before'
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SOURCE=$(cd "$HERE/../.." && pwd)
readonly HERE SOURCE

dry_run=false uninstall=false must_restart=false

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# WHAT COMMAND...: does it, or says what would be done.
change() {
  local what=$1
  shift
  if $dry_run; then
    printf 'would %s\n' "$what"
  else
    printf '%s\n' "$what"
    "$@"
  fi
}

has_group() { getent group "$1" >/dev/null; }
is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
is_systemd_running() { [ -d /run/systemd/system ]; }

# FILE CONTENT: writes it whole or not at all, where it differs.
keep_file() {
  if [ ! -f "$1" ] || [ "$(cat "$1")" != "$2" ]; then
    change "write $1" replace_file "$1" "$2"
  fi
}

replace_file() {
  mkdir -p "$(dirname "$1")"
  printf '%s\n' "$2" >"$1.new"
  chmod 644 "$1.new"
  mv "$1.new" "$1"
}

drop() {
  if [ -e "$1" ] || [ -L "$1" ]; then change "remove $1" rm -rf "$1"; fi
}

# What apt must bring

install_packages() {
  local missing=() package
  for package in python3 python3-venv; do
    is_installed "$package" || missing+=("$package")
  done
  if ! is_installed python3-lgpio && apt-cache show python3-lgpio >/dev/null 2>&1; then
    missing+=(python3-lgpio)
  fi
  if [ ${#missing[@]} -gt 0 ]; then
    change "install ${missing[*]} with apt" apt_install "${missing[@]}"
  fi
}

apt_install() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Who the service is

add_user() {
  local group
  if ! getent passwd $NAME >/dev/null; then
    change "add the user $NAME" \
      useradd --system --user-group --home-dir $DATA --no-create-home --shell /usr/sbin/nologin $NAME
  fi
  for group in "${GROUPS_WANTED[@]}"; do
    if has_group "$group" && ! id -nG $NAME 2>/dev/null | grep -qw "$group"; then
      change "put the user $NAME into the group $group" usermod -aG "$group" $NAME
    fi
  done
  if [ -d $DATA ] && [ "$(stat -c %U $DATA)" != $NAME ]; then
    change "give $DATA to the user $NAME" chown -R $NAME:$NAME $DATA
  fi
}

# The program

install_program() {
  if ! is_environment_sound; then
    change "make a virtual environment in $PREFIX" make_environment
  fi
  change "install Boxkeeper from $SOURCE into $PREFIX" install_source
  if [ "$(readlink $COMMAND 2>/dev/null)" != $PREFIX/bin/$NAME ]; then
    change "link $COMMAND" ln -sfn $PREFIX/bin/$NAME $COMMAND
  fi
  if [ ! -e $CONFIG ]; then
    keep_file $CONFIG "# Settings of the table: see the README. Every key has a default.
# After a change: sudo systemctl restart boxkeeper

#[rules]
#preset = \"masters\""
  fi
}

is_environment_sound() {
  grep -qsx 'include-system-site-packages = true' $PREFIX/pyvenv.cfg &&
    (cd / && $PREFIX/bin/python -c 'import gpiozero, luma.oled.device, numpy, PIL.Image, pip, segno, serial, smbus2, starlette, uvicorn') 2>/dev/null
}

make_environment() {
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "Python 3.11 or later is needed, this is $(python3 -V): take a newer Raspberry Pi OS"
  rm -rf $PREFIX
  python3 -m venv --system-site-packages $PREFIX
}

# From a copy: a build leaves its traces where it is made.
install_source() {
  local copy extras=web
  is_installed python3-lgpio || extras+=,lgpio
  copy=$(mktemp -d)
  cp -r "$SOURCE"/{pyproject.toml,README.md,LICENSE,firmware_host,hardware,sim} "$copy"
  chmod 755 "$copy"
  (cd / && umask 022 && $PREFIX/bin/python -m pip install --quiet --upgrade "${copy}[$extras]") ||
    fail "pip could not install it: see its lines above, then run this again"
  rm -rf "$copy"
  $PREFIX/bin/$NAME -h >/dev/null || fail "$PREFIX/bin/$NAME does not start"
}

# I2C on, at 400 kHz

boot_config() {
  local file
  for file in /boot/firmware/config.txt /boot/config.txt; do
    if [ -f $file ]; then
      echo $file
      return
    fi
  done
}

without_block() { sed "\|^$BEGIN\$|,\|^$END\$|d" "$1"; }
block_of() { sed -n "\|^$BEGIN\$|,\|^$END\$|p" "$1"; }

enable_i2c() {
  local file was='' block
  file=$(boot_config)
  if [ -z "$file" ]; then
    echo "no config.txt here, so this is no Raspberry Pi: I2C is left as it is"
    return
  fi
  if block_of "$file" | grep -qx "$WAS_OFF"; then was=$WAS_OFF; fi
  # Before our lines are there: it rewrites every line that begins like them.
  if [ -z "$(block_of "$file")" ] && command -v raspi-config >/dev/null && [ "$(raspi-config nonint get_i2c)" = 1 ]; then
    was=$WAS_OFF
    change "switch I2C on with raspi-config" raspi-config nonint do_i2c 0
  fi
  block=$(printf '%s\n' "$BEGIN" ${was:+"$was"} '[all]' 'dtparam=i2c_arm=on' 'dtparam=i2c_arm_baudrate=400000' "$END")
  if [ "$(block_of "$file")" != "$block" ]; then
    must_restart=true
    change "set I2C on, at 400 kHz, in $file" replace_file "$file" "$(without_block "$file")"$'\n'"$block"
  fi
}

disable_i2c() {
  local file was_off=false
  file=$(boot_config)
  if [ -z "$file" ] || [ -z "$(block_of "$file")" ]; then return; fi
  if block_of "$file" | grep -qx "$WAS_OFF"; then was_off=true; fi
  must_restart=true
  change "take our lines out of $file" replace_file "$file" "$(without_block "$file")"
  if $was_off && command -v raspi-config >/dev/null; then
    change "switch I2C off with raspi-config, as it was" raspi-config nonint do_i2c 1
  fi
}

# The service

install_service() {
  local rules group
  rules=$(cat "$HERE/70-boxkeeper.rules")
  for group in gpio i2c dialout; do
    has_group $group || rules=${rules//GROUP=\"$group\"/GROUP=\"$NAME\"}
  done
  keep_file $RULES "$rules"
  keep_file $UNIT "$(cat "$HERE/boxkeeper.service")"
  if [ -S /run/udev/control ]; then
    change "tell udev" reload_udev
  fi
  if is_systemd_running; then
    change "tell systemd" systemctl daemon-reload
    change "enable and start the service" start_service
  elif ! systemctl is-enabled --quiet $NAME 2>/dev/null; then
    change "enable the service" systemctl --quiet enable $NAME
  fi
}

reload_udev() {
  udevadm control --reload
  udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=tty
}

start_service() {
  systemctl --quiet enable $NAME
  systemctl restart $NAME || fail "the service does not start: journalctl -u $NAME -n 20"
}

remove_service() {
  if [ -e $UNIT ]; then
    if is_systemd_running; then
      change "stop the service" systemctl --quiet stop $NAME
    fi
    change "disable the service" systemctl --quiet disable $NAME
  fi
  drop $UNIT
  drop $RULES
  if is_systemd_running; then change "tell systemd" systemctl daemon-reload; fi
  if [ -S /run/udev/control ]; then change "tell udev" udevadm control --reload; fi
}

remove_user() {
  if [ -d $DATA ] && [ "$(stat -c %U $DATA)" != root ]; then
    change "give $DATA to root, to be kept" chown -R root:root $DATA
  fi
  if getent passwd $NAME >/dev/null; then change "remove the user $NAME" userdel $NAME; fi
  if has_group $NAME; then change "remove the group $NAME" groupdel $NAME; fi
}

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=true ;;
    --uninstall) uninstall=true ;;
    -h | --help)
      sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "$0"
      exit
      ;;
    *) fail "$1 is no option; allowed: --dry-run, --uninstall, --help" ;;
  esac
  shift
done
for tool in apt-get dpkg-query systemctl useradd; do
  command -v $tool >/dev/null || fail "$tool is missing: this is for Raspberry Pi OS and other Debians with systemd"
done
$dry_run || [ "$(id -u)" = 0 ] || fail "must be root: sudo $0 $*"

if $uninstall; then
  remove_service
  disable_i2c
  if [ "$(readlink $COMMAND 2>/dev/null)" = $PREFIX/bin/$NAME ]; then drop $COMMAND; fi
  drop $PREFIX
  remove_user
  $dry_run || echo "Kept: $DATA (matches), $CONFIG (settings), and the packages of the system."
else
  install_packages
  add_user
  install_program
  enable_i2c
  install_service
  if $dry_run; then
    echo "Nothing was done."
  elif is_systemd_running; then
    echo "Ready. Look after it with: systemctl status $NAME"
  else
    echo "Ready. It starts with the next boot."
  fi
fi
if $must_restart && ! $dry_run; then echo "Restart the Pi: its I2C bus changes with the next boot."; fi
