-- What processes with one store tell each other. It means the same as in a SQLite store.

-- Editions that a process served and that the store does not have any more.
CREATE TABLE lost_edition (
    mark     TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    edition  BIGINT NOT NULL,
    found_at BIGINT NOT NULL
);

-- How the last scheduled refresh ended.
CREATE TABLE refresh_state (
    only_row BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    ended_at BIGINT  NOT NULL,
    result   TEXT    COLLATE "C" NOT NULL,
    -- What went wrong; NULL if nothing did.
    why      TEXT    COLLATE "C"
);
