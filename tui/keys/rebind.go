package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/spell"
)

// Error says what is wrong with the keys of an action.
type Error struct {
	Name string // as it was given
	Text string
}

func (e *Error) Error() string { return e.Name + ": " + e.Text }

// Rebind gives some actions other keys: those of a name,
// or with a place before it those that work there. No keys leave an action to
// the command line.
func (t *Table) Rebind(keys map[string][]string) error {
	out := slices.Clone(t.Rows)
	names := slices.Sorted(maps.Keys(keys))
	// What is said of one place counts more.
	slices.SortStableFunc(names, func(x, y string) int { return strings.Count(x, ".") - strings.Count(y, ".") })
	given := make([]string, len(out)) // by which name a binding got its keys
	for _, name := range names {
		want := make([]string, 0, len(keys[name]))
		for _, k := range keys[name] {
			if k == "" {
				continue
			}
			k, err := keyNamed(k)
			if err != nil {
				return &Error{name, err.Error()}
			}
			want = append(want, k)
		}
		found := t.called(name)
		if len(found) == 0 {
			return &Error{name, "there is no such action" + Meant(name, t.actionNames())}
		}
		for _, i := range found {
			out[i].Keys, given[i] = want, name
		}
	}
	if err := cmp.Or(typedInLines(out, given), t.collision(out, given), t.wayOut(out, given)); err != nil {
		return err
	}
	t.Rows = out
	return nil
}

// called returns the indexes of the bindings that a name stands for.
func (t *Table) called(name string) []int {
	place, action, placed := strings.Cut(name, ".")
	in := InAll
	if placed {
		in = 0
		for p, called := range t.Places {
			if called == place {
				in = p
			}
		}
	} else {
		action = name
	}
	var found []int
	for i := range t.Rows {
		if t.Rows[i].Name == action && t.Rows[i].In&in != 0 {
			found = append(found, i)
		}
	}
	return found
}

func (t *Table) actionNames() []string {
	var names []string
	for i := range t.Rows {
		names = append(names, t.Rows[i].Name)
		for in, place := range t.Places {
			if t.Rows[i].In == in {
				names = append(names, place+"."+t.Rows[i].Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// typedInLines keeps the characters of text lines from being bound.
func typedInLines(all []Binding, given []string) error {
	for i := range all {
		for _, k := range all[i].Keys {
			if given[i] != "" && all[i].In&InLines != 0 && (utf8.RuneCountInString(k) == 1 || k == "space") {
				return &Error{given[i], k + " is typed in text lines: choose another key, such as ctrl+" + strings.ToLower(k)}
			}
		}
	}
	return nil
}

// collision finds a key that would mean two things in one place.
func (t *Table) collision(all []Binding, given []string) error {
	for _, in := range t.All() {
		owner := map[string]int{}
		for i := range all {
			if all[i].In&in == 0 {
				continue
			}
			for _, k := range all[i].Keys {
				other, taken := owner[k]
				owner[k] = i
				if !taken || other == i || given[i] == "" && given[other] == "" {
					continue
				}
				if given[i] == "" {
					i, other = other, i
				}
				return &Error{given[i], k + " is the key of " + all[other].Name + " (" + t.Places[in] + "): give that action another one"}
			}
		}
	}
	return nil
}

// ways are actions one of which must have a key wherever one of them has one by
// default: who cannot leave a place, or ask what its keys are, is lost.
var ways = []struct {
	what  string
	names []string
}{
	{"way out", []string{"quit", "leave", Back, "drop", "restore", "put-away"}},
	{"way back", []string{Back, "drop", "restore"}},
	{"way to the keys", []string{Help}},
}

func (t *Table) wayOut(after []Binding, given []string) error {
	for _, in := range t.All() {
		for _, way := range ways {
			had, has, last := false, false, ""
			for i := range t.Rows {
				if t.Rows[i].In&in == 0 || !slices.Contains(way.names, t.Rows[i].Name) {
					continue
				}
				had, has = had || len(t.Rows[i].Keys) > 0, has || len(after[i].Keys) > 0
				if given[i] != "" {
					last = given[i]
				}
			}
			if had && !has {
				return &Error{last, "must keep a key: it is the only " + way.what + " (" + t.Places[in] + ")"}
			}
		}
	}
	return nil
}

// keyWords are the keys that have no character.
var keyWords = []string{
	"enter", "tab", "esc", "space", "backspace", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "insert", "delete",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

// sentAs are keys that terminals do not tell from others.
var sentAs = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+j": "enter"}

// keyNamed returns a key as it arrives: its modifiers in their order, letters
// with shift as capitals.
func keyNamed(text string) (string, error) {
	base, ctrl, alt, shift := strings.TrimSpace(text), "", "", ""
	for {
		mod, rest, ok := strings.Cut(base, "+")
		if !ok || rest == "" || mod == "" {
			break
		}
		switch strings.ToLower(mod) {
		case "ctrl", "control":
			ctrl = "ctrl+"
		case "alt":
			alt = "alt+"
		case "shift":
			shift = "shift+"
		default:
			return "", fmt.Errorf("no key %q: only ctrl, alt and shift may stand before +", text)
		}
		base = rest
	}
	if r, n := utf8.DecodeRuneInString(base); n == len(base) && n > 0 {
		if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return "", fmt.Errorf("no key %q: a space is called space", text)
		}
		if shift != "" && unicode.IsLetter(r) && ctrl == "" {
			base, shift = string(unicode.ToUpper(r)), ""
		}
		if ctrl != "" {
			base = strings.ToLower(base)
		}
	} else if base = strings.ToLower(base); !slices.Contains(keyWords, base) {
		return "", fmt.Errorf("no key %q%s", text, Meant(strings.ReplaceAll(base, "-", "+"), append(slices.Clone(keyWords), "ctrl+"+base[max(0, len(base)-1):])))
	}
	key := ctrl + alt + shift + base
	if other, same := sentAs[key]; same {
		return "", fmt.Errorf("terminals send %s for %s", other, key)
	}
	return key, nil
}

// All returns the places that have a name, in the order they were made.
func (t *Table) All() []Place { return slices.Sorted(maps.Keys(t.Places)) }

// Meant names what is nearest to a name, ", is it NAME?", "" if nothing is near.
func Meant(name string, names []string) string {
	n := utf8.RuneCountInString(name)
	if n > 64 { // no name, and too long to be compared with all there are
		return ""
	}
	best, least := "", n/2+1
	for _, other := range names {
		if d := spell.Distance(name, other); d < least {
			best, least = other, d
		}
	}
	if best == "" {
		return ""
	}
	return ": is " + best + " meant?"
}
