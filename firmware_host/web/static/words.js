// What the table waits for, in words.

const REASONS = {
  no_move: "nothing fits", shut: "shut the box!", unlucky: "unlucky seven", moved: "moved", passed: "passed",
  blocked: "blocked", rolled: "rolled", ended_by_hand: "ended by hand", left: "left",
};
const NOTICES = {
  tiles_first: "Tiles first, then the dice", chip_first: "The chip first, then the dice", not_now: "Not now", no_dice: "The dice do not answer",
  two_dice: "Two dice here", one_die: "One die here", stuck: "Stuck? Hold Next", thinking: "The box thinks", undone: "Undone",
  nothing_to_undo: "Nothing to undo", resumed: "Welcome back: the match goes on", damaged: "The journal was damaged",
};
const KINDS = {
  "one-round": "One round, lowest wins", rounds: "Lowest total wins", "last-standing": "Last one standing",
  "to-limit": "Lowest total at the limit wins", battle: "Battle on one box",
};

export const reason = (name) => REASONS[name] ?? name.replaceAll("_", " ");
export const notice = (name) => NOTICES[name] ?? name.replaceAll("_", " ");

/** Names in a sentence: "Ann", "Ann and Bob". */
export const list = (names) => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** What kind of match it is. */
export function kind(board) {
  if (!board.match) return "";
  const parts = [board.chips ? "Sequence Dice" : KINDS[board.kind] ?? board.kind];
  if (board.kind === "rounds") parts.push(`round ${board.round} of ${board.rounds}`);
  else if (board.kind !== "one-round" && board.kind !== "battle") parts.push(`round ${board.round}`);
  if (board.limit) parts.push(`limit ${board.limit}`);
  if (board.stake) parts.push(`stake ${board.stake}`);
  if (board.pot) parts.push(`${board.pot} in the pot`);
  return parts.join(" · ");
}

/** The same on the board of Sequence Dice. */
function chipPrompt(board, said) {
  const { asks, ordered, victim, place, lift } = board.chips;
  const total = board.dice.reduce((sum, die) => sum + die, 0), whose = victim || "another";
  switch (board.scene) {
    case "roll": return [board.player, asks === "start" ? "Roll for the start" : "Roll two dice", said || lastTurn(board)];
    case "move":
    case "done": {
      const what = { place: total === 11 ? "place on any square" : `place on ${total === 8 ? "an" : "a"} ${total}`, replace: `replace one of ${whose}`,
        remove: `take one of ${whose}` }[asks] ?? "";
      const order = `${asks === "remove" ? "lift" : asks} ${ordered}`;
      return [board.player, `${total}: ${ordered ? order : what}`, said];
    }
    case "put_right":
    case "confirm": {
      const parts = [lift.length && `Lift ${lift.join(" ")}`, place.length && `Place ${place.join(", ")}`];
      return [board.player, parts.filter(Boolean).join(" · "), said || (board.scene === "confirm" ? "Done so? Press Next" : "")];
    }
    default: return null;
  }
}

/** Who is meant, and what to do now: [who, what, more]. */
export function prompt(board) {
  const numbers = (tiles) => tiles.join(" ");
  const raises = board.kind === "battle" && board.seats.findIndex((seat) => seat.name === board.player) === 1;
  const verb = raises ? "Open" : "Shut";
  const said = board.notice ? notice(board.notice) : "";
  if (board.is_tumbling) return [board.player, "The dice roll …", ""];
  const onBoard = board.chips && chipPrompt(board, said);
  if (onBoard) return onBoard;
  switch (board.scene) {
    case "roll":
    case "done": {
      if (!board.dice_allowed.length) return [board.player, "The box is shut!", said];
      const dice = board.dice_allowed.length > 1 ? "Roll one die or two" : board.dice_allowed[0] === 1 ? "Roll one die" : "Roll two dice";
      return [board.player, board.scene === "done" ? `Good. ${dice}` : dice, said || (board.scene === "roll" ? lastTurn(board) : "")];
    }
    case "throw": return [board.player, "Throw the dice", said || lastTurn(board)];
    case "move": {
      const sets = board.legal.map(numbers);
      const isBegun = board.missing < board.dice.reduce((sum, die) => sum + die, 0);
      const what = board.missing ? `${verb} ${board.missing}${isBegun ? " more" : ""}` : `${verb} ${sets.join(" or ")}`;
      return [board.player, what, said];
    }
    case "put_right":
    case "confirm": {
      const parts = [board.to_open.length && `Open ${numbers(board.to_open)}`, board.to_shut.length && `Shut ${numbers(board.to_shut)}`];
      return [board.player, parts.filter(Boolean).join(" · "), said || (board.scene === "confirm" ? "Done so? Press Next" : lastTurn(board))];
    }
    case "free": return [board.player, "Throw, and flip your tiles", said || "Next ends the turn"];
    case "over": return board.winners.length
      ? [list(board.winners), board.winners.length > 1 ? "win" : "wins!", lastTurn(board)] : ["", "The match is over", lastTurn(board)];
    case "paused": return ["", "Paused", "all is saved"];
    default: return ["Boxkeeper", "Press Next to play", said];
  }
}

export function lastTurn(board) {
  const last = board.last_turn;
  if (!last) return "";
  const dice = last.dice.length && (last.reason === "no_move" || last.reason === "unlucky") ? `${last.dice.join(" + ")}: ` : "";
  return `${last.player}${last.score === null ? "" : ` ${last.score}`}, ${dice}${reason(last.reason)}`;
}

/** The points of a seat as they are shown, empty where there are none. */
export function points(board, seat) {
  if (board.kind === "battle" || board.chips) return "";
  const isPlayed = seat.has_played || seat.total > 0 || board.round > 1 || board.is_over;
  return isPlayed ? String(seat.total) : "–";
}

/** What else there is to say of a seat. */
export function remark(board, seat) {
  if (board.winners.includes(seat.name)) return "won";
  if (seat.has_left) return "left";
  if (seat.is_out) return "out";
  return !board.is_over && seat.name === board.player ? "to play" : "";
}
