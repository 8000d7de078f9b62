-- What is served, app by app, so that a start need not work it out again. It follows from the
-- other tables and can be thrown away: whoever cannot use it makes it anew.
CREATE TABLE served (
    slug       TEXT NOT NULL PRIMARY KEY,
    app        BLOB NOT NULL,
    sources    BLOB NOT NULL,
    provenance BLOB NOT NULL,
    drift      BLOB,
    notes      BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- By which rules it was made, for another version of the program may serve other bytes; and what it
-- was made for, as that revision's hash.
CREATE TABLE served_by (
    only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
    rules        TEXT    NOT NULL,
    content_hash TEXT    NOT NULL
) STRICT;
