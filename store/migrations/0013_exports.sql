-- The lineage of every export: what was written where, by whom, with which
-- options. Which segments are in it says the manifest beside the files.
CREATE TABLE exports (
  id         INTEGER   PRIMARY KEY AUTOINCREMENT,
  at         TIMESTAMP NOT NULL,
  curator    TEXT      NOT NULL,
  target     TEXT      NOT NULL, -- the path of the file or folder
  format     TEXT      NOT NULL,
  options    TEXT      NOT NULL, -- a JSON object
  candidates INTEGER   NOT NULL,
  samples    INTEGER   NOT NULL,
  rows       INTEGER   NOT NULL,
  tokens     INTEGER   NOT NULL,
  left_out   INTEGER   NOT NULL
);

CREATE TABLE export_files (
  export_id INTEGER NOT NULL REFERENCES exports (id),
  n         INTEGER NOT NULL,
  path      TEXT    NOT NULL,
  split     TEXT    NOT NULL,
  rows      INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  sha256    TEXT    NOT NULL,
  PRIMARY KEY (export_id, n)
) WITHOUT ROWID;
