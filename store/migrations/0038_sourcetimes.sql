-- When a source was added to its memory: what it quotes was not there to be read when
-- the memory was reviewed before. NULL is of before.
ALTER TABLE memory_sources ADD COLUMN added TIMESTAMP;
