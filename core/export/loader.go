package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// loaderBlock is how much of a file the datasets library looks at, in bytes, to
// tell the columns of all of it.
const loaderBlock = 10 << 20

// loader follows the JSON loader of the datasets library (4.7 and newer): what
// the first block holds makes the columns, and a later row that does not fit
// them makes it refuse the file. Of a row that lacks a column it takes null.
type loader struct {
	block int // bytes that make the columns
	read  int
	root  kinds
}

// kinds are what values at one place were.
type kinds struct {
	seen     valueKind
	any      bool // kept as JSON: objects whose keys differ, or values of several kinds
	keyed    bool // an object was seen: its keys are known
	names    []string
	members  map[string]*kinds
	elements *kinds
}

// valueKind is a set of kinds of values.
type valueKind uint8

const (
	textKind valueKind = 1 << iota
	timeKind           // a text that is a time, to the second
	integerKind
	numberKind
	truthKind
	objectKind
	listKind
)

var kindNames = [...]string{"a text", "a time", "a whole number", "a number", "a truth value", "an object", "a list"}

func (k valueKind) String() string {
	var names []string
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " or ")
}

// row reads the next row and returns what is wrong with it, "" if nothing.
func (l *loader) row(record jsontext.Value) (wrong string) {
	if l.read < l.block {
		l.root.add(record, true)
	} else {
		wrong = l.root.misfit(record, "")
	}
	l.read += len(record) + 1
	return wrong
}

// add notes what a value of the first block is.
func (k *kinds) add(v jsontext.Value, root bool) {
	kind := kindIn(v)
	if k.seen |= kind; kind == 0 || k.any {
		return
	}
	const nested = objectKind | listKind
	if k.seen&nested != 0 && k.seen != objectKind && k.seen != listKind || !k.plain() {
		k.any = true
		return
	}
	switch kind {
	case objectKind:
		k.addObject(v, root)
	case listKind:
		if k.elements == nil {
			k.elements = &kinds{}
		}
		items, _ := elements(v) // none of what is broken
		for _, item := range items {
			k.elements.add(item, false)
		}
	}
}

// plain reports whether scalars of several kinds become one.
func (k *kinds) plain() bool {
	switch k.seen {
	case textKind | timeKind, integerKind | numberKind:
		return true
	}
	return k.seen&(k.seen-1) == 0
}

func (k *kinds) addObject(v jsontext.Value, root bool) {
	fields, _ := members(v)
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	slices.Sort(names)
	if !root && (len(names) == 0 || k.keyed && !slices.Equal(names, k.names)) {
		k.any = true // whatever its keys are
		return
	}
	if k.members == nil {
		k.members = map[string]*kinds{}
	}
	k.keyed, k.names = true, names
	for _, f := range fields {
		at := k.members[f.name]
		if at == nil {
			at = &kinds{}
			k.members[f.name] = at
		}
		at.add(f.value, false)
	}
}

// misfit tells why a later value does not fit.
func (k *kinds) misfit(v jsontext.Value, path string) string {
	kind := kindIn(v)
	if k.any || kind == 0 {
		return ""
	}
	switch {
	case kind == objectKind && k.seen == objectKind:
		fields, _ := members(v)
		for _, f := range fields {
			at := k.members[f.name]
			if at == nil {
				return fmt.Sprintf("the key %q is new", path+f.name)
			}
			if wrong := at.misfit(f.value, path+f.name+"."); wrong != "" {
				return wrong
			}
		}
		return ""
	case kind == listKind && k.seen == listKind:
		items, _ := elements(v)
		for _, item := range items {
			if wrong := k.elements.misfit(item, strings.TrimSuffix(path, ".")+"[]."); wrong != "" {
				return wrong
			}
		}
		return ""
	case kind&k.seen != 0, kind == integerKind && k.seen == numberKind:
		return ""
	case k.seen&textKind != 0 && kind&(objectKind|listKind) == 0: // written as text
		return ""
	}
	return fmt.Sprintf("%q is %s, where the beginning has %s", strings.TrimSuffix(path, "."), kind, k.seen)
}

// kindIn returns the kind of a value, 0 for null.
func kindIn(v jsontext.Value) valueKind {
	switch kindOf(v) {
	case isText:
		if isTime(v) {
			return timeKind
		}
		return textKind
	case isList:
		return listKind
	case isObject:
		return objectKind
	case isBool:
		return truthKind
	case isNumber:
		if bytes.ContainsAny(v, ".eE") {
			return numberKind
		}
		return integerKind
	}
	return 0
}

// isTime reports whether a JSON string is a time that loaders read as one: a
// date, perhaps with a time to the second and a zone.
func isTime(v jsontext.Value) bool {
	const form = "0000-00-00T00:00:00"
	text := string(v[1 : len(v)-1])
	text = strings.TrimSuffix(text, "Z")
	if len(text) != len("0000-00-00") && len(text) != len("0000-00-00T00:00") && len(text) != len(form) {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case form[i] == '0' && c >= '0' && c <= '9', form[i] == c, form[i] == 'T' && c == ' ':
		default:
			return false
		}
	}
	return true
}
