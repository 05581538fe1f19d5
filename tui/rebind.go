package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// places are the names of the contexts, by which one tells apart actions of one
// name: reader.fold.
var places = map[Context]string{
	InList: "list", InReader: "reader", InHelp: "help", InLedger: "ledger", InOffer: "places", InBoundaries: "boundaries", InField: "field",
	InQuestion: "question", InFilter: "filter-line", InSort: "sorting", InReasons: "reasons", InStatistics: "statistics", InExport: "export",
	InReplace: "replace", InCommand: "command-line", InThemes: "themes", InPreview: "preview", InRaw: "raw", InJournal: "journal",
	InRecheck: "recheck", InBulk: "bulk", InTags: "tags-line",
}

// KeyError says what is wrong with the keys of an action.
type KeyError struct {
	Name string // as it was given
	Text string
}

func (e *KeyError) Error() string { return e.Name + ": " + e.Text }

// CheckKeys checks keys of actions as Options.Keys has them. The error is a
// *KeyError.
func CheckKeys(keys map[string][]string) error {
	_, err := rebound((&App{}).bindings(), keys)
	return err
}

// rebound returns bindings with other keys for some actions: those of a name,
// or with a place before it those that work there. No keys leave an action to
// the command line.
func rebound(all []Binding, keys map[string][]string) ([]Binding, error) {
	out := slices.Clone(all)
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
				return nil, &KeyError{name, err.Error()}
			}
			want = append(want, k)
		}
		found := called(all, name)
		if len(found) == 0 {
			return nil, &KeyError{name, "there is no such action" + meant(name, actionNames(all))}
		}
		for _, i := range found {
			out[i].Keys, given[i] = want, name
		}
	}
	if err := typedInLines(out, given); err != nil {
		return nil, err
	}
	if err := collision(out, given); err != nil {
		return nil, err
	}
	return out, wayOut(all, out, given)
}

// called returns the indexes of the bindings that a name stands for.
func called(all []Binding, name string) []int {
	place, action, placed := strings.Cut(name, ".")
	var found []int
	for i := range all {
		b := &all[i]
		if !placed && b.Name == name {
			found = append(found, i)
		}
		if placed && b.Name == action {
			for in, called := range places {
				if called == place && b.In&in != 0 {
					found = append(found, i)
				}
			}
		}
	}
	return found
}

func actionNames(all []Binding) []string {
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
		for in, place := range places {
			if all[i].In == in {
				names = append(names, place+"."+all[i].Name)
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
			if given[i] != "" && all[i].In&inLines != 0 && (utf8.RuneCountInString(k) == 1 || k == "space") {
				return &KeyError{given[i], k + " is typed in text lines: take another key, as ctrl+" + strings.ToLower(k)}
			}
		}
	}
	return nil
}

// collision finds a key that would mean two things in one place.
func collision(all []Binding, given []string) error {
	for in := InList; in < 1<<contexts; in <<= 1 {
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
				return &KeyError{given[i], k + " is the key of " + all[other].Name + " (" + places[in] + "): give that another one"}
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
	{"way out", []string{"quit", "leave", nameBack, "drop", "restore", "put-away"}},
	{"way back", []string{nameBack, "drop", "restore"}},
	{"way to the keys", []string{nameHelp}},
}

func wayOut(before, after []Binding, given []string) error {
	for in := InList; in < 1<<contexts; in <<= 1 {
		for _, way := range ways {
			had, has, last := false, false, ""
			for i := range before {
				if before[i].In&in == 0 || !slices.Contains(way.names, before[i].Name) {
					continue
				}
				had, has = had || len(before[i].Keys) > 0, has || len(after[i].Keys) > 0
				if given[i] != "" {
					last = given[i]
				}
			}
			if had && !has {
				return &KeyError{last, "must have a key: it is the last " + way.what + " (" + places[in] + ")"}
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
			return "", fmt.Errorf("no key %q: before + there may be ctrl, alt and shift", text)
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
		return "", fmt.Errorf("no key %q%s", text, meant(strings.ReplaceAll(base, "-", "+"), append(slices.Clone(keyWords), "ctrl+"+base[max(0, len(base)-1):])))
	}
	key := ctrl + alt + shift + base
	if other, same := sentAs[key]; same {
		return "", fmt.Errorf("terminals send %s for %s", other, key)
	}
	return key, nil
}
