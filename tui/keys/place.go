package keys

// Place is a set of places where a key can mean something.
type Place uint64

// The places there are. A screen that has no name here has one of Free.
const (
	InList Place = 1 << iota
	InReader
	InHelp
	InLedger
	InOffer
	InBoundaries
	InField    // a line of text is being typed
	InQuestion // something is asked above the footer
	InFilter   // the filter is being typed
	InSort     // an order is being chosen
	InReasons  // the reasons of a score
	InStatistics
	InExport
	InReplace // it is asked whether a target may be replaced
	InCommand // a command is being typed
	InThemes  // a theme is being chosen
	InPreview // the training record of a segment
	InRaw     // a message as it was recorded
	InJournal
	InBulk           // it is asked whether many get a verdict
	InTags           // tags are being typed
	InRecheck        // how a recheck came out
	InWhy            // the reason of a verdict is being chosen, by any character
	InGlance         // it is asked whether what was hardly seen is approved
	InEdit           // what of a message is changed is being chosen
	InCompare        // a change of a message is decided on
	InVersions       // what a session was, and what stands beside it
	InDifference     // what differs in two versions
	InCompression    // the proposal to compress a segment
	InCompressionAsk // it is asked whether many are accepted, or a model is asked
	InPipeline       // what comes in, and what is done with it
	InMemories       // what was learned
	InMemoriesAsk    // it is asked whether many memories get a verdict
	InRun            // a run that trained a model
	InPlan           // what a run would be
	places           = iota

	InLines   = InField | InFilter | InCommand | InTags
	InAll     = ^Place(0)
	InSegment = InList | InReader
	InJudged  = InSegment | InPreview // where verdicts are given
	inText    = InPreview | InRaw     // where a text stands in place of messages
	InFound   = InReader | inText     // where one finds
	InPages   = InAll &^ (InLines | InWhy)
)

// InCopy are the places where y copies. Where something is asked it says yes.
const InCopy = InPages &^ (InQuestion | InReplace | InBulk | InGlance | InCompressionAsk | InMemoriesAsk)

// Free returns a place for a screen that has no name here: n is how many screens
// before it in the table of the program have such a place.
func Free(n int) Place { return 1 << (places + n) }

// Names are the names of the places, by which one tells apart actions of one
// name: reader.fold.
func Names() map[Place]string {
	return map[Place]string{
		InList: "list", InReader: "reader", InHelp: "help", InLedger: "ledger", InOffer: "places", InBoundaries: "boundaries", InField: "field",
		InQuestion: "question", InFilter: "filter-line", InSort: "sorting", InReasons: "reasons", InStatistics: "statistics", InExport: "export",
		InReplace: "replace", InCommand: "command-line", InThemes: "themes", InPreview: "preview", InRaw: "raw", InJournal: "journal",
		InRecheck: "recheck", InBulk: "bulk", InTags: "tags-line", InWhy: "why", InGlance: "glance",
		InEdit: "edit", InCompare: "before-and-after", InVersions: "versions", InDifference: "difference",
		InCompression: "compression", InCompressionAsk: "compression-question", InPipeline: "pipeline",
		InMemories: "memories", InMemoriesAsk: "memories-question", InRun: "run", InPlan: "plan",
	}
}

// Section is a heading under which bindings are shown.
type Section struct {
	Title string
	In    Place
}

// Sections returns the headings, in the order of the documentation.
func Sections() []Section {
	return []Section{
		{"List, reader and training record", InJudged},
		{"List and reader", InSegment},
		{"List, reader and places to import from", InSegment | InOffer},
		{"List", InList},
		{"Filter line", InFilter},
		{"Sorting", InSort},
		{"Reasons of a score", InReasons},
		{"Reader", InReader},
		{"Reader, training record and recorded message", InFound},
		{"Training record", InPreview},
		{"Recorded message", InRaw},
		{"Reader and recorded message", InReader | InRaw},
		{"Change of a message", InEdit},
		{"Change of a message: before and after", InCompare},
		{"Versions of a session", InVersions},
		{"Difference of two versions", InDifference},
		{"Compression of a segment", InCompression},
		{"Question: accept compressions, ask a model", InCompressionAsk},
		{"Pipeline", InPipeline},
		{"Run", InRun},
		{"Plan of a run", InPlan},
		{"Memories", InMemories},
		{"Question: a verdict on many memories", InMemoriesAsk},
		{"Boundaries", InBoundaries},
		{"Statistics", InStatistics},
		{"Export", InExport},
		{"Question: replace files", InReplace},
		{"Journal", InJournal},
		{"Ledger", InLedger},
		{"Places to import from", InOffer},
		{"Question: send sessions", InQuestion},
		{"Screen of keys", InHelp},
		{"Themes", InThemes},
		{"End of a recheck", InRecheck},
		{"Reader and keys", InReader | InHelp},
		{"Everywhere but in a text field", InPages},
		{"Everywhere but in a text field or a question", InCopy},
		{"Question: a verdict on many", InBulk},
		{"Question: approve what was hardly read", InGlance},
		{"Command line", InCommand},
		{"Reason of a verdict", InWhy},
		{"Tags", InTags},
		{"Text field", InField},
		{"Everywhere", InAll},
	}
}
