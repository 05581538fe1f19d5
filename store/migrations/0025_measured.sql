-- Metrics measure otherwise: what has an analysis is to be scored anew. Until
-- then it keeps that one, and what a model said stays in the new one.
UPDATE task_segments SET labeled = 0 WHERE labeled = 1;
