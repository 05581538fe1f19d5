package desk

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"winnow/cmd/winnow/config"
)

// editor returns the words of the curator's editor: $VISUAL, else $EDITOR.
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
	return nil, errors.New("no editor is set: name one in VISUAL or EDITOR, as in EDITOR=vim")
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

// lineStyle is how an editor is told a line.
type lineStyle int

const (
	noLine     lineStyle = iota
	plusLine             // +LINE FILE
	colonLine            // FILE:LINE
	gotoLine             // --goto FILE:LINE
	lineOption           // --line LINE FILE
	kateLine             // -l LINE FILE
)

// lineStyles are those of the editors that are known, by the name of their
// program. Another one is given the file only: it might take a line for a file.
var lineStyles = map[string]lineStyle{
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
	args := append([]string(nil), words...)
	n := strconv.FormatInt(line, 10)
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(words[0])), ".exe")
	switch lineStyles[name] {
	case plusLine:
		return append(args, "+"+n, path)
	case colonLine:
		return append(args, path+":"+n)
	case gotoLine:
		return append(args, "--goto", path+":"+n)
	case lineOption:
		return append(args, "--line", n, path)
	case kateLine:
		return append(args, "-l", n, path)
	}
	return append(args, path)
}
