// What scoreboard and bench have in common.

import { make } from "./live.js";
import { points, reason, remark } from "./words.js";

/** The tiles as they lie, with what is to be done to them. */
export function tileStates(board) {
  const wanted = new Set(board.legal.length && board.scene === "move" ? [] : board.to_open.concat(board.to_shut));
  return Object.fromEntries(board.tiles.map((tile) => [tile, {
    open: lies(board, tile), wrong: wanted.has(tile), blind: board.blind.includes(tile),
  }]));
}

/** On a put-right screen the game's box and the seen one differ in exactly those tiles. */
function lies(board, tile) {
  if (board.scene !== "put_right" && board.scene !== "confirm") return board.open.includes(tile);
  if (board.to_open.includes(tile)) return false;
  return board.to_shut.includes(tile) || board.open.includes(tile);
}

export function showSeats(board, body) {
  body.replaceChildren(...board.seats.map((seat, i) => {
    const chance = board.chances[i];
    const classes = [!board.is_over && seat.name === board.player && "turn", board.winners.includes(seat.name) && "won",
      (seat.is_out || seat.has_left) && "gone"].filter(Boolean).join(" ");
    return make("tr", { class: classes },
      make("td", { text: seat.name }), make("td", { class: "remark", text: remark(board, seat) }),
      make("td", { class: "remark", text: chance == null ? "" : `${chance} %` }),
      make("td", { text: points(board, seat) }));
  }));
}

export function showTurns(history, element) {
  element.replaceChildren(...history.turns.filter((turn) => turn.rolls.length || turn.reason).map((turn) => {
    const end = turn.reason ? ` ${reason(turn.reason)}${turn.by_hand ? ", set by hand" : ""}` : " …";
    const rolls = turn.rolls.map((roll) => {
      const moved = roll.shut?.length ? roll.shut : roll.opened;
      return make("span", { text: `${(roll.dice ?? []).join("+") || "?"} → ${moved?.length ? moved.join(" ") : "–"}` });
    });
    return make("li", {}, make("b", { text: `${turn.player}${turn.score === null ? "" : ` ${turn.score}`}` }),
      make("span", { class: "soft", text: end }), make("div", { class: "rolls" }, ...rolls));
  }));
}
