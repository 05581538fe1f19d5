-- What an entry is for in the curator's words; edits have it.
ALTER TABLE journal ADD COLUMN note TEXT NOT NULL DEFAULT '';
