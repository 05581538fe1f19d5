// Package outcome says what became of a call of a tool: whether it did what it
// was called for, ran something that reports a failure, or failed itself. It
// goes by what was recorded first and by the text of the result then, which it
// reads as what the tool and its command print: source code, logs and hits of
// a search may talk of errors as they like.
package outcome

// Outcome is what became of a call.
type Outcome uint8

// The outcomes. Their values are stored: never renumber them.
const (
	// OK is a call that did what it was called for, or of which nothing else
	// is known. A result without text is one.
	OK Outcome = iota
	// Exit is a call that ran something, and what it ran reports failure: by its
	// exit status, or by failing tests, compile errors, an uncaught exception.
	Exit
	// Error is a call that was refused, failed, timed out, was interrupted or was
	// called wrongly.
	Error
)

var names = [...]string{OK: "ok", Exit: "exit", Error: "error"}

// String returns "ok", "exit" or "error".
func (o Outcome) String() string {
	if int(o) < len(names) {
		return names[o]
	}
	return ""
}

// Parse is the reverse of String.
func Parse(s string) (o Outcome, ok bool) {
	for i, name := range names {
		if name == s {
			return Outcome(i), true
		}
	}
	return OK, false
}

// Finding is an outcome with the evidence for it: a word or a phrase such as
// "exit 1", "tests failed" or "refused", at most EvidenceMost bytes of ASCII
// that never come from the result but for numbers. It is "" for OK.
type Finding struct {
	Outcome  Outcome
	Evidence string
}

// EvidenceMost is how long evidence is at most, in bytes.
const EvidenceMost = 32

// Failed reports whether the outcome is not OK.
func (f Finding) Failed() bool { return f.Outcome != OK }

// Facts are what a recorder says of a result beside its text.
type Facts struct {
	Marked bool // as an error
	Coded  bool // Code was recorded
	Code   int  // the exit status of what ran
}

// Evidence that is said in several places.
const (
	refused     = "refused"
	blocked     = "blocked by a hook"
	timedOut    = "timed out"
	interrupted = "interrupted"
	wrongly     = "called wrongly"
	notFound    = "not found"
	unread      = "file not read first"
	noMatch     = "no match to edit"
	sameText    = "changes nothing"
	noCommand   = "command not found"
	denied      = "permission denied"
	marked      = "marked as error"
	saysError   = "says error"
	saysFailed  = "says failed"
	testsFailed = "tests failed"
	compile     = "compile error"
	lint        = "lint errors"
	traceback   = "traceback"
	crashed     = "crashed"
	badSyntax   = "syntax error"
	conflict    = "conflict"
	stopped     = "task failed"
)

func is(o Outcome, evidence string) Finding { return Finding{o, evidence} }

// Judge says what became of the call that a result answers. Of a long result
// it reads the beginning and the end only: the cost is bounded.
func (c Call) Judge(f Facts, content string) Finding {
	w := open(content)
	if c.kind == shell || c.kind == code {
		return c.ran(f, &w)
	}
	if found := w.stopped(c.kind.quotes()); found.Failed() {
		return found
	}
	if f.Marked {
		return w.marked()
	}
	if f.Coded && f.Code != 0 {
		return is(Exit, exit(f.Code))
	}
	switch c.kind {
	case thinks:
		return Finding{}
	case runsTests:
		return c.ran(f, &w)
	}
	if found, ok := c.structured(w.head); ok {
		return found
	}
	return w.answered(c.kind)
}

// ran judges what a command or a piece of code printed.
func (c Call) ran(f Facts, w *window) Finding {
	if value, ok := w.object(); ok {
		found, output, known := c.inObject(value, &f)
		if known {
			return found
		}
		*w = open(output)
	}
	fr := w.unframe()
	if !f.Coded && fr.coded {
		f.Coded, f.Code = true, fr.code
	}
	if found := w.stopped(!f.Marked && !w.short()); found.Failed() {
		return found
	}
	if f.Coded && f.Code != 0 {
		quiet := w.blank() || c.has(looks) && !w.complains()
		if f.Code == 1 && (c.has(looks) && quiet || c.has(looked) && w.blank() || c.has(compares)) {
			return Finding{} // a search without a hit, files that differ
		}
		if f.Code < 0 {
			return is(Error, exit(f.Code))
		}
		return is(Exit, exit(f.Code))
	}
	if f.Marked {
		if found := w.spawned(); found.Failed() {
			return found
		}
		if found := w.printed(true); found.Failed() {
			return found
		}
		return is(Exit, marked)
	}
	if f.Coded && !c.has(masked) {
		return Finding{}
	}
	return w.printed(c.kind != shell || c.has(runs))
}
