// Package rawjson reads JSON as bytes: where a value ends, what the members of
// an object are, what a string says. Nothing is decoded that nobody asks for,
// and what is recorded stays as it was written: numbers, spacing, the order of
// names.
//
// Two things come before the rest. A [Scanner] takes bytes as they arrive,
// finds the end of a value in them, and tolerates what recorders and crashes do
// to strings, which [Repair] mends. [Valid] checks a text that is complete, such
// as the arguments of a call. All else, [Cursor], [Members], [Elements], [Get],
// [End], [Unquote], is for values that one of them has accepted: it checks
// nothing, so it is fast. On any other text it does not fail, but what it returns
// means nothing.
//
// [AppendString] is the way back, for a text.
//
// Of two members with one name the last counts, as everywhere that JSON is read.
//
// The package is below all others of winnow and imports none. It is compared
// with package jsontext by the fuzz tests beside it; docs/json.md says why there
// is a scanner of our own.
package rawjson

import (
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// Text is JSON where it stands: bytes of a source, or a string of a message.
type Text interface{ ~[]byte | ~string }

// bytesOf returns the bytes of a text, which must not be changed, without
// copying them.
func bytesOf[T Text](text T) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&text)), len(text)) // both kinds begin with a pointer
}

// Valid reports whether a text is one value, with white space around it at most.
// As in what recorders write, a name may occur twice in an object, and strings
// may hold invalid UTF-8.
func Valid[T Text](text T) bool {
	return jsontext.Value(bytesOf(text)).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Kind names the kind of a value, for people.
func Kind[T Text](val T) string {
	if len(val) == 0 {
		return "nothing"
	}
	switch val[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "text"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// IsText reports whether a value is a string.
func IsText[T Text](val T) bool { return len(val) > 0 && val[0] == '"' }

// IsList reports whether a value is an array.
func IsList[T Text](val T) bool { return len(val) > 0 && val[0] == '[' }

// IsObject reports whether a value is an object.
func IsObject[T Text](val T) bool { return len(val) > 0 && val[0] == '{' }

// IsNull reports whether a value is null, or absent.
func IsNull[T Text](val T) bool { return len(val) == 0 || val[0] == 'n' }
