import { makeBox } from "./box.js";
import { makeChips, named } from "./chips.js";
import { byId, follow, make, send, showAway } from "./live.js";
import { showSeats } from "./parts.js";
import { prompt } from "./words.js";

const TILE_KEYS = "1234567890-=";
const BUTTON_KEYS = { r: "roll", n: "next", b: "back" };
const FAULTS = { oled: ["OLED gone", "gone"], tiles: ["Tiles' cable off", "gone"], chips: ["Board's cable off", "gone"], serial: ["Serial noise", "noise"],
  camera: ["Camera covered", "covered"] };
const PRESETS = { masters: "Masters: nine tiles", pub: "Pub: for a pot", cards: "Ten tiles", "last-standing": "Last one standing",
  battle: "Battle of two", digits: "Digits", "full-house": "Twelve tiles", thai: "Thai" };
const MOST_EVENTS = 200, TAP_MS = 150;

let bench = null, board = null, last = Promise.resolve();
const box = makeBox(byId("box"), { flip, setDie }), chips = makeChips(byId("chips"), touch);

/** One after the other, as hands do it. */
function act(what) {
  last = last.then(() => send("/bench/do", what)).then((problem) => { byId("problem").textContent = problem; return problem; });
  return last;
}

function flip(tile) {
  if (bench?.tiles.includes(tile)) act({ line: `${bench.open.includes(tile) ? "shut" : "open"} ${tile}` });
}

/** A chip of who plays, or what lies there away. */
function touch(square) {
  act({ line: bench.chips[square] ? `lift ${named(square)}` : `place ${named(square)} ${board?.chips?.colour || "green"}` });
}

function setDie(i) {
  const dice = bench.laid.length ? bench.laid : bench.thrown.length === 2 ? bench.thrown : [bench.thrown[0] ?? 1, 1];
  act({ lay: dice.map((die, j) => j === i ? die % 6 + 1 : die) });
}

// What the world and the table tell

function showBench(told) {
  if (told.tiles.join() !== bench?.tiles.join()) {
    byId("tile").replaceChildren(...told.tiles.map((tile) => make("option", { text: tile })));
  }
  bench = told;
  document.body.classList.toggle("off", !bench.is_on);
  press(byId("power"), !bench.is_on);
  byId("devices").replaceChildren(...Object.entries(bench.faults).map(([device, isBroken]) => {
    const [words, how] = FAULTS[device];
    const button = make("button", { text: words, "aria-pressed": String(isBroken), type: "button" });
    button.addEventListener("click", () => act({ line: isBroken ? `mend ${device}` : `fault ${device} ${how}` }));
    return button;
  }));
  showTileFaults();
  draw();
}

function draw() {
  if (!bench) return;
  for (const id of ["box", "keys"]) byId(id).toggleAttribute("hidden", !!bench.chips);
  byId("chips").toggleAttribute("hidden", !bench.chips);
  for (const id of ["preset", "tile"]) byId(id).closest("label").hidden = !!bench.chips; // of the box with tiles
  for (const id of ["stuck", "bounce"]) byId(id).hidden = !!bench.chips;
  if (bench.chips) {
    chips.show({ squares: bench.chips, marked: bench.is_on ? board?.chips?.marked : [] });
    return;
  }
  const wrong = board ? board.to_open.concat(board.to_shut) : [];
  box.show(Object.fromEntries(bench.tiles.map((tile) => [tile, { open: bench.open.includes(tile),
    stuck: bench.stuck.includes(tile), wrong: bench.is_on && wrong.includes(tile), lit: board?.lit.includes(tile) }])));
  const laid = bench.laid.length > 0, isTumbling = bench.is_on && !!board?.is_tumbling;
  const thrown = bench.thrown.length ? bench.thrown : [6, 6];
  box.showDice({ faces: laid && !isTumbling ? bench.laid : thrown, laid: laid && !isTumbling, isTumbling });
}

function showBoard(told) {
  board = told;
  const [who, what, more] = prompt(board);
  byId("who").textContent = who;
  byId("what").textContent = what;
  byId("more").textContent = more;
  document.title = `${[who, what].filter(Boolean).join(": ")} · Bench`;
  showSeats(board, byId("seats"));
  draw();
}

