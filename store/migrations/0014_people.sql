-- How often what is kept here was changed, but for what this file adds: what
-- somebody reads, or how their screen looked, is nothing that others must read
-- everything again for.
CREATE TABLE content (
  only    INTEGER PRIMARY KEY CHECK (only = 1),
  version INTEGER NOT NULL
);
INSERT INTO content (only, version) VALUES (1, 1);

-- What the screens that are open show, so that no two curators are led to the
-- same segment: each has what it reads and what it goes on to. A claim that is
-- over is as good as none, and leaves with the next one that is made.
CREATE TABLE claims (
  program    TEXT    NOT NULL, -- a run of the program
  next       INTEGER NOT NULL, -- 1: what it goes on to
  segment_id TEXT    NOT NULL,
  curator    TEXT    NOT NULL,
  until      INTEGER NOT NULL, -- milliseconds since 1970
  PRIMARY KEY (program, next)
) WITHOUT ROWID;

-- How a curator's screen looked when they left it.
CREATE TABLE screens (
  curator TEXT      PRIMARY KEY,
  at      TIMESTAMP NOT NULL,
  state   TEXT      NOT NULL -- a JSON object
) WITHOUT ROWID;

-- What curators said when decided segments were shown to them once more without
-- the verdict.
CREATE TABLE rechecks (
  id          INTEGER   PRIMARY KEY AUTOINCREMENT,
  run         TEXT      NOT NULL, -- answers given in one go have the same
  at          TIMESTAMP NOT NULL,
  curator     TEXT      NOT NULL,
  segment_id  TEXT      NOT NULL,
  fingerprint TEXT      NOT NULL, -- of what was answered on
  was         TEXT      NOT NULL CHECK (was IN ('approved', 'rejected', 'unsure')),
  was_by      TEXT      NOT NULL,
  answer      TEXT      NOT NULL CHECK (answer IN ('approved', 'rejected', 'unsure')),
  UNIQUE (run, segment_id)
);
