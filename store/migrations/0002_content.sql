-- What a change was made on: a verdict never comes back onto other content.
-- '' is unknown.
ALTER TABLE journal_changes ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';
ALTER TABLE journal_changes ADD COLUMN detail TEXT NOT NULL DEFAULT '';
-- Where the messages of a judged segment that left are kept; NULL for other
-- changes.
ALTER TABLE journal_changes ADD COLUMN body INTEGER;
ALTER TABLE journal_changes ADD COLUMN start_line INTEGER;
ALTER TABLE journal_changes ADD COLUMN end_line INTEGER;
CREATE INDEX journal_changes_body ON journal_changes (body) WHERE body IS NOT NULL;

-- dropped: 1 for a body that nothing refers to any more, whose messages are
-- being deleted; 2 when they are.
ALTER TABLE bodies ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
CREATE INDEX bodies_dropped ON bodies (id) WHERE dropped = 1;
-- Where segments left that were judged, nobody wrote down where they lay.
UPDATE bodies SET dropped = 1 WHERE id NOT IN (SELECT body FROM trajectory_records)
  AND NOT EXISTS (SELECT 1 FROM journal WHERE action = 'retire');
