-- Entries by what they undid, gave again or set aside, and what each curator
-- undid in its order; boundaries by session.
CREATE INDEX journal_target ON journal (target) WHERE target > 0;
CREATE INDEX journal_undos ON journal (curator, id) WHERE action = 'undo';
CREATE INDEX journal_recuts_session ON journal_recuts (session_id, entry);
