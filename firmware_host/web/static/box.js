// The wooden box from above: tiles on their rail, dice in the tray.

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 960, HEIGHT = 560, HINGE = 196, FACE = 140, BACK = 66, RAIL = [52, 908];
const DIE = 104;
const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"]; // cells of a 3 x 3 grid
const FRAME_MS = 90;

function shape(name, attributes, parent) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

function gradient(defs, id, from, to, across = false) {
  const found = shape("linearGradient", { id, x1: 0, y1: 0, x2: across ? 1 : 0, y2: across ? 0 : 1 }, defs);
  shape("stop", { offset: 0, "stop-color": from }, found);
  shape("stop", { offset: 1, "stop-color": to }, found);
}

function wood(svg) {
  const defs = shape("defs", {}, svg);
  gradient(defs, "wood", "#b98149", "#8c5a2c");
  gradient(defs, "inner", "#4c2f17", "#6a4423");
  gradient(defs, "felt", "#1d4a38", "#2b6a4f");
  gradient(defs, "ivory", "#fbf3e0", "#e7d7b4");
  gradient(defs, "lid", "#a26c3a", "#7d4e26");
  shape("rect", { x: 4, y: 4, width: WIDTH - 8, height: HEIGHT - 8, rx: 26, fill: "url(#wood)",
    stroke: "#4a2d14", "stroke-width": 6 }, svg);
  for (let i = 0; i < 9; i++) { // the grain
    const y = 22 + i * 64;
    shape("path", { d: `M12 ${y} C 240 ${y - 12 + (i % 3) * 9}, 520 ${y + 14}, 948 ${y - 4 + (i % 2) * 10}`,
      fill: "none", stroke: "#6d441f", "stroke-opacity": .32, "stroke-width": 2 + (i % 3) }, svg);
  }
  shape("rect", { x: 34, y: 34, width: WIDTH - 68, height: HEIGHT - 68, rx: 14, fill: "url(#inner)",
    stroke: "#3a220e", "stroke-width": 5 }, svg);
  shape("rect", { x: 44, y: HINGE + 12, width: WIDTH - 88, height: HEIGHT - HINGE - 56, rx: 10, fill: "url(#felt)",
    stroke: "#14352a", "stroke-width": 4 }, svg);
  shape("rect", { x: 44, y: HINGE - 4, width: WIDTH - 88, height: 14, rx: 6, fill: "#c99a4a", stroke: "#7d5b21",
    "stroke-width": 2 }, svg); // the brass rod
}

/**
 * A box in `svg`.  `hands`, where people may touch it: `flip(tile)`, `setDie(index)`.
 * show(tiles): `{number: {open, wanted, wrong, stuck, blind, lit}}`; showDice({faces, laid, isTumbling}).
 */
export function makeBox(svg, hands) {
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  wood(svg);
  const rail = shape("g", {}, svg), tray = shape("g", {}, svg);
  let tiles = new Map(), faces = [], ticking = 0;
  const dice = [0, 1].map((i) => makeDie(tray, i, hands));

  function fit(numbers) {
    rail.replaceChildren();
    const step = (RAIL[1] - RAIL[0]) / numbers.length;
    tiles = new Map(numbers.map((number, i) => [number, makeTile(rail, number, RAIL[0] + i * step, step, hands)]));
  }

  function show(states) {
    const numbers = Object.keys(states).map(Number);
    if (numbers.join() !== [...tiles.keys()].join()) fit(numbers);
    for (const number of numbers) {
      const state = states[number], tile = tiles.get(number);
      tile.setAttribute("class", ["tile", !state.open && "shut", ...["wanted", "wrong", "stuck", "blind", "lit"]
        .filter((name) => state[name])].filter(Boolean).join(" "));
      if (hands) {
        tile.setAttribute("aria-pressed", String(!state.open));
        tile.setAttribute("aria-label", `Tile ${number}, ${state.open ? "open" : "shut"}${state.stuck ? ", stuck" : ""}`);
      }
    }
  }

  function showDice(now) {
    faces = now.faces;
    const count = now.isTumbling ? Math.max(1, faces.length || 2) : faces.length;
    dice.forEach((die, i) => {
      const isThere = i < count;
      die.setAttribute("visibility", isThere ? "visible" : "hidden");
      die.setAttribute("class", `die${now.isTumbling ? " tumbling" : ""}${now.laid ? " laid" : ""}`);
      turn(die, now.isTumbling ? 1 + Math.floor(Math.random() * 6) : faces[i] ?? 0);
      if (hands) die.setAttribute("aria-label", `${i ? "Second" : "First"} die: ${faces[i] ?? "none"}${now.laid ? ", laid for the next roll" : ""}. Turn it by hand`);
    });
    clearInterval(ticking);
    if (now.isTumbling && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      ticking = setInterval(() => dice.forEach((die) => turn(die, 1 + Math.floor(Math.random() * 6))), FRAME_MS);
    }
  }

  return { show, showDice };
}

