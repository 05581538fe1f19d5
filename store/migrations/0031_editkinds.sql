-- What the edits over a segment are for, as bits: 1 fix, 2 redact, 4 squash, and 8
-- for those that wait because the recorded message is another one by now.
ALTER TABLE task_segments ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;
UPDATE task_segments SET edits = coalesce((
  SELECT sum(DISTINCT CASE WHEN e.clash THEN 8 WHEN e.why = 'fix' THEN 1 WHEN e.why = 'redact' THEN 2 ELSE 4 END)
  FROM edits e WHERE e.body = task_segments.body AND e.n BETWEEN start_line - (start_line = 1) AND end_line), 0)
WHERE body IN (SELECT id FROM bodies WHERE edits > 0);

-- Lists are filtered by it.
DROP TRIGGER segment_changes_update;
CREATE TRIGGER segment_changes_update AFTER UPDATE OF id, agent_id, session_file, body, start_line, topic, named, cut_by, score, task_type,
  stale, tags, messages, turns, tool_calls, tool_fails, tokens, reasonings, media, created_at, flags, tools, measures, recorded, errors, exits, edited, edits
ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;
DROP INDEX task_segments_facets;
CREATE INDEX task_segments_facets ON task_segments (
  place, start_line, id, verdict, stale, score, body, messages, turns, tool_calls, tool_fails, tokens, reasonings, media,
  task_type, cut_by, named, agent_id, recorded, created_at, flags, tools, measures, errors, exits, edited, edits, topic, note, tags, reviewer, reviewed_at
);
