-- Of a tool message flags have 1 and its outcome from bit 20 on (2 bits: 1 ok, 2
-- exit, 3 error), and evidence says why; 0 where it is not known, until the
-- segment is scored anew.
ALTER TABLE messages ADD COLUMN evidence TEXT;

-- Tool results by outcome, as derive reads them from an analysis. Until that
-- knows outcomes, what the recorder says failed is an error.
ALTER TABLE task_segments ADD COLUMN errors INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task_segments ADD COLUMN exits  INTEGER NOT NULL DEFAULT 0;

-- What lists are sorted by as failures.
ALTER TABLE task_segments ADD COLUMN failed INTEGER GENERATED ALWAYS AS (errors + exits) VIRTUAL;
DROP INDEX task_segments_failures;
CREATE INDEX task_segments_failures ON task_segments (failed, id);

DROP TRIGGER segment_changes_update;
UPDATE task_segments SET errors = tool_fails WHERE tool_fails > 0;
CREATE TRIGGER segment_changes_update AFTER UPDATE OF id, agent_id, session_file, body, start_line, topic, named, cut_by, score, task_type,
  stale, tags, messages, turns, tool_calls, tool_fails, tokens, reasonings, media, created_at, flags, tools, measures, recorded, errors, exits
ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;

-- As before, with both.
DROP INDEX task_segments_facets;
CREATE INDEX task_segments_facets ON task_segments (
  place, start_line, id, verdict, stale, score, body, messages, turns, tool_calls, tool_fails, tokens, reasonings, media,
  task_type, cut_by, named, agent_id, recorded, created_at, flags, tools, measures, errors, exits, topic, note, tags, reviewer, reviewed_at
);
