-- What is in an analysis, as lists filter by it: written in the same statement
-- as quality_metrics, always by derive. flags is "\nname\nname\n", tools
-- "\nname\tcount\tfailures\n…" ('' none), measures two bytes for each metric:
-- its score in ten-thousandths, 0xFFFF where it does not apply. recorded is
-- when the first message with a time was written.
ALTER TABLE task_segments ADD COLUMN flags    TEXT NOT NULL DEFAULT '';
ALTER TABLE task_segments ADD COLUMN tools    TEXT NOT NULL DEFAULT '';
ALTER TABLE task_segments ADD COLUMN measures BLOB;
ALTER TABLE task_segments ADD COLUMN recorded TEXT;
-- What lists are sorted by as a date.
ALTER TABLE task_segments ADD COLUMN dated TEXT GENERATED ALWAYS AS (coalesce(recorded, created_at)) VIRTUAL;

-- One index per order. No verdict is in them: judging ten thousand segments
-- would move ten thousand entries of each.
DROP INDEX task_segments_natural;
DROP INDEX task_segments_date;
DROP INDEX task_segments_score;
DROP INDEX task_segments_tokens;
DROP INDEX task_segments_stale_natural;
DROP INDEX task_segments_stale_date;
DROP INDEX task_segments_stale_score;
DROP INDEX task_segments_stale_tokens;
CREATE INDEX task_segments_date     ON task_segments (dated, id);
CREATE INDEX task_segments_score    ON task_segments (score_key, id);
CREATE INDEX task_segments_tokens   ON task_segments (tokens, id);
CREATE INDEX task_segments_length   ON task_segments (messages, id);
CREATE INDEX task_segments_failures ON task_segments (tool_fails, id);

-- Segments of messages.
CREATE INDEX task_segments_body ON task_segments (body, start_line);
-- What is to be scored.
CREATE INDEX task_segments_unscored ON task_segments (body, start_line) WHERE labeled = 0;

-- All that filters ask for, without the text of the rows, in natural order: any
-- question about all segments is one walk through this. It has neither generated
-- columns, which SQLite does not take from an index, nor expressions, for which
-- it saves a copy of each page that a verdict changes.
CREATE INDEX task_segments_facets ON task_segments (
  session_file, start_line, id, verdict, stale, score, body, messages, turns, tool_calls, tool_fails, tokens, reasonings, media,
  task_type, cut_by, named, agent_id, recorded, created_at, flags, tools, measures, topic, note, tags, reviewer, reviewed_at
);
-- And of their sessions.
CREATE INDEX trajectory_records_facets ON trajectory_records (body, format, model, session_file, id);

DROP INDEX trajectory_records_uncut;
CREATE INDEX trajectory_records_uncut ON trajectory_records (session_file, id, messages, tokens, body) WHERE segmented = 0;
