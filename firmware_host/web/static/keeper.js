import { byId, follow, make, send, showAway } from "./live.js";
import { points, prompt, remark } from "./words.js";

const LEAST_PLAYERS = 2, MOST_PLAYERS = 20, MOST_TOTAL = 99999, DONE_MS = 3000;
let board = null, shown = "", unsaid;

async function act(what) {
  const problem = await send("/keeper/do", what);
  say(problem);
  if (problem.startsWith("type the digits")) look();
  return problem;
}

/** How it went, wherever the page is scrolled to; what went well needs no long reading. */
function say(problem) {
  clearTimeout(unsaid);
  byId("problem").textContent = problem;
  byId("done").textContent = problem ? "" : "Done";
  if (!problem) unsaid = setTimeout(() => { byId("done").textContent = ""; }, DONE_MS);
}

/** Is this the keeper?  Then what can be chosen. */
async function look() {
  const state = await (await fetch("/keeper/state")).json();
  byId("door").hidden = state.is_keeper;
  byId("desk").hidden = !state.is_keeper;
  if (!state.is_keeper) return byId("digits").focus();
  byId("people").replaceChildren(...state.people.map((value) => make("option", { value })));
  byId("preset").replaceChildren(make("option", { value: "", text: "this table's own" }),
    ...state.presets.map(({ name, line }) => make("option", { value: name, text: `${name}: ${line}` })));
}

byId("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = await send("/keeper/digits", { digits: byId("digits").value });
  say(problem);
  byId("digits").value = "";
  look();
});

byId("undo").addEventListener("click", () => act({ do: "take_back" }));
byId("end").addEventListener("click", () => act({ do: "end_turn" }));
byId("leave").addEventListener("click", () => send("/keeper/leave", {}).then(look));

for (const id of ["die-1", "die-2"]) {
  byId(id).append(...(id === "die-2" ? [make("option", { value: 0, text: "none" })] : []),
    ...[1, 2, 3, 4, 5, 6].map((die) => make("option", { value: die, text: die })));
}
byId("die-2").value = 1;
byId("dice").addEventListener("submit", (event) => {
  event.preventDefault();
  const dice = [byId("die-1"), byId("die-2")].map((die) => Number(die.value)).filter(Boolean);
  act({ do: "dice", dice });
});

// Players of the match that goes on

function seat(one) {
  const name = one.name, isPlaying = !board.is_over && !one.has_left;
  const hand = make("button", { type: "button", text: `It is ${name}'s turn` });
  hand.addEventListener("click", () => act({ do: "hand_over", player: name }));
  const score = field(`Total of ${name}`, "Set total", { type: "number", min: 0, max: MOST_TOTAL, value: one.total, required: true },
    (text) => act({ do: "score", player: name, total: Number(text) }));
  const rename = field(`Name in place of ${name}`, "Rename", { maxlength: 20, value: name, list: "people", autocomplete: "off", required: true },
    (text) => act({ do: "rename", player: name, name: text }));
  return make("li", { class: remark(board, one) === "to play" && "turn" },
    make("div", { class: "line" }, make("span", { text: name }), make("span", { class: "soft", text: remark(board, one) }),
      make("span", { text: points(board, one) })),
    ...(!isPlaying ? [] : [make("div", { class: "row" }, ...(board.kind === "battle" ? [] : [score]), rename,
      ...(board.kind !== "battle" && one.to_play && name !== board.player ? [hand] : []))]));
}

function field(label, action, attributes, act) {
  const input = make("input", { "aria-label": label, ...attributes });
  const form = make("form", {}, input, make("button", { text: action }));
  form.addEventListener("submit", (event) => { event.preventDefault(); act(input.value); });
  return form;
}

function showBoard(told) {
  board = told;
  const [who, what, more] = prompt(board);
  for (const [id, text] of [["who", who], ["what", what], ["more", more]]) byId(id).textContent = text;
  document.title = `${[who, what].filter(Boolean).join(": ")} · Keeper`;
  byId("end").disabled = board.is_over || !board.match;
  byId("start-note").textContent = board.match && !board.is_over ? "The match that goes on is abandoned." : "";
  const seats = JSON.stringify([board.seats, board.player, board.winners]);
  if (seats === shown) return; // whoever types is not disturbed by a flip
  shown = seats;
  byId("seats").replaceChildren(...board.seats.map(seat));
  const last = board.last_turn?.dice ?? board.dice;
  if (last.length) {
    byId("die-1").value = last[0];
    byId("die-2").value = last[1] ?? 0;
  }
  if (!byId("players").children.length) board.seats.forEach((one) => player(one.opponent ? `bot:${one.opponent}` : one.name));
}

// The next match

function player(name = "") {
  const number = byId("players").children.length + 1;
  if (number > MOST_PLAYERS) return;
  byId("players").append(make("li", {}, make("input", { "aria-label": `Player ${number}`, placeholder: `Player ${number}`,
    maxlength: 20, list: "people", autocomplete: "off", value: name })));
}

byId("more-players").addEventListener("click", () => { player(); byId("players").lastChild.firstChild.focus(); });
byId("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = [...byId("players").querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean);
  await act({ do: "start", players, preset: byId("preset").value, source: byId("source").value });
});

byId("exports").append(...["people", "matches", "seats", "turns", "rolls"].map((what) =>
  make("a", { href: `/keeper/export/${what}.csv`, download: `${what}.csv`, text: `${what} (CSV)` })));
follow("/stream", { board: showBoard }, showAway);
setTimeout(() => { while (byId("players").children.length < LEAST_PLAYERS) player(); }, 1500);
look();
