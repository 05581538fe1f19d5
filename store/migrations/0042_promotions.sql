-- What entries of the journal did to runs: whether their result is the one to use, and
-- what is noted of that.
CREATE TABLE journal_promotions (
  entry  INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  run_id INTEGER NOT NULL,
  before TEXT    NOT NULL,
  after  TEXT    NOT NULL,
  PRIMARY KEY (entry, n)
) WITHOUT ROWID;
CREATE INDEX journal_promotions_run ON journal_promotions (run_id, entry);
