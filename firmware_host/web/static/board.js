import { makeBox } from "./box.js";
import { makeChips } from "./chips.js";
import { byId, follow, showAway } from "./live.js";
import { showSeats, showTurns, tileStates } from "./parts.js";
import { kind, list, prompt } from "./words.js";

const box = makeBox(byId("box")), chips = makeChips(byId("chips"));

function showBoard(board) {
  const [who, what, more] = prompt(board);
  for (const [id, text] of [["who", who], ["what", what], ["more", more], ["kind", kind(board)]]) {
    if (byId(id).textContent !== text) byId(id).textContent = text;
  }
  document.title = `${[who, what].filter(Boolean).join(": ")} · Boxkeeper`;
  document.body.classList.toggle("many", board.seats.length > 5);
  byId("box").toggleAttribute("hidden", !!board.chips);
  byId("chips").toggleAttribute("hidden", !board.chips);
  if (board.chips) chips.show(board.chips);
  else if (board.tiles.length) {
    box.show(tileStates(board));
    box.showDice({ faces: board.dice, isTumbling: board.is_tumbling });
    const open = board.open.length ? `open: ${board.open.join(" ")}` : "all tiles are shut";
    byId("box").setAttribute("aria-label", `The box, ${open}${board.dice.length ? `; dice: ${board.dice.join(" and ")}` : ""}`);
  }
  byId("troubles").textContent = board.troubles.length ? `Out of order: ${list(board.troubles)}` : "";
  showSeats(board, byId("seats"));
}

follow("/stream", {
  board: showBoard,
  history: (told) => showTurns(told, byId("turns")),
  page: (told) => { byId("to-bench").hidden = !told.is_bench; },
}, showAway);
