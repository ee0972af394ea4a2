"""The tables of what is projected, and what a match comes to."""

from __future__ import annotations

TABLES = (
    """CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,    -- as shown; whoever plays by another name is another one
    last_match INTEGER NOT NULL
)""",
    """CREATE TABLE rule_sets (     -- what makes scores comparable
    id INTEGER PRIMARY KEY,
    settings TEXT NOT NULL UNIQUE, -- JSON object: all that bears on a score
    kind TEXT NOT NULL,           -- match.kind
    tiles TEXT NOT NULL,          -- rules.tiles
    scoring TEXT NOT NULL         -- rules.scoring
)""",
    """CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,         -- of match_started; turns and rolls of the match follow it
    rule_set INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    ended_seq INTEGER,            -- of match_ended; NULL: it goes on, or was left behind
    reason TEXT
)""",
    """CREATE TABLE seats (
    match INTEGER NOT NULL,
    seat INTEGER NOT NULL,        -- from 0
    person INTEGER NOT NULL,
    total INTEGER NOT NULL,
    won INTEGER NOT NULL,
    points INTEGER NOT NULL,      -- net of the stakes
    has_left INTEGER NOT NULL,
    by_hand INTEGER NOT NULL,     -- 1: the total was set by hand
    PRIMARY KEY (match, seat)
) WITHOUT ROWID""",
    """CREATE TABLE turns (
    seq INTEGER PRIMARY KEY,      -- of turn_started
    match INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    round INTEGER NOT NULL,
    is_play_off INTEGER NOT NULL, -- 1: its score is in no total
    ended_seq INTEGER,
    score INTEGER,
    reason TEXT,
    open TEXT,                    -- tiles, such as 1 4 9
    by_hand INTEGER NOT NULL      -- 1: the score was set by hand
)""",
    """CREATE TABLE rolls (
    seq INTEGER PRIMARY KEY,      -- of rolled
    turn INTEGER NOT NULL,        -- seq of the turn
    dice TEXT NOT NULL,           -- such as 4 5
    source TEXT NOT NULL,
    shut TEXT,                    -- tiles; NULL: no move stands
    opened TEXT,                  -- what the raiser of a battle opened
    open TEXT                     -- tiles open after the move
)""",
    """CREATE TABLE standings (     -- of all matches but the last
    person INTEGER NOT NULL,
    rule_set INTEGER NOT NULL,
    played INTEGER NOT NULL,
    won INTEGER NOT NULL,
    points INTEGER NOT NULL,
    turns INTEGER NOT NULL,       -- with a score, play-offs apart
    score_sum INTEGER NOT NULL,   -- of those
    best INTEGER,                 -- of those
    boxes_shut INTEGER NOT NULL,
    solo_best INTEGER,            -- lowest total of a match played alone
    PRIMARY KEY (person, rule_set)
) WITHOUT ROWID""",
)

ADDED_TABLES = (
    "ALTER TABLE seats ADD COLUMN opponent TEXT",  # how the box plays the seat; NULL: a person plays it
    """CREATE TABLE decisions (     -- of all matches but the last, battles apart: each alike counted together
    person INTEGER NOT NULL,
    rule_set INTEGER NOT NULL,
    before TEXT NOT NULL,         -- tiles open before the roll; all: the turn's first
    dice TEXT NOT NULL,           -- ascending
    shut TEXT NOT NULL,           -- tiles; empty: none
    times INTEGER NOT NULL,
    PRIMARY KEY (person, rule_set, before, dice, shut)
) WITHOUT ROWID""",
)
"""What version 3 adds."""

LAST_MATCH = """
SELECT s.person AS person, m.rule_set AS rule_set,
    m.reason IS 'played' AS played,
    s.won AND m.seats > 1 AS won,
    s.points AS points,
    count(CASE WHEN NOT t.is_play_off THEN t.score END) AS turns,
    coalesce(sum(CASE WHEN NOT t.is_play_off THEN t.score END), 0) AS score_sum,
    min(CASE WHEN NOT t.is_play_off THEN t.score END) AS best,
    coalesce(sum(t.reason = 'shut' OR r.kind = 'battle' AND t.reason = 'moved' AND t.open = ''), 0)
        AS boxes_shut,
    CASE WHEN m.seats = 1 AND m.reason = 'played' AND r.kind IN ('one-round', 'rounds')
        THEN s.total END AS solo_best
FROM (SELECT * FROM matches ORDER BY number DESC LIMIT 1) AS m
    JOIN rule_sets AS r ON r.id = m.rule_set
    JOIN seats AS s ON s.match = m.number
    LEFT JOIN turns AS t ON t.seq > m.seq AND t.seat = s.seat AND t.ended_seq IS NOT NULL
GROUP BY s.seat
"""
"""What the last match comes to so far, in the columns of ``standings``.

``won`` counts matches with others: who plays alone has nobody to beat.  ``boxes_shut`` counts the
lowerer's of a battle too.  Only a turn that has ended counts.
"""

CLOSE = f"""
INSERT INTO standings SELECT * FROM ({LAST_MATCH}) WHERE true
ON CONFLICT DO UPDATE SET
    played = played + excluded.played,
    won = won + excluded.won,
    points = points + excluded.points,
    turns = turns + excluded.turns,
    score_sum = score_sum + excluded.score_sum,
    best = min(coalesce(best, excluded.best), coalesce(excluded.best, best)),
    boxes_shut = boxes_shut + excluded.boxes_shut,
    solo_best = min(coalesce(solo_best, excluded.solo_best), coalesce(excluded.solo_best, solo_best))
"""
"""Adds what the last match came to to ``standings``."""

LAST_DECISIONS = """
SELECT person, rule_set, before, dice, shut, count(*) AS times FROM (
    SELECT s.person AS person, m.rule_set AS rule_set,
        coalesce(lag(r.open) OVER (PARTITION BY r.turn ORDER BY r.seq), 'all') AS before,
        CASE WHEN length(r.dice) = 3 AND substr(r.dice, 3) < substr(r.dice, 1, 1)
            THEN substr(r.dice, 3) || ' ' || substr(r.dice, 1, 1) ELSE r.dice END AS dice,
        coalesce(r.shut, '') AS shut
    FROM (SELECT * FROM matches ORDER BY number DESC LIMIT 1) AS m
        JOIN rule_sets AS x ON x.id = m.rule_set AND x.kind != 'battle'
            AND instr(x.settings, '"rules.game"') = 0  -- only of other games than Shut the Box
        JOIN rolls AS r ON r.seq > m.seq AND r.dice != ''
        JOIN turns AS t ON t.seq = r.turn AND t.ended_seq IS NOT NULL
        JOIN seats AS s ON s.match = m.number AND s.seat = t.seat
) GROUP BY person, rule_set, before, dice, shut
"""
"""What was decided in the turns of the last match that have ended, in the columns of ``decisions``."""

CLOSE_DECISIONS = f"""
INSERT INTO decisions SELECT * FROM ({LAST_DECISIONS}) WHERE true
ON CONFLICT DO UPDATE SET times = times + excluded.times
"""
"""Adds what was decided in the last match to ``decisions``."""
