package hub

// counted is what an import did to one session.
type counted struct {
	file    string
	isNew   bool
	changed bool
	was, is int // its messages before the import, and as they are stored
	// anew says that it was read anew, or stands in another place: what it
	// held before and does not hold now is no loss to what came.
	anew bool
	gone bool // all its messages went to another session
	// instead says that it took the place of a session that was counted, and
	// is gone.
	instead bool
}

// messages is how many came.
func (c *counted) messages() int {
	if c.anew {
		return max(0, c.is-c.was)
	}
	return c.is - c.was
}

// add counts a session, or takes it out again with sign -1.
func (r *Report) add(c *counted, sign int) {
	switch {
	case c.gone:
	case c.isNew:
		r.New += sign
	case c.changed:
		r.Updated += sign
	}
	r.NewMessages += sign * c.messages()
}

// count adds to the report what was stored. A session may come several times:
// what counts is how it was before the import and how it is in the end.
func (r *run) count(list []counted) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range list {
		if before, ok := r.did[c.file]; ok && !c.instead {
			c.isNew = before.isNew || before.gone && c.isNew
			c.was, c.anew = before.was, c.anew || before.anew
		}
		r.recount(c)
	}
}

// recount makes c what was done to its session. r.mu is held.
func (r *run) recount(c counted) {
	r.uncount(c.file)
	if r.did == nil {
		r.did = map[string]counted{}
	}
	r.did[c.file] = c
	r.report.add(&c, 1)
}

// uncount takes a session out of the report, which is not there any more.
func (r *run) uncount(file string) {
	if c, ok := r.did[file]; ok {
		r.report.add(&c, -1)
		delete(r.did, file)
	}
}

// linked counts a session that left because it is the same as another one.
func (r *run) linked(t *Twin, gone bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !gone {
		r.report.Copies++
	}
	r.uncount(t.File)
}

// took counts a session that took the place and the messages of another one.
func (r *run) took(keep, place *Twin) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, counts := r.did[keep.File]
	if !counts {
		c = counted{was: keep.Messages}
	}
	c.file, c.is, c.anew, c.changed = place.File, place.Messages, true, true
	r.uncount(keep.File)
	r.recount(c)
}

// done is what the import has done to the session, once it is stored.
func (t *tracker) done(anew bool) counted {
	c := counted{file: t.row.File, isNew: !t.stored, was: t.was, is: t.messages(), anew: anew}
	c.gone = c.is == 0
	c.changed = !anew || c.file != t.wasFile || c.is != c.was || t.wasTrace.IsZero() || t.trace() != t.wasTrace
	return c
}
