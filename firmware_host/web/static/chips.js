// The board of Sequence Dice from above: numbered squares, and chips on them.

const NS = "http://www.w3.org/2000/svg";
const STEP = 100, MARGIN = 24, EDGE = 6 * STEP + 2 * MARGIN;
const NUMBERS = [2, 3, 4, 5, 6, 2, 6, 7, 8, 9, 7, 3, 5, 9, 12, 12, 8, 4, 4, 8, 12, 12, 9, 5, 3, 7, 9, 8, 7, 6, 2, 6, 5, 4, 3, 2];
const COLOURS = ["", "green", "blue", "red"];
const INKS = { green: "#3f9d5a", blue: "#3f74c9", red: "#c9483f" };

function shape(name, attributes, parent) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

/** As a play names it. */
export const named = (square) => `r${Math.floor(square / 6)}c${square % 6}`;

/**
 * A board in `svg`.  `touch(square)`, where people may touch it.
 * show({squares, marked}): what lies on each square (0, or 1 to 3 for the colours), and squares to point at.
 */
export function makeChips(svg, touch) {
  svg.setAttribute("viewBox", `0 0 ${EDGE} ${EDGE}`);
  shape("rect", { x: 3, y: 3, width: EDGE - 6, height: EDGE - 6, rx: 22, fill: "#8c5a2c", stroke: "#4a2d14", "stroke-width": 6 }, svg);
  const cells = NUMBERS.map((number, square) => {
    const x = MARGIN + (square % 6) * STEP, y = MARGIN + Math.floor(square / 6) * STEP;
    const group = shape("g", { transform: `translate(${x} ${y})` }, svg);
    const ground = shape("rect", { x: 3, y: 3, width: STEP - 6, height: STEP - 6, rx: 10, fill: "#fbf3e0" }, group);
    const text = shape("text", { x: STEP / 2, y: STEP / 2, "text-anchor": "middle", "dominant-baseline": "central",
      "font-family": "var(--serif)", "font-weight": 700, "font-size": 40, fill: "#6d441f" }, group);
    text.textContent = number;
    const chip = shape("circle", { cx: STEP / 2, cy: STEP / 2, r: 36, "stroke-width": 5, stroke: "#00000055", visibility: "hidden" }, group);
    const sign = shape("text", { x: STEP / 2, y: STEP / 2, "text-anchor": "middle", "dominant-baseline": "central",
      "font-family": "var(--sans)", "font-weight": 700, "font-size": 30, fill: "#ffffff" }, group);
    if (touch) {
      for (const [key, value] of [["role", "button"], ["tabindex", 0]]) group.setAttribute(key, value);
      group.style.cursor = "pointer";
      group.addEventListener("click", () => touch(square));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); touch(square); }
      });
    }
    return { group, ground, chip, sign };
  });

  function show({ squares, marked = [] }) {
    cells.forEach(({ group, ground, chip, sign }, square) => {
      const level = squares[square], colour = COLOURS[level];
      chip.setAttribute("visibility", level ? "visible" : "hidden");
      chip.setAttribute("fill", INKS[colour] ?? "#777777");
      sign.textContent = level ? (colour?.[0] ?? "?").toUpperCase() : "";
      const isMarked = marked.includes(square);
      ground.setAttribute("stroke", isMarked ? "#e6b450" : "none");
      ground.setAttribute("stroke-width", isMarked ? 10 : 0);
      group.setAttribute("aria-label", `${named(square)}, ${NUMBERS[square]}${level ? `, ${colour ?? "unknown"}` : ""}${isMarked ? ", marked" : ""}`);
    });
  }

  return { show };
}
