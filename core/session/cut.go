package session

import (
	"bytes"

	"winnow/core/rawjson"
)

// lookout watches a value that spans lines for the message that is no part of
// it: a recorder was stopped where a value could follow, and the next message
// would pass for that value.
type lookout struct {
	passed int  // fields that were looked at
	role   bool // one of them is a role: the value is a message itself
}

// foreign reports whether the line at rest()[i], where the value at the
// position could go on, begins with a message of its own. It looks no further
// than that message: what follows later must not change what is said of it.
//
// An element of a list is foreign only in a message: elsewhere it is a
// document with a message per line.
func (r *reader) foreign(l *lookout, i int) bool {
	s := &r.scan
	if !s.AtValue() || !r.messageAt(i) {
		return false
	}
	if !s.InList() {
		return true
	}
	l.pass(r.w.rest(), s.Fields)
	return l.role
}

// pass looks at the fields that came since it was called last.
func (l *lookout) pass(in []byte, fields []rawjson.Field) {
	for o := (rawjson.Object{In: in, Fields: fields}); l.passed < len(fields); l.passed++ {
		name, _ := o.At(l.passed)
		l.role = l.role || string(name) == "role"
	}
}

// messageAt reports whether the line at rest()[i] begins with an object that
// a format reads as a message. None is one that does not fit beside what is in
// front of it.
func (r *reader) messageAt(i int) bool {
	r.ahead.Reset()
	for {
		n := r.w.lineEnd(i)
		line := r.w.rest()[i:]
		if n >= 0 {
			line = line[:n-i]
		}
		long := len(line) > r.most-i
		if long {
			line = line[:max(0, r.most-i)]
		}
		p := rawjson.More
		if line = bytes.TrimLeft(line, " \t\r"); len(line) > 0 {
			if line[0] != '{' {
				return false
			}
			p = r.ahead.Scan(line, false)
		}
		switch {
		case p == rawjson.Done:
			o := object{rawjson.Object{In: line[:r.ahead.End], Fields: r.ahead.Fields}, &r.parts}
			r.parts.list = nil
			_, _, known := roleOf(o.Get("role"))
			return known && r.choose(&o) != nil
		case p != rawjson.More || long || n >= 0 || !r.w.more():
			return false
		}
	}
}
