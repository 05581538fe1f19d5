-- Compactions: from message n on the model saw what was kept of those before, as runs
-- of numbers, '1-1,57-63', '' none of them; NULL is not recorded. Of what was
-- imported before nobody wrote it down.
CREATE TABLE contexts (
  body  INTEGER NOT NULL,
  n     INTEGER NOT NULL,
  keeps TEXT,
  PRIMARY KEY (body, n)
) WITHOUT ROWID;
INSERT INTO contexts (body, n) SELECT id >> 32, id & 4294967295 FROM messages WHERE flags & 64 AND id & 4294967295;
