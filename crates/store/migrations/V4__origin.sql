-- A document belongs to the address or upload it came from, so that several files of one source
-- do not replace each other. The key comes before the origin: a load reads the documents of a key
-- next to each other, without sorting. Older rows have no known origin.
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

-- The built-in sample, as every version before this one loaded it. A store that holds exactly as
-- many documents and bytes of each source holds the sample and nothing else; what was found by
-- running labels may have come on top.
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

-- Whether a record is one of the built-in sample, and not somebody's.
ALTER TABLE record ADD COLUMN is_sample INTEGER NOT NULL DEFAULT 0 CHECK (is_sample IN (0, 1));

UPDATE record SET is_sample = 1
WHERE slug = 'quicksilver' AND length(body) = 280 AND (SELECT answer FROM temp.is_sample);

DROP TABLE temp.found;
DROP TABLE temp.sample;
DROP TABLE temp.is_sample;

-- The validators of an address are only good for documents of that address, read by the reader
-- that made them. The documents have no origin yet, so all validators are dropped.
DROP TABLE fetched;
CREATE TABLE fetched (
    source        TEXT NOT NULL,
    address       TEXT NOT NULL,
    etag          TEXT,
    last_modified TEXT,
    reader        TEXT NOT NULL,
    PRIMARY KEY (source, address)
) STRICT, WITHOUT ROWID;
