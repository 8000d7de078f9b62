-- What changed in the served catalog, app by app. It is written in the transaction that publishes, so
-- that it is never ahead of the catalog or behind it.
CREATE TABLE journal (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    -- Names this sequence of numbers. Another store, or a new beginning, has another one.
    epoch    TEXT    NOT NULL,
    -- The last number that was used. It only grows.
    newest   INTEGER NOT NULL CHECK (newest >= 0),
    -- The catalog can be followed from this number on. What is before it is incomplete.
    floor    INTEGER NOT NULL CHECK (floor BETWEEN 0 AND newest),
    -- The time of that number; NULL if the journal begins with an empty catalog.
    floor_at TEXT
) STRICT;

-- A store that has a catalog already begins with its newest revision.
INSERT INTO journal (only_row, epoch, newest, floor, floor_at)
VALUES (1, lower(hex(randomblob(4))), 0, 0,
    (SELECT changed_at FROM revision ORDER BY number DESC LIMIT 1));

CREATE TABLE change (
    seq      INTEGER NOT NULL PRIMARY KEY,
    revision INTEGER NOT NULL,
    slug     TEXT    NOT NULL,
    kind     TEXT    NOT NULL,
    -- The vendor of the app after the change, or before it if the app was removed.
    vendor   TEXT,
    -- As JSON: {"current_version":{"from":…,"to":…}}.
    fields   TEXT    NOT NULL
) STRICT;

-- When a source starts or stops to lag behind the others. The numbers are of the same sequence.
CREATE TABLE drift_event (
    seq      INTEGER NOT NULL PRIMARY KEY,
    revision INTEGER NOT NULL,
    -- As JSON, without the number and the revision.
    body     TEXT    NOT NULL
) STRICT;

-- The last number that a revision includes; NULL if the journal does not know the revision.
ALTER TABLE revision ADD COLUMN newest_change INTEGER;

UPDATE revision SET newest_change = 0 WHERE number = (SELECT max(number) FROM revision);
