-- The tables of a store. They mean the same as those of a SQLite store, whose migrations tell how
-- they came to be.
--
-- Texts are ordered by their bytes on every server, so their collation is "C". PostgreSQL has no
-- texts with U+0000: the program writes U+0000 as U+0001 U+0001, and U+0001 as U+0001 U+0002, which
-- does not change the order.

-- Counts the writes, so that a writer can tell whether another one came in between. Every writer of
-- the catalog locks this row first.
CREATE TABLE edition (
    only_row   BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    number     BIGINT  NOT NULL CHECK (number >= 0),
    -- The last insertion number of an app. It only grows, so that an app that left and came back
    -- counts as new.
    newest_app BIGINT  NOT NULL CHECK (newest_app >= 0)
);

INSERT INTO edition (number, newest_app) VALUES (0, 0);

-- Who wrote the last editions. A writer whose connection broke during the commit looks here whether
-- it was made.
CREATE TABLE written (
    edition BIGINT NOT NULL PRIMARY KEY,
    -- Made up for each commit.
    mark    TEXT   NOT NULL
);

-- What the upstreams said, one row per document, so that a refresh rewrites only what changed.
CREATE TABLE document (
    source TEXT  COLLATE "C" NOT NULL,
    key    TEXT  COLLATE "C" NOT NULL,
    -- The URL, upload or sample it came from; empty if unknown.
    origin TEXT  COLLATE "C" NOT NULL,
    body   BYTEA NOT NULL,
    PRIMARY KEY (source, key, origin)
);

-- Records given by hand: {"app":…,"sources":…}, one per app.
CREATE TABLE record (
    slug      TEXT    COLLATE "C" NOT NULL PRIMARY KEY,
    body      TEXT    COLLATE "C" NOT NULL,
    -- Whether it belongs to the built-in sample.
    is_sample BOOLEAN NOT NULL
);

-- The order in which apps came in.
CREATE TABLE app (
    number BIGINT NOT NULL PRIMARY KEY,
    slug   TEXT   COLLATE "C" NOT NULL UNIQUE
);

-- The validators of the fetched URLs.
CREATE TABLE fetched (
    source        TEXT COLLATE "C" NOT NULL,
    address       TEXT COLLATE "C" NOT NULL,
    etag          TEXT COLLATE "C",
    last_modified TEXT COLLATE "C",
    reader        TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (source, address)
);

-- When the files of a source were last received.
CREATE TABLE source_state (
    source      TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    -- The last time a file arrived or its server reported no change.
    received_at TEXT   COLLATE "C" NOT NULL,
    -- The last time that entries were added, changed or removed; NULL if unknown.
    changed_at  TEXT   COLLATE "C",
    -- The number of rejected entries in the files that arrived last; NULL if unknown.
    rejected    BIGINT CHECK (rejected >= 0)
);

-- Every change of the served catalog. Times are texts, because they have a precision of nanoseconds.
CREATE TABLE revision (
    number        BIGINT NOT NULL PRIMARY KEY,
    token         TEXT   COLLATE "C" NOT NULL,
    changed_at    TEXT   COLLATE "C" NOT NULL,
    content_hash  TEXT   COLLATE "C" NOT NULL,
    total_apps    BIGINT NOT NULL,
    label_tool    BIGINT NOT NULL,
    cask_catalog  BIGINT NOT NULL,
    recipe_index  BIGINT NOT NULL,
    mdm_installer BIGINT NOT NULL,
    -- The last change that it includes; NULL if the journal does not know the revision.
    newest_change BIGINT
);

-- What is served, app by app, so that a start need not work it out again. It follows from the other
-- tables and can be thrown away: whoever cannot use it makes it anew.
CREATE TABLE served (
    slug       TEXT  COLLATE "C" NOT NULL PRIMARY KEY,
    app        BYTEA NOT NULL,
    sources    BYTEA NOT NULL,
    provenance BYTEA NOT NULL,
    drift      BYTEA,
    notes      BYTEA NOT NULL
);

-- By which rules it was made, and for which revision, as that revision's hash.
CREATE TABLE served_by (
    only_row     BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    rules        TEXT    COLLATE "C" NOT NULL,
    content_hash TEXT    COLLATE "C" NOT NULL
);

-- What changed in the served catalog, app by app. It is written in the transaction that publishes.
CREATE TABLE journal (
    only_row BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    -- Names this sequence of numbers.
    epoch    TEXT   COLLATE "C" NOT NULL,
    -- The last number that was used. It only grows.
    newest   BIGINT NOT NULL CHECK (newest >= 0),
    -- The catalog can be followed from this number on. What is before it is incomplete.
    floor    BIGINT NOT NULL CHECK (floor BETWEEN 0 AND newest),
    -- The time of that number; NULL if the journal begins with an empty catalog.
    floor_at TEXT   COLLATE "C"
);

