-- What trained on what. Nothing here changes content.version. command is a record:
-- nothing is ever executed from it.
CREATE TABLE runs (
  id              INTEGER   PRIMARY KEY AUTOINCREMENT,
  created_at      TIMESTAMP NOT NULL,
  started_at      TIMESTAMP,
  ended_at        TIMESTAMP,
  curator         TEXT      NOT NULL,
  cause           TEXT      NOT NULL,
  backend         TEXT      NOT NULL,
  status          TEXT      NOT NULL CHECK (status IN ('exporting', 'uploading', 'queued', 'running', 'evaluating', 'succeeded', 'failed', 'cancelled', 'lost')),
  base_model      TEXT      NOT NULL,
  parent          INTEGER   REFERENCES runs (id),
  export_id       INTEGER   REFERENCES exports (id),
  manifest_sha256 TEXT      NOT NULL,
  samples         INTEGER   NOT NULL,
  new_samples     INTEGER   NOT NULL,
  validation      INTEGER   NOT NULL,
  tokens          INTEGER   NOT NULL,
  params          TEXT      NOT NULL, -- a JSON object, as remote and metrics are
  command         TEXT      NOT NULL, -- a JSON list
  host            TEXT      NOT NULL,
  remote          TEXT      NOT NULL,
  pid             INTEGER,
  pid_began       INTEGER,
  exit            INTEGER,
  result_model    TEXT      NOT NULL,
  checkpoint      TEXT      NOT NULL,
  metrics         TEXT      NOT NULL,
  cost            REAL,
  error           TEXT      NOT NULL,
  note            TEXT      NOT NULL,
  promoted_at     TIMESTAMP,
  promoted_by     TEXT
);
CREATE INDEX runs_status ON runs (status, id);

-- detail is all of a content's digest: fingerprint, detail and edited of a segment, one
-- after the other.
CREATE TABLE run_samples (
  run_id      INTEGER NOT NULL,
  detail      TEXT    NOT NULL,
  segment_id  TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  split       TEXT    NOT NULL,
  model       TEXT    NOT NULL, -- that wrote it, '' unknown
  PRIMARY KEY (run_id, detail)
) WITHOUT ROWID;
CREATE INDEX run_samples_train ON run_samples (detail, run_id) WHERE split = 'train';
CREATE INDEX run_samples_held ON run_samples (detail) WHERE split <> 'train';

CREATE TABLE run_points (
  run_id INTEGER NOT NULL,
  step   INTEGER NOT NULL,
  name   TEXT    NOT NULL,
  value  REAL    NOT NULL,
  PRIMARY KEY (run_id, name, step)
) WITHOUT ROWID;

CREATE TABLE run_evals (
  run_id  INTEGER NOT NULL,
  subject TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  value   REAL    NOT NULL,
  n       INTEGER NOT NULL,
  PRIMARY KEY (run_id, subject, name)
) WITHOUT ROWID;

-- Which run made the models that sessions name.
CREATE TABLE model_names (
  name   TEXT    PRIMARY KEY NOT NULL,
  run_id INTEGER NOT NULL
) WITHOUT ROWID;

-- The contents that could train.
CREATE INDEX task_segments_train ON task_segments (fingerprint, detail, edited) WHERE verdict = 'approved' AND stale = 0;
