-- Who does what on the database at the moment, so that no two programs ask a model
-- the same. No change of content.version: nobody has to read anything again for it.
CREATE TABLE leases (
  name   TEXT    PRIMARY KEY NOT NULL,
  token  TEXT    NOT NULL,
  holder TEXT    NOT NULL,
  taken  INTEGER NOT NULL, -- milliseconds since 1970
  until  INTEGER NOT NULL
) WITHOUT ROWID;

-- What "winnow run" did, cycle by cycle. Nor does this change content.version.
CREATE TABLE cycles (
  id     INTEGER   PRIMARY KEY AUTOINCREMENT,
  began  TIMESTAMP NOT NULL,
  ended  TIMESTAMP,
  holder TEXT      NOT NULL
);
CREATE INDEX cycles_open ON cycles (id) WHERE ended IS NULL;
CREATE TABLE cycle_steps (
  cycle_id   INTEGER   NOT NULL,
  step       TEXT      NOT NULL,
  status     TEXT      NOT NULL CHECK (status IN ('running', 'done', 'partly', 'waiting', 'failed', 'skipped')),
  began      TIMESTAMP NOT NULL,
  ended      TIMESTAMP,
  todo       INTEGER   NOT NULL,
  done       INTEGER   NOT NULL,
  failed     INTEGER   NOT NULL,
  tokens_in  INTEGER   NOT NULL,
  tokens_out INTEGER   NOT NULL,
  cost       REAL      NOT NULL,
  note       TEXT      NOT NULL,
  PRIMARY KEY (cycle_id, step)
) WITHOUT ROWID;
CREATE INDEX cycle_steps_began ON cycle_steps (began, cost);
CREATE INDEX cycle_steps_step ON cycle_steps (step, status, ended);

-- What failed for reasons of its own, and when it is tried again. input tells content,
-- model and prompt: with others it is tried at once.
CREATE TABLE attempts (
  kind  TEXT    NOT NULL, -- the step
  key   TEXT    NOT NULL, -- id of a session or segment
  input TEXT    NOT NULL,
  tries INTEGER NOT NULL,
  next  INTEGER NOT NULL, -- milliseconds since 1970; 0: not before something changes
  error TEXT    NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
