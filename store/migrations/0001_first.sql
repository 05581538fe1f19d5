-- Sources: the files that were imported. `state` and `proof` are JSON.
CREATE TABLE sources (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id TEXT    NOT NULL,
  path     TEXT    NOT NULL,
  format   TEXT    NOT NULL DEFAULT '',
  forced   TEXT    NOT NULL DEFAULT '',
  size     INTEGER NOT NULL,
  mtime    INTEGER NOT NULL,
  pending  INTEGER NOT NULL DEFAULT 0,
  sessions INTEGER NOT NULL DEFAULT 0, -- derived: rows of trajectory_records
  reason   TEXT    NOT NULL DEFAULT '',
  proof    TEXT    NOT NULL,
  state    TEXT    NOT NULL,
  UNIQUE (agent_id, path)
);
CREATE INDEX sources_path ON sources (path, id);

CREATE TABLE import_issues (
  id        INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES sources (id),
  line      INTEGER NOT NULL,
  offset    INTEGER NOT NULL,
  length    INTEGER NOT NULL,
  severity  TEXT    NOT NULL,
  reason    TEXT    NOT NULL
);
CREATE INDEX import_issues_source ON import_issues (source_id);
CREATE INDEX import_issues_pending ON import_issues (source_id) WHERE severity = 'pending';

-- A body is the stored messages of a session. A rewritten session gets a new
-- one; the old one stays for the verdicts that were given on it.
CREATE TABLE bodies (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL
);
CREATE INDEX bodies_session ON bodies (session_id);

CREATE TABLE trajectory_records (
  id              TEXT      PRIMARY KEY NOT NULL,
  source_agent_id TEXT      NOT NULL DEFAULT 'default',
  session_file    TEXT      NOT NULL,
  pair_index      INTEGER   NOT NULL DEFAULT -1,
  segmented       INTEGER   NOT NULL DEFAULT 0,
  created_at      TIMESTAMP NOT NULL,
  source_id       INTEGER   REFERENCES sources (id),
  body            INTEGER   NOT NULL REFERENCES bodies (id),
  format          TEXT      NOT NULL DEFAULT '',
  native_id       TEXT      NOT NULL DEFAULT '',
  title           TEXT      NOT NULL DEFAULT '',
  model           TEXT      NOT NULL DEFAULT '',
  completed       INTEGER,
  started         TEXT      NOT NULL DEFAULT '',
  ended           TEXT      NOT NULL DEFAULT '',
  dir             TEXT      NOT NULL DEFAULT '',
  tools           TEXT      NOT NULL DEFAULT '',
  metadata        TEXT      NOT NULL DEFAULT '',
  parent          TEXT      NOT NULL DEFAULT '',
  messages        INTEGER   NOT NULL DEFAULT 0,
  turns           INTEGER   NOT NULL DEFAULT 0,
  tool_calls      INTEGER   NOT NULL DEFAULT 0,
  tool_fails      INTEGER   NOT NULL DEFAULT 0,
  tokens          INTEGER   NOT NULL DEFAULT 0,
  reasonings      INTEGER   NOT NULL DEFAULT 0,
  media           INTEGER   NOT NULL DEFAULT 0,
  UNIQUE (source_agent_id, session_file)
);
CREATE INDEX trajectory_records_file ON trajectory_records (session_file, id);
CREATE INDEX trajectory_records_source ON trajectory_records (source_id);

-- Message text: zstd-compressed runs of messages. id is body << 32 | number of
-- the first message, so that a session is one range of the table.
CREATE TABLE chunks (
  id   INTEGER PRIMARY KEY,
  last INTEGER NOT NULL, -- number of the last message
  raw  INTEGER NOT NULL, -- bytes before compression
  data BLOB    NOT NULL
);

-- The index entry of each message. id is body << 32 | number; flags are the
-- role in bits 0-1, 4 for a failed tool result, and the marks from bit 3 on.
CREATE TABLE messages (
  id            INTEGER PRIMARY KEY,
  flags         INTEGER NOT NULL,
  content_len   INTEGER NOT NULL,
  reasoning_len INTEGER NOT NULL,
  calls         INTEGER NOT NULL,
  tokens        INTEGER NOT NULL,
  tool          TEXT,
  timestamp     TEXT,
  source_line   INTEGER NOT NULL,
  source_offset INTEGER NOT NULL
);

