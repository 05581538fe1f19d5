-- Whose messages a sample is of: what was held back is held back with its session, as an
-- edit or another cut makes another content of nearly the same words.
ALTER TABLE run_samples ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
UPDATE run_samples SET session_id = coalesce((SELECT s.session_id FROM task_segments s WHERE s.id = run_samples.segment_id), '');
CREATE INDEX run_samples_shut ON run_samples (session_id) WHERE split <> 'train';
DROP INDEX task_segments_train;
CREATE INDEX task_segments_train ON task_segments (fingerprint, detail, edited, session_id) WHERE verdict = 'approved' AND stale = 0;
