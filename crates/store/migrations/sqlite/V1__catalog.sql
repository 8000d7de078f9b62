-- What the upstreams said, one row per document, so that a refresh rewrites only what changed.
CREATE TABLE document (
    source TEXT NOT NULL,
    key    TEXT NOT NULL,
    body   BLOB NOT NULL,
    PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;

-- Records given by hand: {"app":…,"sources":…}, one per app.
CREATE TABLE record (
    slug TEXT NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The order in which apps came in. AUTOINCREMENT: a number is never given twice, so an app
-- that left and came back counts as new.
CREATE TABLE app (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    slug   TEXT NOT NULL UNIQUE
) STRICT;

-- Every change of the served catalog.
CREATE TABLE revision (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    token         TEXT    NOT NULL,
    changed_at    TEXT    NOT NULL,
    content_hash  TEXT    NOT NULL,
    total_apps    INTEGER NOT NULL,
    label_tool    INTEGER NOT NULL,
    cask_catalog  INTEGER NOT NULL,
    recipe_index  INTEGER NOT NULL,
    mdm_installer INTEGER NOT NULL
) STRICT;

-- Counts the writes, so that a writer can tell whether another one came in between.
CREATE TABLE edition (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    number   INTEGER NOT NULL
) STRICT;

INSERT INTO edition (only_row, number) VALUES (1, 0);