CREATE TABLE task_segments (
  id               TEXT      PRIMARY KEY NOT NULL,
  agent_id         TEXT      NOT NULL,
  session_file     TEXT      NOT NULL,
  segment_index    INTEGER   NOT NULL,
  start_line       INTEGER   NOT NULL,
  end_line         INTEGER   NOT NULL,
  fingerprint      TEXT      NOT NULL,
  topic            TEXT      NOT NULL DEFAULT '',
  quality_metrics  TEXT      NOT NULL DEFAULT '',
  labeled          INTEGER   NOT NULL DEFAULT 0,
  memory_extracted INTEGER   NOT NULL DEFAULT 0,
  created_at       TIMESTAMP NOT NULL,
  updated_at       TIMESTAMP NOT NULL,
  session_id       TEXT      NOT NULL REFERENCES trajectory_records (id),
  body             INTEGER   NOT NULL,
  detail           TEXT      NOT NULL, -- the second hash
  nth              INTEGER   NOT NULL DEFAULT 1,
  cut_by           TEXT      NOT NULL,
  score            REAL,
  task_type        TEXT      NOT NULL DEFAULT '',
  verdict          TEXT      NOT NULL DEFAULT 'pending' CHECK (verdict IN ('pending', 'approved', 'rejected', 'unsure')),
  stale            INTEGER   NOT NULL DEFAULT 0,
  was              TEXT      NOT NULL DEFAULT '',
  was_by           TEXT      NOT NULL DEFAULT '',
  was_at           TIMESTAMP,
  note             TEXT      NOT NULL DEFAULT '',
  tags             TEXT      NOT NULL DEFAULT '', -- JSON list, '' for none
  reviewer         TEXT      NOT NULL DEFAULT '',
  reviewed_at      TIMESTAMP,
  messages         INTEGER   NOT NULL DEFAULT 0,
  turns            INTEGER   NOT NULL DEFAULT 0,
  tool_calls       INTEGER   NOT NULL DEFAULT 0,
  tool_fails       INTEGER   NOT NULL DEFAULT 0,
  tokens           INTEGER   NOT NULL DEFAULT 0,
  reasonings       INTEGER   NOT NULL DEFAULT 0,
  media            INTEGER   NOT NULL DEFAULT 0,
  hash_state       BLOB,
  -- What a list sorted by score goes by: a segment without a score is below all.
  score_key        REAL      NOT NULL GENERATED ALWAYS AS (coalesce(score, -1.0)) VIRTUAL,
  UNIQUE (agent_id, session_file, fingerprint)
);
-- People name a segment by the first eight digits of its id.
CREATE UNIQUE INDEX task_segments_short ON task_segments (substr(id, 1, 8));
CREATE INDEX task_segments_session ON task_segments (session_id, segment_index);

-- One index per order. All begin with the verdict; a list of several verdicts
-- merges one walk for each.
CREATE INDEX task_segments_natural ON task_segments (verdict, session_file, start_line, id);
CREATE INDEX task_segments_date    ON task_segments (verdict, created_at, id);
CREATE INDEX task_segments_score   ON task_segments (verdict, score_key, id);
CREATE INDEX task_segments_tokens  ON task_segments (verdict, tokens, id);
-- Stale segments are few; walking the others to find them would be slow.
CREATE INDEX task_segments_stale_natural ON task_segments (verdict, session_file, start_line, id) WHERE stale = 1;
CREATE INDEX task_segments_stale_date    ON task_segments (verdict, created_at, id) WHERE stale = 1;
CREATE INDEX task_segments_stale_score   ON task_segments (verdict, score_key, id) WHERE stale = 1;
CREATE INDEX task_segments_stale_tokens  ON task_segments (verdict, tokens, id) WHERE stale = 1;

-- Counts of segments, kept by the triggers below: counting 200,000 rows takes
-- a tenth of a second, reading these takes none. bucket is the score in steps
-- of 0.05, -1 without a score; score_sum is in ten-thousandths, so that sums
-- stay exact.
CREATE TABLE segment_counts (
  verdict   TEXT    NOT NULL,
  bucket    INTEGER NOT NULL,
  stale     INTEGER NOT NULL,
  segments  INTEGER NOT NULL,
  labeled   INTEGER NOT NULL,
  memory    INTEGER NOT NULL,
  messages  INTEGER NOT NULL,
  score_sum INTEGER NOT NULL,
  PRIMARY KEY (verdict, bucket, stale)
) WITHOUT ROWID;

