-- The origin of a document is the URL or upload it came from, so that several files of one source
-- do not replace each other. In the primary key, the key comes before the origin, so that a load
-- reads all documents of a key together without sorting. The origin of existing rows is unknown.
CREATE TABLE document_with_origin (
    source TEXT NOT NULL,
    key    TEXT NOT NULL,
    origin TEXT NOT NULL,
    body   BLOB NOT NULL,
    PRIMARY KEY (source, key, origin)
) STRICT, WITHOUT ROWID;

INSERT INTO document_with_origin (source, key, origin, body)
SELECT source, key, '', body FROM document;

DROP TABLE document;
ALTER TABLE document_with_origin RENAME TO document;

-- The built-in sample, as loaded by all earlier versions. A store with exactly these numbers of
-- documents and bytes per source contains only the sample. Results of running labels are ignored
-- because they can be added to the sample.
CREATE TEMPORARY TABLE found AS
SELECT source, count(*) AS documents, sum(length(body)) AS bytes
FROM document WHERE key NOT LIKE 'resolution/%' GROUP BY source;

CREATE TEMPORARY TABLE sample (source, documents, bytes);
INSERT INTO sample VALUES
    ('cask_catalog', 20, 8159),
    ('label_tool', 15, 3152),
    ('mdm_installer', 21, 3323),
    ('recipe_index', 9, 1590),
    ('store_listing', 2, 577);

CREATE TEMPORARY TABLE is_sample AS
SELECT (SELECT count(*) FROM found) = 5
   AND (SELECT count(*) FROM (SELECT * FROM found INTERSECT SELECT * FROM sample)) = 5 AS answer;

UPDATE document SET origin = 'sample'
WHERE key NOT LIKE 'resolution/%' AND (SELECT answer FROM temp.is_sample);

-- Whether a record belongs to the built-in sample.
ALTER TABLE record ADD COLUMN is_sample INTEGER NOT NULL DEFAULT 0 CHECK (is_sample IN (0, 1));

UPDATE record SET is_sample = 1
WHERE slug = 'quicksilver' AND length(body) = 280 AND (SELECT answer FROM temp.is_sample);

DROP TABLE temp.found;
DROP TABLE temp.sample;
DROP TABLE temp.is_sample;

-- The validators of a URL are valid only for the documents that the same reader made from that
-- URL. Existing documents have no origin, so all validators are dropped.
DROP TABLE fetched;
CREATE TABLE fetched (
    source        TEXT NOT NULL,
    address       TEXT NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    reader        TEXT NOT NULL,
    PRIMARY KEY (source, address)
) STRICT, WITHOUT ROWID;
