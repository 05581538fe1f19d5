-- Messages that a curator does not want to be trained, by their place in the
-- segment from 1: "2,5". They are part of what was said of its content.
ALTER TABLE task_segments ADD COLUMN masked TEXT NOT NULL DEFAULT '';
