package review

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Exported is the lineage of one export.
type Exported struct {
	ID      int64          `json:"id"` // set when it is recorded; later ones are larger
	At      time.Time      `json:"at"` // when it was complete
	Curator string         `json:"curator"`
	Target  string         `json:"target"` // path of the file or folder
	Format  string         `json:"format"` // name of the emitter
	Options jsontext.Value `json:"options"`

	Candidates int            `json:"candidates"` // segments selected
	Samples    int            `json:"samples"`    // written
	Rows       int            `json:"rows"`
	Tokens     int            `json:"tokens"`
	LeftOut    int            `json:"left_out"`
	Files      []ExportedFile `json:"files"`
}

// ExportedFile is a file that an export wrote.
type ExportedFile struct {
	Path   string `json:"path"`
	Split  string `json:"split,omitzero"` // what it is part of, "" without a split
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes"`  // as it lies there, compressed or not
	SHA256 string `json:"sha256"` // in hex
}
