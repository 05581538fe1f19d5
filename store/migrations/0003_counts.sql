-- A program for each of ten thousand rows takes longer than changing them: a
-- statement that gives verdicts and leaves `stale` alone keeps the counts by
-- itself. All others are counted here.
DROP TRIGGER segment_counts_update;
CREATE TRIGGER segment_counts_update AFTER UPDATE OF stale, score, labeled, memory_extracted, messages ON task_segments
WHEN NEW.verdict <> OLD.verdict OR NEW.stale <> OLD.stale OR NEW.score IS NOT OLD.score OR NEW.labeled <> OLD.labeled
  OR NEW.memory_extracted <> OLD.memory_extracted OR NEW.messages <> OLD.messages
BEGIN
  UPDATE segment_counts SET segments = segments - 1, labeled = labeled - OLD.labeled,
    memory = memory - OLD.memory_extracted, messages = messages - OLD.messages,
    score_sum = score_sum - CAST(round(coalesce(OLD.score, 0) * 10000) AS INTEGER)
  WHERE verdict = OLD.verdict AND stale = OLD.stale
    AND bucket = iif(OLD.score IS NULL, -1, min(19, CAST(round(OLD.score * 10000) AS INTEGER) / 500));
  INSERT INTO segment_counts VALUES (NEW.verdict,
    iif(NEW.score IS NULL, -1, min(19, CAST(round(NEW.score * 10000) AS INTEGER) / 500)), NEW.stale,
    1, NEW.labeled, NEW.memory_extracted, NEW.messages, CAST(round(coalesce(NEW.score, 0) * 10000) AS INTEGER))
  ON CONFLICT DO UPDATE SET segments = segments + 1, labeled = labeled + excluded.labeled,
    memory = memory + excluded.memory, messages = messages + excluded.messages, score_sum = score_sum + excluded.score_sum;
END;
