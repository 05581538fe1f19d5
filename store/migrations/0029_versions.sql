-- What the journal says of the messages of one session.
CREATE INDEX journal_edits_session ON journal_edits (session_id, entry);

-- Sessions that begin with the same question.
CREATE INDEX trajectory_records_opening ON trajectory_records (opening, id) WHERE opening <> 0;