INSERT INTO journal (epoch, newest, floor)
VALUES (left(replace(gen_random_uuid()::text, '-', ''), 8), 0, 0);

CREATE TABLE change (
    seq      BIGINT NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    slug     TEXT   COLLATE "C" NOT NULL,
    kind     TEXT   COLLATE "C" NOT NULL,
    -- The vendor of the app after the change, or before it if the app was removed.
    vendor   TEXT   COLLATE "C",
    -- As JSON: {"current_version":{"from":…,"to":…}}.
    fields   TEXT   COLLATE "C" NOT NULL
);

-- When a source starts or stops to lag behind the others. The numbers are of the same sequence.
CREATE TABLE drift_event (
    seq      BIGINT NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    -- As JSON, without the number and the revision.
    body     TEXT   COLLATE "C" NOT NULL
);

-- What follows is not part of the catalog: writing it does not change the edition. Its times are
-- milliseconds since 1970.

-- Answers of web servers that can be asked for again only if they changed.
CREATE TABLE answer (
    -- A hash over the request.
    key           TEXT    COLLATE "C" NOT NULL PRIMARY KEY,
    address       TEXT    COLLATE "C" NOT NULL,
    etag          TEXT    COLLATE "C",
    last_modified TEXT    COLLATE "C",
    status        INTEGER NOT NULL,
    fetched_at    BIGINT  NOT NULL,
    -- The last time that the server confirmed the answer.
    used_at       BIGINT  NOT NULL,
    -- The bytes of headers and body.
    size          BIGINT  NOT NULL CHECK (size >= 0),
    headers       TEXT    COLLATE "C" NOT NULL,
    body          BYTEA   NOT NULL
);

-- The last run of each label.
CREATE TABLE label_run (
    file     TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    -- A fingerprint of the text that was run.
    fragment TEXT   COLLATE "C" NOT NULL,
    run_at   BIGINT NOT NULL,
    outcome  TEXT   COLLATE "C" NOT NULL,
    -- Why a value is unknown; NULL if none is.
    why      TEXT   COLLATE "C"
);

-- Webhooks and how far each of them is.
CREATE TABLE hook (
    id              TEXT   COLLATE "C" NOT NULL PRIMARY KEY,
    url             TEXT   COLLATE "C" NOT NULL,
    -- The key of the signatures. The program needs it as it is, so it cannot be hashed.
    secret          TEXT   COLLATE "C" NOT NULL,
    -- The key before, which also signs until the time beside it.
    previous_secret TEXT   COLLATE "C",
    previous_until  BIGINT,
    -- Which changes are sent, as JSON.
    filter          TEXT   COLLATE "C" NOT NULL,
    format          TEXT   COLLATE "C" NOT NULL,
    -- Why nothing is sent any more; NULL while the hook is enabled.
    disabled        TEXT   COLLATE "C",
    -- The last change that was delivered. Numbers of another epoch mean nothing.
    cursor_epoch    TEXT   COLLATE "C" NOT NULL,
    cursor_seq      BIGINT NOT NULL CHECK (cursor_seq >= 0),
    -- The last change of the delivery that is being tried, so that a repeat is the same message.
    pending_epoch   TEXT   COLLATE "C",
    pending_seq     BIGINT CHECK (pending_seq >= 0),
    -- When a replay was asked for that is not delivered yet.
    replay_at       BIGINT,
    -- The attempts to deliver the same message that failed.
    attempts        BIGINT NOT NULL CHECK (attempts >= 0),
    failing_since   BIGINT,
    next_attempt    BIGINT,
    -- Counts the writes from outside, so that a delivery that ends afterwards does not undo them.
    generation      BIGINT NOT NULL CHECK (generation >= 0),
    created_at      BIGINT NOT NULL
);

-- The last deliveries of each hook.
CREATE TABLE hook_delivery (
    number      BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hook        TEXT    COLLATE "C" NOT NULL,
    at          BIGINT  NOT NULL,
    -- The message's own name, which its repeats have, too.
    message     TEXT    COLLATE "C" NOT NULL,
    kind        TEXT    COLLATE "C" NOT NULL,
    -- The number of changes it tells.
    changes     BIGINT  NOT NULL CHECK (changes >= 0),
    -- NULL if there was no answer.
    status      INTEGER,
    elapsed_ms  BIGINT  NOT NULL CHECK (elapsed_ms >= 0),
    error       TEXT    COLLATE "C"
);

CREATE INDEX hook_delivery_by_hook ON hook_delivery (hook, number);
