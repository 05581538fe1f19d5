-- How likely a curator would approve segments, by what was learned from verdicts:
-- 0.01 to 0.99. It is no column of task_segments, as all of it may change with a
-- verdict, and rows are long.
CREATE TABLE likely (
  segment TEXT PRIMARY KEY NOT NULL, -- id
  value   REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX likely_value ON likely (value, segment);
-- What was learned, one row at most: made tells the verdicts and facts that it was
-- made of, told the last change of segments that likely knows. off: a curator wants
-- none of it.
CREATE TABLE learned (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  at    TEXT    NOT NULL,
  whose TEXT    NOT NULL, -- curator, '' for all
  made  TEXT    NOT NULL,
  told  INTEGER NOT NULL,
  off   INTEGER NOT NULL,
  model TEXT    NOT NULL  -- JSON
);

CREATE TRIGGER likely_segments_delete AFTER DELETE ON task_segments BEGIN
  DELETE FROM likely WHERE segment = OLD.id;
END;

-- What is kept in memory has it, too.
CREATE TRIGGER likely_changes_insert AFTER INSERT ON likely BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments WHERE id = NEW.segment;
END;

CREATE TRIGGER likely_changes_update AFTER UPDATE OF value ON likely WHEN NEW.value <> OLD.value BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments WHERE id = NEW.segment;
END;

CREATE TRIGGER likely_changes_delete AFTER DELETE ON likely BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments WHERE id = OLD.segment;
END;
