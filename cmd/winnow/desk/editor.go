package desk

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"winnow/cmd/winnow/config"
)

// editor returns the words of the curator's editor: $VISUAL, else $EDITOR, else the
// first of the usual ones that is there.
func editor(env *config.Env) ([]string, error) {
	for _, name := range [...]string{"VISUAL", "EDITOR"} {
		text := strings.TrimSpace(env.Get(name))
		if text == "" {
			continue
		}
		words, err := shellWords(text)
		if err != nil {
			return nil, errors.New("$" + name + ": " + err.Error())
		}
		if len(words) > 0 && words[0] != "" {
			return words, nil
		}
	}
	for _, name := range usualEditors() {
		if path := onPath(env.Get("PATH"), name); path != "" {
			return []string{path}, nil
		}
	}
	return nil, errors.New("no editor is set: name one in VISUAL or EDITOR, as in EDITOR=vim")
}

// usualEditors are those of curators who set none.
func usualEditors() []string {
	if runtime.GOOS == "windows" {
		return []string{"notepad.exe"}
	}
	return []string{"nano", "vim", "vi"}
}

// onPath returns the file of a program in the folders of a PATH, "" if none holds it.
func onPath(folders, name string) string {
	for _, dir := range filepath.SplitList(folders) {
		if !filepath.IsAbs(dir) {
			continue // what lies in the current folder is not run
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	return ""
}

// shellWords splits a command as a shell does: at white space, with quotes and
// backslashes. Nothing in it is expanded or run.
func shellWords(text string) (words []string, err error) {
	var word strings.Builder
	begun := false
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && quote != '\'':
			if i++; i == len(text) {
				return nil, errors.New("it ends in a backslash that has nothing to quote")
			}
			if quote == '"' && !strings.ContainsRune("\\\"$`", rune(text[i])) {
				word.WriteByte('\\')
			}
			word.WriteByte(text[i])
			begun = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// How editors are told a line.
var (
	plusLine   = []string{"+LINE", "FILE"}
	colonLine  = []string{"FILE:LINE"}
	gotoLine   = []string{"--goto", "FILE:LINE"}
	lineOption = []string{"--line", "LINE", "FILE"}
	kateLine   = []string{"-l", "LINE", "FILE"}
)

// lineStyles are those of the editors that are known, by the name of their
// program. Another one is given the file only: it might take a line for a file.
var lineStyles = map[string][]string{
	"vi": plusLine, "vim": plusLine, "nvim": plusLine, "view": plusLine, "gvim": plusLine, "mvim": plusLine, "vim.tiny": plusLine, "vim.basic": plusLine,
	"nano": plusLine, "pico": plusLine, "emacs": plusLine, "emacsclient": plusLine, "micro": plusLine, "kak": plusLine, "joe": plusLine, "mg": plusLine, "ne": plusLine,
	"less": plusLine, "gedit": plusLine,
	"hx": colonLine, "helix": colonLine, "subl": colonLine, "sublime_text": colonLine, "zed": colonLine, "zeditor": colonLine,
	"code": gotoLine, "code-insiders": gotoLine, "codium": gotoLine, "vscodium": gotoLine, "cursor": gotoLine, "windsurf": gotoLine, "positron": gotoLine,
	"idea": lineOption, "goland": lineOption, "pycharm": lineOption, "webstorm": lineOption,
	"kate": kateLine, "mate": kateLine,
}

// editorArgs returns the words that open a file at a line.
func editorArgs(words []string, path string, line int64) []string {
	style := lineStyles[strings.TrimSuffix(strings.ToLower(filepath.Base(words[0])), ".exe")]
	if style == nil {
		style = []string{"FILE"}
	}
	filled := strings.NewReplacer("LINE", strconv.FormatInt(line, 10), "FILE", path)
	args := slices.Clone(words)
	for _, word := range style {
		args = append(args, filled.Replace(word))
	}
	return args
}
