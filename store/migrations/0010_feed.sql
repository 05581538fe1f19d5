-- What changed, so that what is kept in memory is brought up to date without
-- reading everything: the rowid of a row of task_segments that was added,
-- changed or deleted, that of trajectory_records with a minus, or 0 for what can
-- be found by its text. The newest rows stay; see Store.trimChanges.
CREATE TABLE segment_changes (
  seq INTEGER PRIMARY KEY,
  row INTEGER NOT NULL
);

CREATE TRIGGER segment_changes_insert AFTER INSERT ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;

CREATE TRIGGER segment_changes_delete AFTER DELETE ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (OLD.rowid);
END;

-- A statement that gives verdicts or notes and leaves `stale` alone adds its
-- rows by itself, as it keeps segment_counts.
CREATE TRIGGER segment_changes_update AFTER UPDATE OF id, agent_id, session_file, body, start_line, topic, named, cut_by, score, task_type,
  stale, tags, messages, turns, tool_calls, tool_fails, tokens, reasonings, media, created_at, flags, tools, measures, recorded
ON task_segments BEGIN
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;

CREATE TRIGGER session_changes_insert AFTER INSERT ON trajectory_records BEGIN
  INSERT INTO segment_changes (row) VALUES (-NEW.rowid);
END;

CREATE TRIGGER session_changes_delete AFTER DELETE ON trajectory_records BEGIN
  INSERT INTO segment_changes (row) VALUES (-OLD.rowid);
END;

CREATE TRIGGER session_changes_update AFTER UPDATE OF id, body, session_file, format, model ON trajectory_records BEGIN
  INSERT INTO segment_changes (row) VALUES (-NEW.rowid);
END;

CREATE TRIGGER copy_changes_insert AFTER INSERT ON copies BEGIN
  INSERT INTO segment_changes (row) SELECT -rowid FROM trajectory_records WHERE id = NEW.session_id;
END;

CREATE TRIGGER copy_changes_delete AFTER DELETE ON copies BEGIN
  INSERT INTO segment_changes (row) SELECT -rowid FROM trajectory_records WHERE id = OLD.session_id;
END;

CREATE TRIGGER copy_changes_update AFTER UPDATE OF session_id ON copies BEGIN
  INSERT INTO segment_changes (row) SELECT -rowid FROM trajectory_records WHERE id IN (OLD.session_id, NEW.session_id);
END;

CREATE TRIGGER text_changes_update AFTER UPDATE ON bodies BEGIN
  INSERT INTO segment_changes (row) VALUES (0);
END;
