-- Metrics measure otherwise: what has an analysis is to be scored anew. Until
-- then it keeps that one, and what a model said stays in the new one. Two metrics
-- stand before those that a model adds; of what was scored nobody measured them.
DROP TRIGGER segment_changes_update;
UPDATE task_segments SET labeled = 0 WHERE labeled = 1;
UPDATE task_segments SET measures = CAST(substr(measures, 1, 16) || x'FFFFFFFF' || substr(measures, 17) AS BLOB) WHERE length(measures) = 26;
CREATE TRIGGER segment_changes_update AFTER UPDATE OF id, agent_id, session_file, body, start_line, topic, named, cut_by, score, task_type,
  stale, tags, messages, turns, tool_calls, tool_fails, tokens, reasonings, media, created_at, flags, tools, measures, recorded, errors, exits
ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;
