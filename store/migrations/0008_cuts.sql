-- named: the topic is a curator's. was_body, was_start and was_end are where the
-- messages lie that the old verdict of a stale segment was given on; 0 unknown.
ALTER TABLE task_segments ADD COLUMN named     INTEGER NOT NULL DEFAULT 0 CHECK (named IN (0, 1));
ALTER TABLE task_segments ADD COLUMN was_body  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_segments ADD COLUMN was_start INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_segments ADD COLUMN was_end   INTEGER NOT NULL DEFAULT 0;
CREATE INDEX task_segments_was ON task_segments (was_body) WHERE was_body > 0;

-- Sessions to be segmented, with what is counted of them.
CREATE INDEX trajectory_records_uncut ON trajectory_records (session_file, id, messages, tokens) WHERE segmented = 0;

-- What curators did to boundaries and topics. before and after are JSON lists of
-- whole rows of task_segments that cover the same messages: those that are not
-- there wait here, as they were when they left, to be brought back. The numbers
-- are the session's at that time, rest is a sum of the fingerprints of its other
-- segments.
CREATE TABLE journal_recuts (
  entry            INTEGER PRIMARY KEY REFERENCES journal (id),
  session_id       TEXT    NOT NULL,
  session_file     TEXT    NOT NULL,
  body             INTEGER NOT NULL,
  messages         INTEGER NOT NULL,
  segmented_before INTEGER NOT NULL,
  segmented_after  INTEGER NOT NULL,
  held_before      INTEGER NOT NULL,
  held_after       INTEGER NOT NULL,
  settled_before   BLOB,
  settled_after    BLOB,
  rest             TEXT    NOT NULL,
  before           TEXT    NOT NULL,
  after            TEXT    NOT NULL
);
