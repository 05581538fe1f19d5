package export

import "time"

// row is what is kept of a sample until all are known.
type row struct {
	sample      string // id
	session     string // id of its session
	agent       string
	sessionFile string
	created     time.Time // when the session came into the database
	score       *float64
	taskType    string
	tokens      int
	tools       []string // that it calls; nil unless the format wants to know those of all
}

// rowOf returns the row of a sample that is ready to be written.
func rowOf(w *work, _ *Options) row {
	return row{
		sample: w.sample.ID, session: w.session.ID, agent: w.segment.AgentID, sessionFile: w.segment.SessionFile,
		created: w.session.CreatedAt, score: w.segment.Score, taskType: w.segment.TaskType, tokens: w.facts.Tokens,
	}
}

// verdictOfRow says what becomes of a sample.
type verdictOfRow struct {
	left  Finding // why it is left out; without a Check it stays
	split string  // the part it goes to, "" without a split
}

// decides reports whether all samples must be known before one can be written.
func (o *Options) decides() bool {
	return o.Dedupe != DedupeNone || o.Balance.Even || o.Balance.Most > 0 || o.Balance.Shares != nil || len(o.Splits) > 0
}

// decide says what becomes of each sample.
func decide(rows []row, _ *Options) []verdictOfRow { return make([]verdictOfRow, len(rows)) }
