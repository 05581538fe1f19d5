package reader

import "container/list"

// shelf keeps the documents last used, of all segments, so that going back
// and forth shows them at once.
type shelf struct {
	books map[shelfKey]*book
	order *list.List // of shelfKey, last used in front
	size  int
}

type shelfKey struct {
	body int64
	n    int
}

type book struct {
	doc   *document
	place *list.Element
}

// shelfBytes is the size of text kept besides what is on the screen: a few
// hundred ordinary messages for every segment one goes back to.
const shelfBytes = 32 << 20

// perDocument is what a document costs besides its text.
const perDocument = 1 << 10

func newShelf() *shelf {
	return &shelf{books: map[shelfKey]*book{}, order: list.New()}
}

// document returns a document and marks it as used; nil if it is not here.
func (s *shelf) document(body int64, n int) *document {
	b := s.books[shelfKey{body, n}]
	if b == nil {
		return nil
	}
	s.order.MoveToFront(b.place)
	return b.doc
}

// put keeps a document in place of an older one. Others leave for it if they
// are not needed: keep says which stay.
func (s *shelf) put(body int64, d *document, keep func(shelfKey) bool) {
	key := shelfKey{body, d.n}
	s.remove(key)
	s.books[key] = &book{d, s.order.PushFront(key)}
	s.size += d.size + perDocument
	for e := s.order.Back(); e != nil && s.size > shelfBytes; {
		k, before := e.Value.(shelfKey), e.Prev()
		if k != key && !keep(k) {
			s.remove(k)
		}
		e = before
	}
}

func (s *shelf) remove(key shelfKey) {
	b := s.books[key]
	if b == nil {
		return
	}
	s.order.Remove(b.place)
	delete(s.books, key)
	s.size -= b.doc.size + perDocument
}

// drop forgets the messages of a body from number n on.
func (s *shelf) drop(body int64, n int) {
	for key := range s.books {
		if key.body == body && key.n >= n {
			s.remove(key)
		}
	}
}
