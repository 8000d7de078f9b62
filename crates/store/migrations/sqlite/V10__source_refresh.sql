-- How refreshing each source went, so that no source is asked more often than configured, whichever
-- process asks and however often it is restarted. Nothing here is part of the catalog: it can be
-- thrown away, and writing it does not change the edition.
--
-- Times are milliseconds since 1970, so that they can be compared.
CREATE TABLE source_refresh (
    source       TEXT    NOT NULL PRIMARY KEY,
    -- When the last attempt began. It is written before anything is requested.
    tried_at     INTEGER NOT NULL,
    -- When the last attempt without a failure ended; NULL if there was none.
    succeeded_at INTEGER,
    -- When the next attempt is due.
    next_at      INTEGER NOT NULL,
    -- The attempts since the last success. An attempt that does not end counts.
    failures     INTEGER NOT NULL CHECK (failures >= 0),
    -- Why the last attempt failed; NULL if it did not.
    why          TEXT,
    -- The entries of the last files that were read, and those that were rejected; NULL if unknown.
    entries      INTEGER CHECK (entries >= 0),
    rejected     INTEGER CHECK (rejected >= 0),
    -- The first rejected entries with the reasons, as JSON.
    rejects      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- What the fetching of a source needs to remember from one time to the next, as JSON.
CREATE TABLE refresh_memory (
    source TEXT NOT NULL PRIMARY KEY,
    body   TEXT NOT NULL
) STRICT;
