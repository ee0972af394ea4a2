#!/usr/bin/env bash
# build.sh FOLDER: makes FOLDER/vmlinuz and FOLDER/initrd, Debian's kernel with two modules that it lacks.
#
# gpio-sim comes from Debian's own kernel source and is never kept in this repository; i2c_recorder is
# beside this file.  Neither root nor a running kernel of that version is needed, but the packages that
# .ci/run installs are.  What was built before is kept while nothing it was made from has changed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

headers=$(find /usr/src -maxdepth 1 -name 'linux-headers-*-amd64' | sort -V | tail -1)
source=$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -1)
if [ -z "$headers" ] || [ -z "$source" ]; then
  echo "no linux-headers-amd64 or linux-source in /usr/src" >&2
  exit 1
fi
version=${headers#*linux-headers-}

made_from=$(cat "$here"/{build.sh,init,i2c_recorder.c} <(echo "$version") | sha256sum)
if [ "$(cat made_from 2>/dev/null)" = "$made_from" ]; then exit 0; fi
rm -rf made_from modules tree image.deb

# The image is only unpacked: installed, it would bring a boot loader's hooks and an initrd of its own.
mkdir -p download modules tree
(cd download && apt-get download -q "linux-image-$version" >/dev/null)
mv download/linux-image-*.deb image.deb
rmdir download
lib=lib/modules/$version
wanted='virtio|virtio_ring|virtio_pci|virtio_pci_modern_dev|virtio_pci_legacy_dev|9pnet|9pnet_virtio|fscache|netfs|9p|configfs|i2c-dev'
mapfile -t members < <(dpkg-deb --fsys-tarfile image.deb | tar t |
  grep -E "/boot/vmlinuz-|/$lib/modules\.(order|builtin|builtin\.modinfo)$|/($wanted)\.ko(\.xz)?$")
dpkg-deb --fsys-tarfile image.deb | tar x -C tree "${members[@]}"
find tree -name '*.ko.xz' -exec xz -d {} +
mv tree/boot/vmlinuz-* vmlinuz
rm -r tree/boot image.deb

tar xJf "$source" -C modules --transform 's,.*/,,' --wildcards \
  '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
# irq_to_desc is for the kernel's own parts; the simulated interrupts are simple ones, so this is the same.
sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' modules/irq_sim.c
cp "$here/i2c_recorder.c" modules
printf 'obj-m += gpio-simulator.o i2c_recorder.o\ngpio-simulator-y := gpio-sim.o irq_sim.o\n' >modules/Makefile
make -s -C "$headers" M="$PWD/modules" modules >modules/log 2>&1 || { cat modules/log >&2; exit 1; }
mkdir -p "tree/$lib/extra" tree/{bin,proc,sys,dev,root}
cp modules/*.ko "tree/$lib/extra"
strip -g "tree/$lib/extra/"*.ko
/sbin/depmod -b tree "$version"

cp "$(command -v busybox)" tree/bin
install -m 755 "$here/init" tree/init
(cd tree && find . | cpio -o -H newc --quiet | gzip -1) >initrd
rm -rf tree modules
echo "$made_from" >made_from
