package session

import (
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// opening is a session that begins with its first message: a value without
// one gives none.
type opening struct {
	*entry
	meta Meta    // told when it begins
	as   *thread // the session, nil for a top-level one
	gave bool
	key  string // of the session, once it gave a message
	left []leftOut
}

// leftOut counts the elements that gave nothing for a reason.
type leftOut struct {
	why outcome
	n   int
}

// leave counts an element that gave nothing.
func (s *opening) leave(why outcome) {
	if why.as == asRead {
		return
	}
	for i := range s.left {
		if l := &s.left[i]; l.why == why || i == maxNotes-1 {
			l.n++
			return
		}
	}
	if len(s.left) == maxNotes-1 {
		why = skipped("for more reasons")
	}
	s.left = append(s.left, leftOut{why, 1})
}

// account notes the elements that gave nothing.
func (s *opening) account() {
	for _, l := range s.left {
		reason, what, _ := strings.Cut(l.why.reason, ": ")
		if what != "" {
			what = ", " + what
		}
		s.note("element left out, "+reason, strconv.Itoa(l.n)+what)
	}
	s.left = s.left[:0]
}

const reasonNotice = "notice of the program"

// notObject is what becomes of an element that is no object.
func notObject(val []byte) outcome { return bad("not an object: " + rawjson.Kind(val)) }

// objects calls f for the elements of a list, and leaves out what is no object.
func (s *opening) objects(list []byte, f func(val []byte)) {
	for val := range rawjson.Elements(list) {
		if rawjson.IsObject(val) {
			f(val)
		} else {
			s.leave(notObject(val))
		}
	}
}

// deliver gives a message to the sink, unless it has nothing to show, and
// reports whether it did.
func (s *opening) deliver(m *chat.Message) bool {
	if !s.gave {
		if m.Role != chat.Tool && m.Empty() && !s.exact {
			return false
		}
		s.gave = true
		s.openSession()
	}
	return s.entry.deliver(m)
}

// openSession begins the session.
func (s *opening) openSession() {
	if s.as == nil {
		s.conversation()
	} else {
		s.use(s.as)
		s.tell(Meta{Whole: true})
	}
	s.key = s.t.key
	s.tell(s.meta)
}
