-- The rechecks of a curator in the order they were answered.
CREATE INDEX rechecks_curator ON rechecks (curator, id);
