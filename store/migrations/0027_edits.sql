-- What curators change of recorded messages: another one stands in the place of
-- message n (set), none does (drop), or one more stands behind it (add; part is 1,
-- 2 and so on, n is 0 in front of the first). Chunks and messages keep what was
-- recorded; imports write here only what follows from where messages are now.
CREATE TABLE edits (
  body      INTEGER NOT NULL,
  n         INTEGER NOT NULL,
  part      INTEGER NOT NULL DEFAULT 0,
  op        TEXT    NOT NULL CHECK (op IN ('set', 'drop', 'add')),
  why       TEXT    NOT NULL CHECK (why IN ('fix', 'redact', 'squash')),
  base      BLOB    NOT NULL, -- sum of the recorded message that it was made on
  message   BLOB,             -- as in chunks, alone; NULL for drop
  untrained INTEGER NOT NULL DEFAULT 0,
  clash     INTEGER NOT NULL DEFAULT 0, -- the recorded message is another one by now: not in force
  entry     INTEGER NOT NULL REFERENCES journal (id),
  sealed    BLOB,             -- sayings that a redaction took out here, 16 bytes each
  PRIMARY KEY (body, n, part)
) WITHOUT ROWID;
CREATE INDEX edits_redacted ON edits (body, n) WHERE why = 'redact';

-- What an entry did to places, so that it can be undone: rows of edits as JSON,
-- NULL for none.
CREATE TABLE journal_edits (
  entry      INTEGER NOT NULL REFERENCES journal (id),
  k          INTEGER NOT NULL,
  session_id TEXT    NOT NULL,
  body       INTEGER NOT NULL,
  n          INTEGER NOT NULL,
  part       INTEGER NOT NULL,
  before     TEXT,
  after      TEXT,
  PRIMARY KEY (entry, k)
) WITHOUT ROWID;
CREATE INDEX journal_edits_place ON journal_edits (body, n, part, entry);

-- How many edits a body has: 0, and nothing more is asked.
ALTER TABLE bodies ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;

-- The digest of the current view of a segment, '' where that is the recorded one;
-- of a change the one of what the segment held.
ALTER TABLE task_segments   ADD COLUMN edited TEXT NOT NULL DEFAULT '';
ALTER TABLE journal_changes ADD COLUMN edited TEXT NOT NULL DEFAULT '';

-- Lists are filtered by it.
DROP TRIGGER segment_changes_update;
CREATE TRIGGER segment_changes_update AFTER UPDATE OF id, agent_id, session_file, body, start_line, topic, named, cut_by, score, task_type,
  stale, tags, messages, turns, tool_calls, tool_fails, tokens, reasonings, media, created_at, flags, tools, measures, recorded, errors, exits, edited
ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;
DROP INDEX task_segments_facets;
CREATE INDEX task_segments_facets ON task_segments (
  place, start_line, id, verdict, stale, score, body, messages, turns, tool_calls, tool_fails, tokens, reasonings, media,
  task_type, cut_by, named, agent_id, recorded, created_at, flags, tools, measures, errors, exits, edited, topic, note, tags, reviewer, reviewed_at
);
