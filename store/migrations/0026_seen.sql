-- Which messages curators have seen on the screen: ranges of their numbers that
-- neither overlap nor touch. It is kept by the place of messages, so that a cut
-- changes nothing of it.
CREATE TABLE seen (
  body    INTEGER NOT NULL,
  curator TEXT    NOT NULL,
  first   INTEGER NOT NULL CHECK (first >= 1),
  last    INTEGER NOT NULL CHECK (last >= first),
  PRIMARY KEY (body, curator, first)
) WITHOUT ROWID;

-- What is not a body any more nobody has seen.
CREATE TRIGGER seen_bodies_drop AFTER UPDATE OF dropped ON bodies WHEN NEW.dropped > 0 BEGIN
  DELETE FROM seen WHERE body = NEW.id;
END;

CREATE TRIGGER seen_bodies_delete AFTER DELETE ON bodies BEGIN
  DELETE FROM seen WHERE body = OLD.id;
END;

-- What is kept in memory has it, too.
CREATE TRIGGER seen_changes_insert AFTER INSERT ON seen BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments INDEXED BY task_segments_body
  WHERE body = NEW.body AND start_line <= NEW.last AND start_line + messages > NEW.first;
END;

CREATE TRIGGER seen_changes_update AFTER UPDATE ON seen BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments INDEXED BY task_segments_body
  WHERE body = NEW.body AND start_line <= max(OLD.last, NEW.last) AND start_line + messages > min(OLD.first, NEW.first);
END;

CREATE TRIGGER seen_changes_delete AFTER DELETE ON seen BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments INDEXED BY task_segments_body
  WHERE body = OLD.body AND start_line <= OLD.last AND start_line + messages > OLD.first;
END;
