-- Whether a model looked at what a segment holds. 0 does not say that none did: that is
-- looked up by the content.
ALTER TABLE task_segments ADD COLUMN memory_asked INTEGER NOT NULL DEFAULT 0;
-- What nobody looked at, and what perhaps no model did, in the order of the messages.
CREATE INDEX task_segments_unlearned ON task_segments (body, start_line) WHERE memory_extracted = 0;
CREATE INDEX task_segments_unasked ON task_segments (body, start_line) WHERE memory_asked = 0;
-- How many messages were asked about, where an answer is missing of those after them: the
-- content is not done. 0: it is.
ALTER TABLE extractions ADD COLUMN upto INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER memory_extracted_content;
CREATE TRIGGER memory_extracted_content AFTER UPDATE OF fingerprint, detail, edited ON task_segments
WHEN OLD.memory_extracted + OLD.memory_asked > 0 AND (OLD.fingerprint, OLD.detail, OLD.edited) <> (NEW.fingerprint, NEW.detail, NEW.edited) BEGIN
  UPDATE task_segments SET memory_extracted = 0, memory_asked = 0 WHERE id = NEW.id;
END;
