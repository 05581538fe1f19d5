package reader

// Folds are how much the reader shows of what it folds by itself, in all
// segments.
type Folds struct {
	All      int  // 0: by its kind; 1: all unfolded; 2: all folded
	Thinking int  // 0: folded; 1: shown; 2: hidden
	Detail   bool // calls and results show
}

// Folds returns what was chosen for all segments.
func (r *Reader) Folds() Folds { return Folds{int(r.all), int(r.thinking), r.detail} }

// SetFolds chooses it, before the first segment is opened. What is out of range
// is as if nothing was chosen.
func (r *Reader) SetFolds(f Folds) {
	if f.All < 0 || f.All > int(allFolded) {
		f.All = 0
	}
	if f.Thinking < 0 || f.Thinking > int(thinkingHidden) {
		f.Thinking = 0
	}
	r.all, r.thinking, r.detail = foldMode(f.All), thinkingMode(f.Thinking), f.Detail
}
