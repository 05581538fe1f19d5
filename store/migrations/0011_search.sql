-- The text index. A row of passages holds the words of a few consecutive
-- messages; its rowid says which, see the program. Words come folded and cut, so
-- that the cheapest tokenizer will do.
CREATE VIRTUAL TABLE passages USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
-- A transaction of the filling is merged with others late and little by little:
-- 64 at once, so that nothing is written more than twice per gigabyte.
INSERT INTO passages (passages, rank) VALUES ('automerge', 64), ('crisismerge', 500), ('hashsize', 8388608);

-- Messages 1 to `stored` of a body are there, 1 to `indexed` can be found, and of
-- the one behind them the first `part` parts; -1: nothing, but what comes belongs
-- to the last passage. `changed` is the number of the
-- import transaction that wrote messages last. `outdated` says that there may
-- be passages of messages behind `indexed` as they were before.
ALTER TABLE bodies ADD COLUMN stored   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bodies ADD COLUMN indexed  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bodies ADD COLUMN part     INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bodies ADD COLUMN changed  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bodies ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0 CHECK (outdated IN (0, 1));
UPDATE bodies SET stored = coalesce((SELECT last FROM chunks WHERE chunks.id BETWEEN bodies.id << 32 AND (bodies.id + 1 << 32) - 1 ORDER BY chunks.id DESC LIMIT 1), 0)
  WHERE dropped = 0;
CREATE INDEX bodies_unindexed ON bodies (id) WHERE indexed < stored AND dropped = 0;
CREATE INDEX bodies_outdated ON bodies (id, indexed) WHERE outdated = 1;
