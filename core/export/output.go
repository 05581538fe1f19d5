package export

import (
	"io"

	"winnow/core/export/lineage"
)

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
	origin lineage.Origin
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
