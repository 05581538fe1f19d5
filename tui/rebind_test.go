package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winnow/tui/keys"
)

func TestKeysThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		name, keys, want string
	}{
		{"aprove", "y", "aprove: there is no such action: is approve meant?"},
		{"reader.approv", "y", "reader.approv: there is no such action"},
		{"nowhere.approve", "y", "nowhere.approve: there is no such action"},
		{"list.fold", "y", "list.fold: there is no such action: is "},
		{"approve", "Y+", `approve: no key "Y+"`},
		{"approve", "ctrl-y", `approve: no key "ctrl-y": is ctrl+y meant?`},
		{"approve", "hyper+y", `approve: no key "hyper+y": only ctrl, alt and shift may stand before +`},
		{"approve", "entre", `approve: no key "entre": is enter meant?`},
		{"approve", "\x1b", `approve: no key`},
		{"approve", "ctrl+i", "approve: terminals send tab for ctrl+i"},
		{"approve", "u", "approve: u is the key of undo (list): give that action another one"},
		{"fold", "j", "fold: j is the key of down (reader): give that action another one"},
		{"suspend", "a", "suspend: a is typed in text lines: choose another key, such as ctrl+a"},
		{"keys", "", "keys: must keep a key: it is the only way to the keys (list)"},
		{"back", "", "back: must keep a key: it is the only way back (reader)"},
		{"drop", "", "drop: must keep a key: it is the only way back (field)"},
	} {
		err := CheckKeys(map[string][]string{c.name: {c.keys}}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s = %q: %v, want %s", c.name, c.keys, err, c.want)
		}
	}
}

func TestKeysThatCanBe(t *testing.T) {
	for _, keys := range []map[string][]string{
		nil,
		{"approve": {"l", "ctrl+a"}},
		{"approve": {"r"}, "reject": {"a"}}, // swapped
		{"next-prompt": {"alt+down"}, "previous-prompt": {"Ctrl+P"}},
		{"quit": {""}}, // ctrl+c and :q are left
		{"reader.fold": {"é"}},
		{"undo": {"backspace"}}, // everywhere
		{"boundaries.undo": {"backspace"}},
	} {
		if err := CheckKeys(keys, nil); err != nil {
			t.Errorf("%v: %v", keys, err)
		}
	}
}

// TestOtherKeysAreShownAndWork: dispatch, footer, help and messages follow.
func TestOtherKeysAreShownAndWork(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 140, 40, func(o *Options) {
		o.Keys = map[string][]string{"approve": {"l"}, "undo": {"backspace"}, "redo": {""}, "find": {"ctrl+f"}, "sort-score": {"w"}, "keep": {"ctrl+s"}, "saved-filter": {"f1", "f2"}}
	})
	x.press("a")
	if len(lib.journal) > 0 {
		t.Error("the old key works")
	}
	x.press("l")
	x.wants("approved “Fix flaky parser test”", "backspace undo", "l approve")
	x.press("backspace")
	x.wants(":redo")
	x.order("redo")
	if len(lib.journal) != 1 {
		t.Error("not done again by its name")
	}
	x.press("tab >")
	x.wants("ctrl+f opens one")
	x.press("tab s")
	x.wants("w  score")
	x.press("esc n")
	x.wants("ctrl+s keep")
	x.press("esc ?")
	x.wants("backspace")
	lacks(t, x, "ctrl+g")
}

// TestMessagesNameActionsThatAre: the action whose key a message names is
// there.
func TestMessagesNameActionsThatAre(t *testing.T) {
	contexts := map[string]keys.Place{
		"InList": keys.InList, "InReader": keys.InReader, "InBoundaries": keys.InBoundaries, "InField": keys.InField, "InQuestion": keys.InQuestion, "InFilter": keys.InFilter,
		"InSort": keys.InSort, "InStatistics": keys.InStatistics, "InExport": keys.InExport, "InCommand": keys.InCommand, "InOffer": keys.InOffer, "InHelp": keys.InHelp, "InTags": keys.InTags, "InBulk": keys.InBulk, "InPreview": keys.InPreview, "InRaw": keys.InRaw, "InJournal": keys.InJournal, "InVersions": keys.InVersions,
	}
	here, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	screens, err := filepath.Glob("screens/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := append(here, screens...)
	named := regexp.MustCompile(`[kK]ey(?:For|In)?\("([a-z-]+)"(?:, keys\.(In\w+))?\)`)
	rows, found := bindings().Rows, 0
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			in := contexts[m[2]]
			if !slices.ContainsFunc(rows, func(b keys.Binding) bool { return b.Name == m[1] && (in == 0 || b.In&in != 0) }) {
				t.Errorf("%s: there is no action %s %s", f, m[1], m[2])
			}
			if m[2] != "" && in == 0 {
				t.Errorf("%s: place %s is not known to this test", f, m[2])
			}
		}
	}
	if found < 20 {
		t.Errorf("%d names found", found)
	}
}

// TestActionsWithoutAKeyInALine: no command can be typed where a line is typed.
func TestActionsWithoutAKeyInALine(t *testing.T) {
	off := map[string][]string{}
	for _, name := range []string{
		"command-line.clear", "command-line.next-command", "tags-line.next-completion", "filter-line.clear", "filter-line.next-completion", "field.keep",
	} {
		off[name] = []string{""}
	}
	x := start(t, small(3), 100, 24, func(o *Options) { o.Keys = off })
	for _, keys := range []string{": z z z enter", ":", "t", "n", "/"} {
		x.press(keys)
		for _, name := range []string{":clear", ":next", ":keep"} {
			lacks(t, x, name)
		}
		x.press("ctrl+c")
	}
}

// TestOtherKeysWalkThroughEarlierLines: where an action of a line has no tab, its key
// goes to earlier lines if there are such, else to a completion.
func TestOtherKeysWalkThroughEarlierLines(t *testing.T) {
	x := start(t, small(3), 120, 24, func(o *Options) {
		o.Keys = map[string][]string{"previous-command": {"ctrl+p"}, "next-command": {"ctrl+n"}, "previous-completion": {"shift+tab", "ctrl+p"}, "next-completion": {"ctrl+n"}}
	})
	x.order("sort -date")
	x.order("sort date")
	x.press(":")
	x.wants("ctrl+p earlier commands")
	x.press("ctrl+p ctrl+p")
	x.wants(":sort -date")
	x.press("ctrl+n")
	x.wants(":sort date")
	x.press("esc :")
	x.write("sort")
	x.press("ctrl+n")
	x.wants("enter take it")
	x.press("esc esc")
	x.typed("status:pending")
	x.press("enter")
	x.press("/ ctrl+u")
	x.wants("ctrl+p earlier filters")
	x.press("ctrl+p")
	x.wants("status:pending")
	x.press("ctrl+u esc")
}
