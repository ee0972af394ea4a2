"""The kinds of changes of the screen, told from the views before and after."""

from __future__ import annotations

from firmware_host.table.view import Scene, View

COMMONEST = (
    "one tile shut in a partial move",
    "move complete",
    "a tile taken back",
    "wrong tile",
    "put right done",
    "dice settled",
    "next roll wanted",
    "turn over",
    "next player",
    "box shut",
)
IN_A_TURN = COMMONEST[:5]
FRAME = "the next frame of the tumbling dice"
OTHER = "something else"

_BY_SCENES = {
    (Scene.ROLL, Scene.PUT_RIGHT): "wrong tile",
    (Scene.DONE, Scene.PUT_RIGHT): "wrong tile",
    (Scene.MOVE, Scene.PUT_RIGHT): "wrong tile",
    (Scene.PUT_RIGHT, Scene.MOVE): "put right done",
    (Scene.PUT_RIGHT, Scene.DONE): "put right done",
    (Scene.PUT_RIGHT, Scene.PUT_RIGHT): "one of several tiles put right",
    (Scene.DONE, Scene.ROLL): "next roll wanted",
    (Scene.DONE, Scene.MOVE): "a complete move taken back",
    (Scene.DONE, Scene.OVER): "match over",
    (Scene.OVER, Scene.ROLL): "a new match",
    (Scene.OVER, Scene.PUT_RIGHT): "a new match",
    (Scene.TITLE, Scene.ROLL): "a new match",
}


def kind(before: View, after: View) -> str:
    """What happened at the table, as far as the screen tells."""
    if after.tumble:
        return FRAME if before.tumble else "dice begin to tumble"
    if before.tumble:
        return "dice settled" if after.scene is Scene.MOVE else _after_turn(after)
    if before.notice is not after.notice:
        return "a notice comes or goes"
    match before.scene, after.scene:
        case Scene.MOVE, Scene.MOVE:
            return COMMONEST[0] if len(after.open) < len(before.open) else "a tile taken back"
        case Scene.MOVE, Scene.DONE:
            return "move complete" if after.open else "box shut"
        case Scene.PUT_RIGHT, Scene.ROLL:
            return "next player" if after.last_turn else "put right done"
    return _BY_SCENES.get((before.scene, after.scene), OTHER)


def _after_turn(after: View) -> str:
    return "match over" if after.scene is Scene.OVER else "turn over"
