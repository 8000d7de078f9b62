-- What running labels needs to remember. Nothing here is part of the catalog: it can be thrown away,
-- and writing it does not change the edition.
--
-- Times are milliseconds since 1970, so that they can be compared.

-- Answers of web servers that can be asked for again only if they changed. The body is the last
-- column, so that the others are read without it.
CREATE TABLE answer (
    -- A hash over the request.
    key           TEXT    NOT NULL PRIMARY KEY,
    address       TEXT    NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    status        INTEGER NOT NULL,
    fetched_at    INTEGER NOT NULL,
    -- The last time that the server confirmed the answer.
    used_at       INTEGER NOT NULL,
    -- The bytes of headers and body.
    size          INTEGER NOT NULL CHECK (size >= 0),
    headers       TEXT    NOT NULL,
    body          BLOB    NOT NULL
) STRICT;

-- The last run of each label.
CREATE TABLE label_run (
    file     TEXT    NOT NULL PRIMARY KEY,
    -- A fingerprint of the text that was run.
    fragment TEXT    NOT NULL,
    run_at   INTEGER NOT NULL,
    outcome  TEXT    NOT NULL,
    -- Why a value is unknown; NULL if none is.
    why      TEXT
) STRICT;
