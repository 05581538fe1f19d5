package train

// Plan is what a run would be.
type Plan struct {
	Backend    Backend
	Data       string // "full" or "new"
	Base       string
	Parent     int64 // the run that it would go on from, 0 none
	Format     string
	Samples    int    // that would be trained
	New        int    // of these, in no run that succeeded
	Validation int    // held back
	Tokens     int64  // of what would be trained
	LeftOut    int    // by checks and options of the export
	Reasons    string // by which of them, with how many each: "17 tokens, 2 nul"
	Same       int    // segments that say the same as others of these, which count once
	Command    []string
	Host       string
	Due        string // whether it is due, in a sentence, where that was asked
}
