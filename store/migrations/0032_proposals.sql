-- Compressions of segments that a person is to accept, one of a segment at most.
-- That of a segment which left stays: the segment may come back. What it says is
-- in proposal_texts, which are never changed, so that a verdict on thousands of
-- them writes none.
CREATE TABLE proposals (
  segment_id  TEXT    PRIMARY KEY NOT NULL,
  text        INTEGER NOT NULL, -- id of proposal_texts
  status      INTEGER NOT NULL CHECK (status BETWEEN 1 AND 4), -- 1 proposed, 2 accepted, 3 rejected, 4 failed
  fingerprint TEXT    NOT NULL, -- of the content that it was made of
  detail      TEXT    NOT NULL,
  edited      TEXT    NOT NULL,
  sum         TEXT    NOT NULL, -- of the messages that the segment would be written as
  judge       TEXT    NOT NULL DEFAULT '',
  judged      TIMESTAMP
) WITHOUT ROWID;
CREATE TABLE proposal_texts (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  data BLOB    NOT NULL -- JSON, compressed as a message is
);

-- What an entry did to proposals, so that it can be undone: text, status, judge and
-- judged as JSON.
CREATE TABLE journal_proposals (
  entry      INTEGER NOT NULL REFERENCES journal (id),
  k          INTEGER NOT NULL,
  segment_id TEXT    NOT NULL,
  before     TEXT    NOT NULL,
  after      TEXT    NOT NULL,
  PRIMARY KEY (entry, k)
) WITHOUT ROWID;
CREATE INDEX journal_proposals_segment ON journal_proposals (segment_id, entry);

-- What models answered, so that none is asked the same twice.
CREATE TABLE drafts (
  key   TEXT PRIMARY KEY NOT NULL, -- of all that was sent
  model TEXT NOT NULL,
  text  BLOB NOT NULL, -- compressed as a message is
  at    TIMESTAMP NOT NULL
);

-- What lists know of it: the status of the proposal, 0 without one, 5 if it is stale,
-- as it was made of another content.
ALTER TABLE task_segments ADD COLUMN compression INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER compression_proposals_insert AFTER INSERT ON proposals BEGIN
  UPDATE task_segments SET compression = iif((fingerprint, detail, edited) = (NEW.fingerprint, NEW.detail, NEW.edited), NEW.status, 5) WHERE id = NEW.segment_id;
END;
CREATE TRIGGER compression_proposals_update AFTER UPDATE ON proposals BEGIN
  UPDATE task_segments SET compression = iif((fingerprint, detail, edited) = (NEW.fingerprint, NEW.detail, NEW.edited), NEW.status, 5)
  WHERE id = NEW.segment_id AND compression <> iif((fingerprint, detail, edited) = (NEW.fingerprint, NEW.detail, NEW.edited), NEW.status, 5);
END;
CREATE TRIGGER compression_proposals_delete AFTER DELETE ON proposals BEGIN
  UPDATE task_segments SET compression = 0 WHERE id = OLD.segment_id;
END;

-- A segment that comes back finds its proposal, one that changes may lose it, or find
-- it again.
CREATE TRIGGER compression_segments_insert AFTER INSERT ON task_segments WHEN EXISTS (SELECT 1 FROM proposals WHERE segment_id = NEW.id) BEGIN
  UPDATE task_segments SET compression = (SELECT iif((fingerprint, detail, edited) = (NEW.fingerprint, NEW.detail, NEW.edited), status, 5)
    FROM proposals WHERE segment_id = NEW.id) WHERE id = NEW.id;
END;
CREATE TRIGGER compression_segments_update AFTER UPDATE OF fingerprint, detail, edited ON task_segments
WHEN OLD.compression <> 0 AND (OLD.fingerprint, OLD.detail, OLD.edited) <> (NEW.fingerprint, NEW.detail, NEW.edited) BEGIN
  UPDATE task_segments SET compression = coalesce((SELECT iif((fingerprint, detail, edited) = (NEW.fingerprint, NEW.detail, NEW.edited), status, 5)
    FROM proposals WHERE segment_id = NEW.id), 0) WHERE id = NEW.id;
END;

-- Lists are filtered by it.
DROP TRIGGER segment_changes_update;
CREATE TRIGGER segment_changes_update AFTER UPDATE OF id, agent_id, session_file, body, start_line, topic, named, cut_by, score, task_type,
  stale, tags, messages, turns, tool_calls, tool_fails, tokens, reasonings, media, created_at, flags, tools, measures, recorded, errors, exits, edited, edits, compression
ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;
DROP INDEX task_segments_facets;
CREATE INDEX task_segments_facets ON task_segments (
  place, start_line, id, verdict, stale, score, body, messages, turns, tool_calls, tool_fails, tokens, reasonings, media,
  task_type, cut_by, named, agent_id, recorded, created_at, flags, tools, measures, errors, exits, edited, edits, compression, topic, note, tags, reviewer, reviewed_at
);
