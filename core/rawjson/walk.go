package rawjson

import (
	"bytes"
	"iter"
)

// Cursor walks the elements of an array or the members of an object, one after
// the other. Loops that need no more than that are shorter with [Elements] and
// [Members].
type Cursor[T Text] struct {
	In T
	At int // the next byte to look at
}

// Within starts a walk through an array or object; any other value has no
// elements.
func Within[T Text](val T) Cursor[T] {
	if !IsList(val) && !IsObject(val) {
		return Cursor[T]{}
	}
	return Cursor[T]{val, 1}
}

// Pass goes over white space and what separates values.
func (c *Cursor[T]) Pass() { c.At = pass(bytesOf(c.In), c.At) }

// More reports whether there is a further element or member.
func (c *Cursor[T]) More() bool {
	c.Pass()
	return c.At < len(c.In) && c.In[c.At] != ']' && c.In[c.At] != '}'
}

// Element returns the next element of an array; ok is false at its end.
func (c *Cursor[T]) Element() (val T, ok bool) {
	if !c.More() {
		return val, false
	}
	from := c.At
	c.At = End(c.In, from)
	return c.In[from:c.At], true
}

// Member returns the next member of an object; ok is false at its end.
func (c *Cursor[T]) Member() (name, val T, ok bool) {
	if name, ok = c.Name(); ok {
		val, ok = c.Element()
	}
	return name, val, ok
}

// Name returns the name of the next member of an object, whose value is the
// next element; ok is false at the end of the object.
func (c *Cursor[T]) Name() (name T, ok bool) {
	name, ok = c.Element()
	if !ok || len(name) < len(`""`) {
		return name[:0], false
	}
	return Unescape(Inner(name)), true
}

// Elements returns the elements of an array; any other value has none.
func Elements[T Text](list T) iter.Seq[T] {
	return func(yield func(T) bool) {
		if !IsList(list) {
			return
		}
		c := Cursor[T]{list, 1}
		for val, ok := c.Element(); ok && yield(val); val, ok = c.Element() {
		}
	}
}

// Members returns the members of an object in the order written, those with one
// name too; any other value has none.
func Members[T Text](object T) iter.Seq2[T, T] {
	return func(yield func(name, val T) bool) {
		if !IsObject(object) {
			return
		}
		c := Cursor[T]{object, 1}
		for name, val, ok := c.Member(); ok && yield(name, val); name, val, ok = c.Member() {
		}
	}
}

// Pairs is Members with names as they are written, in their quotes.
func Pairs[T Text](object T) iter.Seq2[T, T] {
	return func(yield func(name, val T) bool) {
		if !IsObject(object) {
			return
		}
		c := Cursor[T]{object, 1}
		for name, ok := c.Element(); ok; name, ok = c.Element() {
			if val, ok := c.Element(); !ok || !yield(name, val) {
				return
			}
		}
	}
}

// Get returns a member of an object, the zero value without it.
func Get[T Text](object T, name string) (val T) {
	for have, v := range Members(object) {
		if string(have) == name {
			val = v
		}
	}
	return val
}

// Has reports whether a value is an object with a member of that name.
func Has[T Text](object T, name string) bool {
	for have := range Members(object) {
		if string(have) == name {
			return true
		}
	}
	return false
}

// Token returns the place of the first token from i on: a string, a number, a
// literal, or one of the bytes that stand between them. After the last one, both
// are the end of the text.
func Token[T Text](text T, i int) (from, end int) {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	if i == len(text) {
		return i, i
	}
	switch text[i] {
	case '{', '}', '[', ']', ',', ':':
		return i, i + 1
	}
	return i, End(text, i)
}

// End returns the end of the value that begins at text[i].
func End[T Text](text T, i int) int {
	b := bytesOf(text)
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return nestedEnd(b, i)
	}
	for i < len(b) {
		switch b[i] {
		case ',', ']', '}', ' ', '\t', '\r', '\n', ':', '"', '[', '{': // the last three begin another value in a row
			return i
		}
		i++
	}
	return i
}

// StringEnd returns the end of the string that begins at text[i].
func StringEnd[T Text](text T, i int) int { return stringEnd(bytesOf(text), i) }

func nestedEnd(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}

func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		from := i
		i += n
		slashes := 0 // directly before the quote: an odd one takes it into the text
		for slashes < i-from && b[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
	return len(b)
}

func pass(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ' ', '\t', '\r', '\n', ',', ':':
			i++
		default:
			return i
		}
	}
	return i
}
