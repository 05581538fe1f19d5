-- Sessions as their sources hold them whose messages are kept elsewhere, wholly
-- or in part: key is what stands behind '#' in their session_file, row what the
-- source tells of them, as JSON. Of those without a row of their own, copies
-- tells what they are kept as.
CREATE TABLE raws (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  key       TEXT    NOT NULL,
  row       TEXT    NOT NULL,
  PRIMARY KEY (source_id, key)
) WITHOUT ROWID;
-- Where their messages stand: from n on, messages at.. of a session; sum is that
-- of their ids.
CREATE TABLE pieces (
  source_id  INTEGER NOT NULL,
  key        TEXT    NOT NULL,
  n          INTEGER NOT NULL,
  session_id TEXT    NOT NULL REFERENCES trajectory_records (id),
  at         INTEGER NOT NULL,
  messages   INTEGER NOT NULL,
  sum        INTEGER NOT NULL,
  PRIMARY KEY (source_id, key, n),
  FOREIGN KEY (source_id, key) REFERENCES raws (source_id, key) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX pieces_session ON pieces (session_id);
-- gathered: pieces tell whose messages the session holds.
ALTER TABLE trajectory_records ADD COLUMN gathered INTEGER NOT NULL DEFAULT 0;
-- What was taken for a copy for its id alone is looked at again.
UPDATE sources SET mtime = 0, proof = '{}' WHERE copies > 0;
