package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// offer gives the object that was scanned last to the format in force, or to the first that accepts
// it, and accounts for the notes it makes.
func (r *reader) offer(val []byte, at int64, mended bool) (outcome, error) {
	if len(val) > windowSize || len(r.w.buf) > windowSize {
		defer r.letGo()
	}
	o := &r.object
	*o = object{rawjson.Object{In: val, Fields: r.scan.Fields}, &r.parts}
	r.parts.list = nil
	f := r.choose(o)
	if f == nil {
		if r.forced != nil {
			return bad("not in the " + r.forced.Name + " format: " + keysOf(o)), nil
		}
		return unrecognized(o), nil
	}
	r.inForce = f
	e := &r.entry
	e.format = f.Name
	e.begin(r.lines+1, at, mended)
	e.array, e.element, e.nth = r.arrays, r.array-1, r.line.Values
	out := f.decode(o, e)
	r.seen.messages += int64(e.sent)
	r.seen.metas += int64(e.metas)
	if e.err != nil {
		return outcome{}, e.err
	}
	for _, note := range e.notes {
		if err := r.issue(Note, at+int64(len(o.In))-r.line.Start, note); err != nil {
			return outcome{}, err
		}
	}
	return out, nil
}

// letGo drops what refers to the bytes and texts of a giant line.
func (r *reader) letGo() {
	clear(r.parts.parts)
	r.parts.list, r.parts.rest = nil, rawjson.Cursor[[]byte]{}
	r.object, r.entry.nested, r.entry.msg, r.entry.buf = object{}, [3]rawjson.Object{}, chat.Message{}, nil
}

// choose returns the format that accepts an object, nil if none does.
func (r *reader) choose(o *object) *Format {
	if r.inForce != nil && r.inForce.accepts(o, &r.mem, true) {
		return r.inForce
	}
	if r.forced != nil {
		return nil
	}
	for i := range r.formats {
		if f := &r.formats[i]; f.accepts(o, &r.mem, false) {
			return f
		}
	}
	return nil
}
