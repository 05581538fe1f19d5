package review

import "time"

// Exported is the lineage of one export.
type Exported struct {
	ID      int64     // set when it is recorded; later ones are larger
	At      time.Time // when it was complete
	Curator string
	Target  string // path of the file or folder
	Format  string // name of the emitter
	Options string // a JSON object

	Candidates int // segments selected
	Samples    int // written
	Rows       int
	Tokens     int
	LeftOut    int
	Files      []ExportedFile
}

// ExportedFile is a file that an export wrote.
type ExportedFile struct {
	Path   string
	Split  string // what it is part of, "" without a split
	Rows   int
	Bytes  int64
	SHA256 string // in hex
}
