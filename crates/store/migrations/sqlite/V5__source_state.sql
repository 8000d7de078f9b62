-- When the files of a source were last received. A source without a row was never received, or only
-- before this table existed.
CREATE TABLE source_state (
    source      TEXT NOT NULL PRIMARY KEY,
    -- The last time a file arrived or its server reported no change.
    received_at TEXT NOT NULL,
    -- The last time that entries were added, changed or removed; NULL if unknown.
    changed_at  TEXT,
    -- The number of rejected entries in the files that arrived last; NULL if unknown.
    rejected    INTEGER CHECK (rejected >= 0)
) STRICT, WITHOUT ROWID;
