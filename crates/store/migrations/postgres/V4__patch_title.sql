-- What the patch source has published of each app: its versions, and when its definition changed. It
-- means the same as in a SQLite store.
CREATE TABLE patch_title (
    slug TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- As JSON.
    body TEXT COLLATE "C" NOT NULL
);