CREATE TRIGGER segment_counts_insert AFTER INSERT ON task_segments BEGIN
  INSERT INTO segment_counts VALUES (NEW.verdict,
    iif(NEW.score IS NULL, -1, min(19, CAST(round(NEW.score * 10000) AS INTEGER) / 500)), NEW.stale,
    1, NEW.labeled, NEW.memory_extracted, NEW.messages, CAST(round(coalesce(NEW.score, 0) * 10000) AS INTEGER))
  ON CONFLICT DO UPDATE SET segments = segments + 1, labeled = labeled + excluded.labeled,
    memory = memory + excluded.memory, messages = messages + excluded.messages, score_sum = score_sum + excluded.score_sum;
END;

CREATE TRIGGER segment_counts_delete AFTER DELETE ON task_segments BEGIN
  UPDATE segment_counts SET segments = segments - 1, labeled = labeled - OLD.labeled,
    memory = memory - OLD.memory_extracted, messages = messages - OLD.messages,
    score_sum = score_sum - CAST(round(coalesce(OLD.score, 0) * 10000) AS INTEGER)
  WHERE verdict = OLD.verdict AND stale = OLD.stale
    AND bucket = iif(OLD.score IS NULL, -1, min(19, CAST(round(OLD.score * 10000) AS INTEGER) / 500));
END;

CREATE TRIGGER segment_counts_update AFTER UPDATE OF verdict, stale, score, labeled, memory_extracted, messages ON task_segments
WHEN NEW.verdict <> OLD.verdict OR NEW.stale <> OLD.stale OR NEW.score IS NOT OLD.score OR NEW.labeled <> OLD.labeled
  OR NEW.memory_extracted <> OLD.memory_extracted OR NEW.messages <> OLD.messages
BEGIN
  UPDATE segment_counts SET segments = segments - 1, labeled = labeled - OLD.labeled,
    memory = memory - OLD.memory_extracted, messages = messages - OLD.messages,
    score_sum = score_sum - CAST(round(coalesce(OLD.score, 0) * 10000) AS INTEGER)
  WHERE verdict = OLD.verdict AND stale = OLD.stale
    AND bucket = iif(OLD.score IS NULL, -1, min(19, CAST(round(OLD.score * 10000) AS INTEGER) / 500));
  INSERT INTO segment_counts VALUES (NEW.verdict,
    iif(NEW.score IS NULL, -1, min(19, CAST(round(NEW.score * 10000) AS INTEGER) / 500)), NEW.stale,
    1, NEW.labeled, NEW.memory_extracted, NEW.messages, CAST(round(coalesce(NEW.score, 0) * 10000) AS INTEGER))
  ON CONFLICT DO UPDATE SET segments = segments + 1, labeled = labeled + excluded.labeled,
    memory = memory + excluded.memory, messages = messages + excluded.messages, score_sum = score_sum + excluded.score_sum;
END;

-- What curators did. Entries are only added. `undone` is derived from the
-- entries that follow: 0 in force, 1 taken back and can be given again, 2 taken
-- back and cut off by a newer action.
CREATE TABLE journal (
  id      INTEGER   PRIMARY KEY AUTOINCREMENT,
  at      TIMESTAMP NOT NULL,
  curator TEXT      NOT NULL, -- '' for what an import did
  action  TEXT      NOT NULL,
  target  INTEGER   NOT NULL DEFAULT 0, -- the entry that was undone or redone
  undone  INTEGER   NOT NULL DEFAULT 0
);
CREATE INDEX journal_stack ON journal (curator, undone, id) WHERE target = 0;

CREATE TABLE journal_changes (
  entry      INTEGER NOT NULL REFERENCES journal (id),
  n          INTEGER NOT NULL,
  segment_id TEXT    NOT NULL,
  before     TEXT    NOT NULL,
  after      TEXT    NOT NULL,
  PRIMARY KEY (entry, n)
) WITHOUT ROWID;
CREATE INDEX journal_changes_segment ON journal_changes (segment_id, entry);
