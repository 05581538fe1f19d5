-- What sessions and their segments stand in natural order by (review.PlaceOf);
-- '' where it is to be made, which every transaction sees to at its end.
ALTER TABLE trajectory_records ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE task_segments      ADD COLUMN place TEXT NOT NULL DEFAULT '';
DROP INDEX task_segments_facets;
DROP INDEX trajectory_records_facets;
CREATE INDEX trajectory_records_unplaced ON trajectory_records (id) WHERE place = '';
