-- What became of uploads, the newest ones. A row says what a client was told: losing
-- one loses no upload, which is a file.
CREATE TABLE ingests (
  n            INTEGER PRIMARY KEY, -- in the order in which they came
  seq          INTEGER   NOT NULL,  -- ascends with each change of any row
  id           TEXT      NOT NULL UNIQUE,
  at           TIMESTAMP NOT NULL,
  agent_id     TEXT      NOT NULL,
  name         TEXT      NOT NULL,  -- of the session
  wire         INTEGER   NOT NULL,  -- bytes that were sent
  bytes        INTEGER   NOT NULL,  -- and what they were after decompression
  size         INTEGER   NOT NULL,  -- of the session's file then
  sha256       TEXT      NOT NULL,
  outcome      TEXT      NOT NULL,  -- 'stored' until it is imported
  was          TEXT      NOT NULL,  -- what the upload was to what was stored
  status       INTEGER   NOT NULL,
  source_id    INTEGER,
  -- What the import came to; NULL until then.
  read         INTEGER,
  skipped      INTEGER,
  bad          INTEGER,
  pending      INTEGER,
  sessions_new INTEGER,
  updated      INTEGER,
  copies       INTEGER,
  messages_new INTEGER,
  messages     INTEGER,
  problems     TEXT      NOT NULL DEFAULT '', -- the first bad lines, as JSON
  ms           INTEGER,
  code         TEXT      NOT NULL DEFAULT '',
  error        TEXT      NOT NULL DEFAULT ''
);
CREATE INDEX ingests_seq ON ingests (seq);
CREATE INDEX ingests_agent ON ingests (agent_id, at, bytes, messages_new, status);
CREATE INDEX ingests_open ON ingests (n) WHERE outcome = 'stored';

-- Lists are filtered by when a session came.
DROP INDEX trajectory_records_facets;
CREATE INDEX trajectory_records_facets ON trajectory_records (body, format, model, session_file, place, id, created_at);
