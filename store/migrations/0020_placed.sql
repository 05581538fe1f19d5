-- A session that got another name, or other messages, may stand elsewhere.
CREATE TRIGGER session_unplaced AFTER UPDATE OF session_file, body ON trajectory_records
WHEN NEW.session_file <> OLD.session_file OR NEW.body <> OLD.body BEGIN
  UPDATE trajectory_records SET place = '' WHERE id = NEW.id;
END;

DROP TRIGGER session_changes_update;
CREATE TRIGGER session_changes_update AFTER UPDATE OF id, body, session_file, place, format, model ON trajectory_records BEGIN
  INSERT INTO segment_changes (row) VALUES (-NEW.rowid);
END;

CREATE INDEX trajectory_records_place ON trajectory_records (place, id);
-- As before, with the place of a session instead of its name.
CREATE INDEX task_segments_facets ON task_segments (
  place, start_line, id, verdict, stale, score, body, messages, turns, tool_calls, tool_fails, tokens, reasonings, media,
  task_type, cut_by, named, agent_id, recorded, created_at, flags, tools, measures, topic, note, tags, reviewer, reviewed_at
);
DROP INDEX trajectory_records_uncut;
CREATE INDEX trajectory_records_uncut ON trajectory_records (session_file, id, messages, tokens, body, place) WHERE segmented = 0;
CREATE INDEX trajectory_records_facets ON trajectory_records (body, format, model, session_file, place, id);
