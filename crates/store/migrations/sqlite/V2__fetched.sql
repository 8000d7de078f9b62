-- What an upstream's address last answered, so that the next request can ask for changes only.
CREATE TABLE fetched (
    address       TEXT NOT NULL PRIMARY KEY,
    etag          TEXT,
    last_modified TEXT
) STRICT, WITHOUT ROWID;
