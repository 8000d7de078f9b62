-- What processes with one store tell each other.

-- The marks of the last editions. A file that is replaced by an older copy uses their numbers again,
-- but not their marks.
CREATE TABLE written (
    edition INTEGER NOT NULL PRIMARY KEY,
    -- Made up for each commit.
    mark    TEXT    NOT NULL
) STRICT;

INSERT INTO written (edition, mark) SELECT number, lower(hex(randomblob(16))) FROM edition
WHERE number > 0;

-- Editions that a process served and that the store does not have any more.
CREATE TABLE lost_edition (
    mark     TEXT    NOT NULL PRIMARY KEY,
    edition  INTEGER NOT NULL,
    found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How the last scheduled refresh ended.
CREATE TABLE refresh_state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    ended_at INTEGER NOT NULL,
    result   TEXT    NOT NULL,
    -- What went wrong; NULL if nothing did.
    why      TEXT
) STRICT;