function makeTile(rail, number, x, step, hands) {
  const tile = shape("g", { class: "tile" }, rail), gap = Math.min(8, step * .09);
  const left = x + gap / 2, width = step - gap, middle = left + width / 2;
  shape("rect", { x: left, y: HINGE - FACE, width, height: FACE, rx: 6, fill: "#2c1a0c", opacity: .55 }, tile);
  const back = shape("g", { class: "back" }, tile);
  shape("rect", { x: left, y: HINGE + 4, width, height: BACK, rx: 7, fill: "url(#lid)", stroke: "#46290f",
    "stroke-width": 2 }, back);
  shape("path", { d: `M${left + width * .2} ${HINGE + BACK - 14} h${width * .6}`, stroke: "#4f3015",
    "stroke-width": 3, "stroke-linecap": "round", opacity: .7 }, back);
  const face = shape("g", { class: "face" }, tile);
  shape("rect", { x: left, y: HINGE - FACE, width, height: FACE, rx: 8, fill: "url(#ivory)", stroke: "#7a5a33",
    "stroke-width": 2 }, face);
  const size = Math.min(66, width * (number > 9 ? .62 : .82));
  const label = shape("text", { x: middle, y: HINGE - FACE / 2 + size * .36, "font-size": size }, face);
  label.textContent = number;
  shape("rect", { class: "mark", x: left + 1, y: HINGE - FACE + 1, width: width - 2, height: FACE - 2, rx: 8 }, tile);
  shape("text", { class: "dim", x: middle, y: HINGE - FACE - 6, "font-size": 22, fill: "#ffd479" }, tile).textContent = "?";
  shape("circle", { class: "lamp", cx: middle, cy: HINGE + 3, r: 5 }, tile);
  if (hands) {
    shape("rect", { class: "ring", x: left - 2, y: HINGE - FACE - 2, width: width + 4, height: FACE + BACK + 8, rx: 10 }, tile);
    shape("rect", { x: x, y: HINGE - FACE - 10, width: step, height: FACE + BACK + 18, fill: "transparent" }, tile);
    asButton(tile, () => hands.flip(number));
  }
  return tile;
}

function makeDie(tray, i, hands) {
  const die = shape("g", { class: "die", visibility: "hidden",
    transform: `translate(${352 + i * 152} ${336 + i * 24}) rotate(${i ? 9 : -7} 52 52)` }, tray);
  const roll = shape("g", { class: "roll" }, die);
  shape("rect", { class: "body", width: DIE, height: DIE, rx: 20 }, roll);
  for (let cell = 0; cell < 9; cell++) {
    shape("circle", { class: "pip", cx: 26 + 26 * (cell % 3), cy: 26 + 26 * Math.floor(cell / 3), r: 10 }, roll);
  }
  if (hands) {
    shape("rect", { class: "ring", x: -8, y: -8, width: DIE + 16, height: DIE + 16, rx: 24 }, die);
    asButton(die, () => hands.setDie(i));
  }
  return die;
}

function turn(die, face) {
  die.querySelectorAll(".pip").forEach((pip, cell) => pip.classList.toggle("on", PIPS[face].includes(cell)));
}

function asButton(element, act) {
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) act();
  });
}
