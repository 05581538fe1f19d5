-- What is in an analysis, as lists filter by it: written in the same statement
-- as quality_metrics, always by derive. flags is "\nname\nname\n", tools
-- "\nname\tcount\tfailures\n…" ('' none), measures two bytes for each metric:
-- its score in ten-thousandths, 0xFFFF where it does not apply. recorded is
-- when the first message with a time was written.
ALTER TABLE task_segments ADD COLUMN flags    TEXT NOT NULL DEFAULT '';
ALTER TABLE task_segments ADD COLUMN tools    TEXT NOT NULL DEFAULT '';
ALTER TABLE task_segments ADD COLUMN measures BLOB;
ALTER TABLE task_segments ADD COLUMN recorded TEXT;
-- What lists are sorted by as a date, and what texts are searched in. lower()
-- folds ASCII only; a search for other letters folds those that it looks for.
ALTER TABLE task_segments ADD COLUMN dated     TEXT NOT NULL GENERATED ALWAYS AS (coalesce(recorded, created_at)) VIRTUAL;
ALTER TABLE task_segments ADD COLUMN topic_key TEXT NOT NULL GENERATED ALWAYS AS (lower(topic)) VIRTUAL;
ALTER TABLE task_segments ADD COLUMN note_key  TEXT NOT NULL GENERATED ALWAYS AS (lower(note)) VIRTUAL;
ALTER TABLE trajectory_records ADD COLUMN file_key  TEXT NOT NULL GENERATED ALWAYS AS (lower(session_file)) VIRTUAL;
ALTER TABLE trajectory_records ADD COLUMN model_key TEXT NOT NULL GENERATED ALWAYS AS (lower(model)) VIRTUAL;

DROP INDEX task_segments_date;
DROP INDEX task_segments_stale_date;
CREATE INDEX task_segments_date       ON task_segments (verdict, dated, id);
CREATE INDEX task_segments_stale_date ON task_segments (verdict, dated, id) WHERE stale = 1;

-- Segments of messages.
CREATE INDEX task_segments_body ON task_segments (body, start_line);
-- What is to be scored.
CREATE INDEX task_segments_unscored ON task_segments (body, start_line) WHERE labeled = 0;

-- All that filters ask for, without the text of the rows: any question about all
-- segments is one walk through this.
CREATE INDEX task_segments_facets ON task_segments (
  body, start_line, verdict, stale, score, score_key, task_type, cut_by, named, agent_id, messages, turns, tool_calls, tool_fails, tokens,
  reasonings, media, recorded, dated, reviewed_at, reviewer, tags, flags, tools, measures, topic_key, note_key, session_file, id
);
-- And of their sessions.
CREATE INDEX trajectory_records_facets ON trajectory_records (body, format, model, model_key, file_key, id);
DROP INDEX trajectory_records_uncut;
CREATE INDEX trajectory_records_uncut ON trajectory_records (session_file, id, messages, tokens, body) WHERE segmented = 0;
