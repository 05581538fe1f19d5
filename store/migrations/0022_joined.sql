-- own counts the messages that a source gives of a session: each message is
-- given by one source, that which the session is named after if it has it.
-- joined: others do not hold all of it, so it is no copy of them.
ALTER TABLE raws ADD COLUMN own INTEGER NOT NULL DEFAULT 0;
ALTER TABLE raws ADD COLUMN joined INTEGER NOT NULL DEFAULT 0;
UPDATE raws SET joined = EXISTS (SELECT 1 FROM copies c WHERE c.source_id = raws.source_id AND c.key = raws.key)
  AND EXISTS (SELECT 1 FROM pieces p JOIN trajectory_records r ON r.id = p.session_id
    WHERE p.source_id = raws.source_id AND p.key = raws.key AND r.gathered
    AND NOT EXISTS (SELECT 1 FROM pieces h WHERE h.session_id = p.session_id AND h.source_id = r.source_id
      AND h.at <= p.at AND h.at + h.messages >= p.at + p.messages));
UPDATE raws SET own = (SELECT sum(p.messages) FROM pieces p WHERE p.source_id = raws.source_id AND p.key = raws.key)
  WHERE joined OR NOT EXISTS (SELECT 1 FROM copies c WHERE c.source_id = raws.source_id AND c.key = raws.key);
