package export

import "io"

// destination says which file a record goes to.
type destination struct {
	split string // name of the part of the data set, "" without a split
	part  int    // of the emitter's parts
}

// record is what one sample becomes.
type record struct {
	lines  []byte // rows lines of JSON, valid during the call
	rows   int
	tokens int // that the sample costs; 0: unknown
	origin origin
}

// origin tells where a sample comes from. It is what the manifest says of it.
type origin struct {
	Sample      string `json:"sample"`  // id
	Segment     string `json:"segment"` // id
	Fingerprint string `json:"fingerprint"`
	Source      string `json:"source"` // path
	SessionFile string `json:"session_file"`
	// Start and End are message numbers of the segment, Messages the numbers
	// of those in the sample, the first of each that were joined.
	Start    int   `json:"start"`
	End      int   `json:"end"`
	Messages []int `json:"messages"`
	// Masked numbers the messages of the segment that a curator switched off.
	Masked []int `json:"masked,omitzero"`
	// FirstLine and LastLine are those of the source on which the values with
	// the first and the last message begin, elements of an array on their own;
	// 0: unknown. Where a value ends is not recorded, so that only a source
	// whose name says that each line is a value has a LastLine.
	FirstLine  int64    `json:"first_line,omitzero"`
	LastLine   int64    `json:"last_line,omitzero"`
	Verdict    string   `json:"verdict"`
	Curator    string   `json:"curator,omitzero"`
	ReviewedAt string   `json:"reviewed_at,omitzero"` // RFC 3339 UTC
	Score      *float64 `json:"score,omitzero"`       // nil: none
	TaskType   string   `json:"task_type,omitzero"`
}

// output is where the records of an export go: one file, or the folder of a
// data set. Nothing has its name before commit, nothing is left after abort.
type output interface {
	// add appends the records of a sample, in the order of the export.
	add(to destination, r *record) error
	// verify completes the files of records and gives them to check, one by
	// one, as lines of JSON however they are written. Nothing is added after it.
	verify(check func(io.Reader) error) error
	// commit completes all files, with what the report says of the export,
	// and returns those of records.
	commit(opts *Options, r *Report) ([]File, error)
	// abort removes what is unfinished. It does nothing after a commit.
	abort()
}
