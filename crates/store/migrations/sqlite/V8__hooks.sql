-- Webhooks and how far each of them is. Nothing here is part of the catalog: writing it does not
-- change the edition.
--
-- Times are milliseconds since 1970, so that they can be compared.

CREATE TABLE hook (
    id              TEXT    NOT NULL PRIMARY KEY,
    url             TEXT    NOT NULL,
    -- The key of the signatures. The program needs it as it is, so it cannot be hashed.
    secret          TEXT    NOT NULL,
    -- The key before, which also signs until the time beside it.
    previous_secret TEXT,
    previous_until  INTEGER,
    -- Which changes are sent, as JSON.
    filter          TEXT    NOT NULL,
    format          TEXT    NOT NULL,
    -- Why nothing is sent any more; NULL while the hook is enabled.
    disabled        TEXT,
    -- The last change that was delivered. Numbers of another epoch mean nothing.
    cursor_epoch    TEXT    NOT NULL,
    cursor_seq      INTEGER NOT NULL CHECK (cursor_seq >= 0),
    -- The last change of the delivery that is being tried, so that a repeat is the same message.
    pending_epoch   TEXT,
    pending_seq     INTEGER CHECK (pending_seq >= 0),
    -- When a replay was asked for that is not delivered yet.
    replay_at       INTEGER,
    -- The attempts to deliver the same message that failed.
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    failing_since   INTEGER,
    next_attempt    INTEGER,
    -- Counts the writes from outside, so that a delivery that ends afterwards does not undo them.
    generation      INTEGER NOT NULL CHECK (generation >= 0),
    created_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last deliveries of each hook.
CREATE TABLE hook_delivery (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    hook        TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    -- The message's own name, which its repeats have, too.
    message     TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    -- The number of changes it tells.
    changes     INTEGER NOT NULL CHECK (changes >= 0),
    -- NULL if there was no answer.
    status      INTEGER,
    elapsed_ms  INTEGER NOT NULL CHECK (elapsed_ms >= 0),
    error       TEXT
) STRICT;

CREATE INDEX hook_delivery_by_hook ON hook_delivery (hook, number);
