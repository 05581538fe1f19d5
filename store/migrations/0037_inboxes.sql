-- Which inbox an upload went to, by its folder: what is not imported yet is the matter
-- of who has that one. '' is of before, and is anybody's.
ALTER TABLE ingests ADD COLUMN inbox TEXT NOT NULL DEFAULT '';