function showOled(encoded) {
  const bits = atob(encoded), context = byId("oled").getContext("2d"), image = context.createImageData(128, 64);
  for (let i = 0; i < 128 * 64; i++) {
    const isLit = bits.charCodeAt(i >> 3) >> (7 - (i & 7)) & 1;
    image.data.set(isLit ? [178, 232, 255, 255] : [4, 7, 10, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
}

function showEvent(event) {
  const { seq, t, event: name, ...fields } = event;
  const words = name === "screen" ? fields.lines.join(" | ")
    : Object.entries(fields).map(([key, value]) => `${key} ${flat(value)}`).join(", ");
  const list = byId("events");
  list.prepend(make("li", {}, make("time", { text: t.toFixed(1) }), make("b", { text: name }), make("span", { text: words })));
  while (list.children.length > MOST_EVENTS) list.lastChild.remove();
}

function flat(value) {
  if (Array.isArray(value)) return value.map(flat).join(" ");
  if (value && typeof value === "object") return Object.entries(value).map(([key, one]) => `${key}:${flat(one)}`).join(" ");
  return String(value);
}

follow("/bench/stream", { bench: showBench, board: showBoard, oled: showOled, event: showEvent,
  screen: (lines) => byId("oled").setAttribute("aria-label", `The OLED: ${lines.join("; ")}`) }, showAway);

// The three buttons: down while a finger, a pointer or a key is

for (const button of document.querySelectorAll("[data-button]")) {
  const name = button.dataset.button;
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    button.setPointerCapture(event.pointerId);
    hold(name, true);
  });
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(kind, () => hold(name, false));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    hold(name, true);
  });
  button.addEventListener("keyup", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); hold(name, false); } });
  button.addEventListener("click", (event) => { // neither pointer nor key: a screen reader, a voice
    if (event.detail === 0 && event.pointerType !== "mouse" && event.pointerType !== "touch") tap(name);
  });
}

const down = new Set();

function hold(name, isDown) {
  if (isDown === down.has(name)) return;
  (isDown ? down.add : down.delete).call(down, name);
  document.querySelector(`[data-button=${name}]`).classList.toggle("down", isDown);
  act({ button: name, down: isDown });
}

function tap(name) {
  hold(name, true);
  setTimeout(() => hold(name, false), TAP_MS);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select")) return;
  const tile = TILE_KEYS.indexOf(event.key) + 1, button = BUTTON_KEYS[event.key.toLowerCase()];
  if (button) hold(button, true);
  else if (tile && !event.repeat) flip(tile);
});
addEventListener("keyup", (event) => { const name = BUTTON_KEYS[event.key.toLowerCase()]; if (name) hold(name, false); });
addEventListener("blur", () => [...down].forEach((name) => hold(name, false)));

// The drawer

function press(button, isPressed) { button.setAttribute("aria-pressed", String(isPressed)); }

function showTileFaults() {
  const tile = Number(byId("tile").value);
  press(byId("stuck"), bench.stuck.includes(tile));
  press(byId("bounce"), bench.bouncing.includes(tile));
}

byId("tile").addEventListener("change", showTileFaults);
byId("power").addEventListener("click", () => act({ line: bench.is_on ? "power off" : "power on" }));
byId("stuck").addEventListener("click", () => faultTile(bench.stuck, "stuck"));
byId("bounce").addEventListener("click", () => faultTile(bench.bouncing, "bounce 40ms"));

function faultTile(broken, how) {
  const tile = Number(byId("tile").value);
  act({ line: broken.includes(tile) ? `mend tile ${tile}` : `fault tile ${tile} ${how}` });
}

byId("preset").replaceChildren(...Object.entries(PRESETS).map(([value, text]) => make("option", { value, text })));
byId("match").addEventListener("submit", (event) => {
  event.preventDefault();
  const names = byId("names").value.split(",").map((name) => name.trim()).filter(Boolean);
  act({ players: names, preset: byId("preset").value });
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ line: byId("line").value }).then((problem) => { if (!problem) byId("line").value = ""; });
});
