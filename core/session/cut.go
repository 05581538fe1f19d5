package session

import "bytes"

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
	if s.inText || s.expect != wantValue && s.expect != wantValueOrEnd || !r.messageAt(i) {
		return false
	}
	if s.stack[len(s.stack)-1] != '[' {
		return true
	}
	o := object{b: r.w.rest(), fields: s.fields}
	for ; l.passed < len(o.fields); l.passed++ {
		name, _ := o.at(l.passed)
		l.role = l.role || string(name) == "role"
	}
	return l.role
}

// messageAt reports whether the line at rest()[i] begins with an object that
// a format reads as a message.
func (r *reader) messageAt(i int) bool {
	r.ahead.reset()
	for {
		n := r.w.lineEnd(i)
		line := r.w.rest()[i:]
		if n >= 0 {
			line = line[:n-i]
		}
		p := more
		if line = bytes.TrimLeft(line, " \t\r"); len(line) > 0 {
			if line[0] != '{' {
				return false
			}
			p = r.ahead.scan(line, false)
		}
		switch {
		case p == done:
			o := object{line[:r.ahead.i], r.ahead.fields, &r.parts}
			r.parts.list = nil
			_, _, known := roleOf(o.get("role"))
			return known && r.choose(&o) != nil
		case p != more || n >= 0 || !r.w.more():
			return false
		}
	}
}
