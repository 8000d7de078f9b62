-- How refreshing each source went. It means the same as in a SQLite store.
CREATE TABLE source_refresh (
    source       TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    tried_at     BIGINT NOT NULL,
    succeeded_at BIGINT,
    next_at      BIGINT NOT NULL,
    failures     BIGINT NOT NULL CHECK (failures >= 0),
    why          TEXT   COLLATE "C",
    entries      BIGINT CHECK (entries >= 0),
    rejected     BIGINT CHECK (rejected >= 0),
    rejects      TEXT   COLLATE "C" NOT NULL
);

CREATE TABLE refresh_memory (
    source TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    body   TEXT COLLATE "C" NOT NULL
);
