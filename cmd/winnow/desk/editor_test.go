package desk

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"winnow/cmd/winnow/config"
)

func TestEditorsAreToldTheLineAsTheyWantIt(t *testing.T) {
	const path = "/a b/$(rm -rf ~);'x.jsonl"
	for command, want := range map[string][]string{
		"vim":                         {"vim", "+12", path},
		"/usr/bin/nvim -R":            {"/usr/bin/nvim", "-R", "+12", path},
		"nano":                        {"nano", "+12", path},
		"emacsclient -nw -a ''":       {"emacsclient", "-nw", "-a", "", "+12", path},
		"code --wait":                 {"code", "--wait", "--goto", path + ":12"},
		"hx":                          {"hx", path + ":12"},
		"subl -w":                     {"subl", "-w", path + ":12"},
		"zed":                         {"zed", path + ":12"},
		"goland":                      {"goland", "--line", "12", path},
		"kate":                        {"kate", "-l", "12", path},
		"ed":                          {"ed", path},
		`"/opt/my editor/vim" -c "a"`: {"/opt/my editor/vim", "-c", "a", "+12", path},
		`my\ vim 'x  y'`:              {"my vim", "x  y", path},
		`vim -c 'set nu' "\$HOME`:     nil,
		`vim \`:                       nil,
		"vim $(touch x) `y` $HOME;ls": {"vim", "$(touch", "x)", "`y`", "$HOME;ls", "+12", path},
	} {
		env := &config.Env{Lookup: lookupOf(map[string]string{"EDITOR": command})}
		words, err := editor(env)
		switch {
		case want == nil && err == nil:
			t.Errorf("%s: no error", command)
		case want != nil && err != nil:
			t.Errorf("%s: %v", command, err)
		case want != nil && !slices.Equal(editorArgs(words, path, 12), want):
			t.Errorf("%s: %q", command, editorArgs(words, path, 12))
		}
	}
}

func TestVisualGoesBeforeEditorAndNoneSaysWhatToSet(t *testing.T) {
	env := &config.Env{Lookup: lookupOf(map[string]string{"VISUAL": "hx", "EDITOR": "vi"})}
	if words, err := editor(env); err != nil || words[0] != "hx" {
		t.Errorf("%q, %v", words, err)
	}
	env = &config.Env{Lookup: lookupOf(map[string]string{"VISUAL": "  "})}
	if _, err := editor(env); err == nil || !strings.Contains(err.Error(), "VISUAL or EDITOR") {
		t.Errorf("%v", err)
	}
}

func TestAnEditorThatIsThereIsTakenIfNoneIsSet(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("notepad is always there")
	}
	dir := t.TempDir()
	env := &config.Env{Lookup: lookupOf(map[string]string{"PATH": "." + string(filepath.ListSeparator) + dir})}
	put := func(name string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	put("nano", 0o644) // no program
	put("vi", 0o755)
	if words, err := editor(env); err != nil || !slices.Equal(words, []string{filepath.Join(dir, "vi")}) {
		t.Errorf("%q, %v", words, err)
	}
	put("vim", 0o755)
	if words, err := editor(env); err != nil || !slices.Equal(words, []string{filepath.Join(dir, "vim")}) {
		t.Errorf("%q, %v", words, err)
	}
}

func lookupOf(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}
}
