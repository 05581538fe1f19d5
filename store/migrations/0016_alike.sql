-- Which segments are alike. A content, told by its fingerprint, has one
-- signature (core/similar) whatever the number of segments that hold it; an
-- empty one if users and assistants say nothing in it.
CREATE TABLE signatures (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  fingerprint    TEXT    NOT NULL UNIQUE,
  signature BLOB    NOT NULL,
  cluster   INTEGER NOT NULL,           -- the smallest id of those alike, 0 for an empty one
  fresh     INTEGER NOT NULL DEFAULT 1, -- not compared with the others yet
  parted    INTEGER NOT NULL DEFAULT 0  -- a segment that held the content has it no more
);
CREATE INDEX signatures_cluster ON signatures (cluster, fingerprint) WHERE cluster > 0;
CREATE INDEX signatures_fresh ON signatures (id) WHERE fresh = 1;
CREATE INDEX signatures_parted ON signatures (id) WHERE parted = 1;
CREATE INDEX task_segments_fingerprint ON task_segments (fingerprint);

-- Segments whose content may have no signature yet, by their rowid.
CREATE TABLE unsigned (segment INTEGER PRIMARY KEY);
INSERT INTO unsigned SELECT rowid FROM task_segments;

CREATE TRIGGER unsigned_insert AFTER INSERT ON task_segments WHEN NOT EXISTS (SELECT 1 FROM signatures WHERE fingerprint = NEW.fingerprint) BEGIN
  INSERT OR IGNORE INTO unsigned VALUES (NEW.rowid);
END;

CREATE TRIGGER unsigned_delete AFTER DELETE ON task_segments BEGIN
  DELETE FROM unsigned WHERE segment = OLD.rowid;
  UPDATE signatures SET parted = 1 WHERE fingerprint = OLD.fingerprint;
END;

CREATE TRIGGER unsigned_update AFTER UPDATE OF fingerprint ON task_segments WHEN NEW.fingerprint <> OLD.fingerprint BEGIN
  INSERT OR IGNORE INTO unsigned SELECT NEW.rowid WHERE NOT EXISTS (SELECT 1 FROM signatures WHERE fingerprint = NEW.fingerprint);
  UPDATE signatures SET parted = 1 WHERE fingerprint = OLD.fingerprint;
  INSERT INTO segment_changes (row) VALUES (NEW.rowid);
END;

-- What is kept in memory has the clusters, too.
CREATE TRIGGER signature_changes_insert AFTER INSERT ON signatures BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments WHERE fingerprint = NEW.fingerprint;
END;

CREATE TRIGGER signature_changes_update AFTER UPDATE OF cluster ON signatures WHEN NEW.cluster <> OLD.cluster BEGIN
  INSERT INTO segment_changes (row) SELECT rowid FROM task_segments WHERE fingerprint = NEW.fingerprint;
END;
