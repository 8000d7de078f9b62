-- What the patch source has published of each app: its versions, and when its definition changed.
CREATE TABLE patch_title (
    slug TEXT NOT NULL PRIMARY KEY,
    -- As JSON.
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
