package lineage

// Compression tells which of the samples of a shortened segment one is, and what is
// left out of it.
type Compression struct {
	Sample  int `json:"sample"`  // from 0
	Samples int `json:"samples"` // that the segment makes
	// Left are the messages that texts stand for in this sample, in their order.
	Left []Left `json:"left,omitempty"`
	// OffContext counts the answers that are trained after something that was left
	// out: they were given in another context.
	OffContext int `json:"off_context,omitzero"`
	// Dropped counts the answers of the segment that no sample has.
	Dropped int `json:"dropped,omitzero"`

	// Before and After are tokens of the whole conversation and of the last sample,
	// which may be Over the Target.
	Before    int    `json:"tokens_before"`
	After     int    `json:"tokens_after"`
	Target    int    `json:"target"`
	Over      bool   `json:"over,omitzero"`
	Counter   string `json:"counter"`
	Strategy  string `json:"strategy"`
	Form      string `json:"form"`
	Model     string `json:"model,omitzero"`  // that wrote summaries
	Prompt    string `json:"prompt,omitzero"` // version of what it was asked
	Hindsight bool   `json:"hindsight,omitzero"`
	Changed   bool   `json:"changed,omitzero"` // by a curator

	// Status is that of the proposal; Judge accepted it at Judged, RFC 3339 UTC.
	Status string `json:"status"`
	Judge  string `json:"judge,omitzero"`
	Judged string `json:"judged,omitzero"`
}

// Left are messages that a text stands for.
type Left struct {
	// From and To are the numbers of the first and the last one; 0: they are not of
	// the session itself.
	From     int    `json:"from,omitzero"`
	To       int    `json:"to,omitzero"`
	Messages int    `json:"messages"`
	Tokens   int    `json:"tokens"` // of the messages
	Cost     int    `json:"cost"`   // of the text
	By       string `json:"by"`     // "summary", or "cleared" of a result of a tool
	Role     string `json:"role"`   // of the message that the text is
}

// Public is what may be told where the names of people are not.
func (c Compression) Public() *Compression {
	c.Judge, c.Judged = "", ""
	return &c
}
