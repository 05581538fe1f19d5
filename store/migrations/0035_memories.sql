-- What was learned in sessions. What is not here is said by the sources: one that no
-- segment holds as it was, approved and fresh, is not live, and a memory without a
-- live source is archived where it is proposed, stale where it is approved. That is
-- looked at whenever it is asked for, so that no verdict, cut, edit, import or undo has
-- to know.
CREATE TABLE memories (
  id          TEXT      PRIMARY KEY NOT NULL,
  kind        TEXT      NOT NULL CHECK (kind IN ('rule', 'pitfall', 'procedure', 'fact')),
  title       TEXT      NOT NULL,
  content     TEXT      NOT NULL,
  context     TEXT      NOT NULL,
  resolution  TEXT      NOT NULL,
  status      TEXT      NOT NULL CHECK (status IN ('proposed', 'approved', 'rejected', 'archived')), -- as a curator left it
  alone       INTEGER   NOT NULL DEFAULT 0, -- approved although no source was live: it is not stale
  reason      TEXT      NOT NULL DEFAULT '',
  note        TEXT      NOT NULL DEFAULT '',
  agent_id    TEXT      NOT NULL,
  dir         TEXT      NOT NULL,
  task_type   TEXT      NOT NULL,
  topic       TEXT      NOT NULL,
  made_by     TEXT      NOT NULL,
  model       TEXT      NOT NULL,
  prompt      TEXT      NOT NULL,
  grade       REAL      NOT NULL,
  flags       TEXT      NOT NULL, -- names with a space between them
  hash        TEXT      NOT NULL,
  words       TEXT      NOT NULL, -- all that it says, in small letters: what filters look in
  supersedes  TEXT      NOT NULL DEFAULT '',
  edited      INTEGER   NOT NULL DEFAULT 0,
  curator     TEXT      NOT NULL DEFAULT '',
  reviewed_at TIMESTAMP,
  created_at  TIMESTAMP NOT NULL,
  updated_at  TIMESTAMP NOT NULL
);
CREATE UNIQUE INDEX memories_short ON memories (substr(id, 1, 8));
CREATE UNIQUE INDEX memories_hash ON memories (agent_id, dir, kind, hash) WHERE status <> 'archived';
CREATE INDEX memories_known ON memories (agent_id, dir);
CREATE INDEX memories_date ON memories (created_at, id);
CREATE INDEX memories_grade ON memories (grade, id);

-- Segments that a memory was learned from, as they were.
CREATE TABLE memory_sources (
  memory_id    TEXT    NOT NULL,
  detail       TEXT    NOT NULL, -- of all that it held: memory.ContentKey
  segment_id   TEXT    NOT NULL,
  fingerprint  TEXT    NOT NULL, -- with rest and edited, the digest of the segment
  rest         TEXT    NOT NULL,
  edited       TEXT    NOT NULL,
  session_file TEXT    NOT NULL,
  start_line   INTEGER NOT NULL,
  end_line     INTEGER NOT NULL,
  cites        TEXT    NOT NULL, -- JSON
  loose        INTEGER NOT NULL DEFAULT 0, -- the segment need not be approved, only not rejected
  PRIMARY KEY (memory_id, detail)
) WITHOUT ROWID;
CREATE INDEX memory_sources_segment ON memory_sources (segment_id);
CREATE INDEX memory_sources_content ON memory_sources (fingerprint);

-- Tags of a model and of curators; those that follow from the memory are not here.
CREATE TABLE memory_tags (
  tag       TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  PRIMARY KEY (tag, memory_id)
) WITHOUT ROWID;
CREATE INDEX memory_tags_memory ON memory_tags (memory_id, tag);

-- What was asked already, by content, so that nothing is asked twice.
CREATE TABLE extractions (
  detail     TEXT      NOT NULL, -- memory.ContentKey
  extractor  TEXT      NOT NULL,
  segment_id TEXT      NOT NULL,
  at         TIMESTAMP NOT NULL,
  status     TEXT      NOT NULL,
  kept       INTEGER   NOT NULL,
  again      INTEGER   NOT NULL,
  dropped    TEXT      NOT NULL, -- JSON: how many by reason
  tokens_in  INTEGER   NOT NULL,
  tokens_out INTEGER   NOT NULL,
  PRIMARY KEY (detail, extractor)
) WITHOUT ROWID;

-- What an entry did to memories, so that it can be undone: each as JSON, '' where there
-- was none.
CREATE TABLE journal_memories (
  entry     INTEGER NOT NULL REFERENCES journal (id),
  n         INTEGER NOT NULL,
  memory_id TEXT    NOT NULL,
  before    TEXT    NOT NULL,
  after     TEXT    NOT NULL,
  PRIMARY KEY (entry, n)
) WITHOUT ROWID;
CREATE INDEX journal_memories_memory ON journal_memories (memory_id, entry);

-- A segment that holds something else is to be asked about again.
CREATE TRIGGER memory_extracted_content AFTER UPDATE OF fingerprint, detail, edited ON task_segments
WHEN OLD.memory_extracted = 1 AND (OLD.fingerprint, OLD.detail, OLD.edited) <> (NEW.fingerprint, NEW.detail, NEW.edited) BEGIN
  UPDATE task_segments SET memory_extracted = 0 WHERE id = NEW.id;
END;
