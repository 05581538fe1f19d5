-- Edits that wait, which are counted after each import.
CREATE INDEX edits_clash ON edits (body, n) WHERE clash = 1;
