// Package recipe writes what belongs to a data set beside its records: the card
// that says what is in it, and configurations with which trainers read it as it
// is. All are templates filled with the numbers of one export; what comes from
// sessions or curators is quoted for the language it stands in.
package recipe

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"
)

//go:embed templates
var files embed.FS

// Data is what is known of a data set.
type Data struct {
	Name        string // of the folder
	Program     string
	Format      string // name of the emitter
	Description string // what reads the format
	Losses      string // what it cannot carry
	Languages   []string
	Splits      []string // names, in the order they were asked for
	Configs     []Config // the first is the default one

	Samples int
	Rows    int
	Tokens  int
	Longest int // tokens of the longest sample
	Trained int // assistant messages
	Types   []Count
	Tools   []Count // the most frequent first
	LeftOut []Count // by check
	// Compressed is how many samples compressions made of Shortened segments.
	Compressed, Shortened int

	Parquet   bool
	Redacted  bool
	Unjudged  bool   // samples that nobody has judged may be in it
	Tokenizer string // that counted the tokens, "" estimated
	Filter    string
}

// Config is one of the tables of a data set.
type Config struct {
	Name   string
	Splits []Split
	// Features are its columns; none: they are not told.
	Features []Feature
	// Trained says that recipes train on it. Several such tables differ in their
	// columns only.
	Trained bool
}

// Has reports whether a split has rows in the table.
func (c *Config) Has(split string) bool {
	return slices.ContainsFunc(c.Splits, func(s Split) bool { return s.Name == split })
}

// Feature is a column as the datasets library declares it.
type Feature struct {
	Name   string
	Type   string // "json" for what has no fixed shape
	List   bool
	Fields []Feature // of the objects of a list, in place of Type
}

// Split is a part of a table.
type Split struct {
	Name    string
	Pattern string // of its files, with slashes
	Files   []string
	Rows    int
}

// Count counts samples.
type Count struct {
	Name    string
	Samples int
}

// File is a file beside the records.
type File struct {
	Name string
	Data []byte
}

// recipes are the templates for each format.
var recipes = map[string][]string{
	"hf":           {"trl.py", "axolotl.yaml", "unsloth.py"},
	"sft":          {"trl.py", "axolotl.yaml"},
	"steps":        {"trl.py"},
	"kto":          {"trl_kto.py"},
	"openai":       {"openai.py"},
	"sharegpt":     {"axolotl.yaml"},
	"hermes":       {"axolotl.yaml"},
	"hermes-batch": {"axolotl.yaml"},
	"llamafactory": {"llamafactory.yaml"},
	"swift":        {"swift.sh"},
	"twinkle":      {"twinkle.py"},

	"dpo":              {"trl_dpo.py"},
	"llamafactory-dpo": {"llamafactory_dpo.yaml"},
	"swift-dpo":        {"swift_dpo.sh"},
	"twinkle-dpo":      {"twinkle_dpo.py"},
	"openai-dpo":       {"openai_dpo.py"},
}

// Card writes the dataset card, as the Hugging Face Hub reads it.
func Card(d *Data) ([]byte, error) { return fill("card.md", d) }

// Recipes writes the configurations that fit the format.
func Recipes(d *Data) ([]File, error) {
	var all []File
	for _, name := range recipes[d.Format] {
		text, err := fill(name, d)
		if err != nil {
			return nil, err
		}
		all = append(all, File{name, text})
	}
	return all, nil
}

// shared has what several templates say alike.
const shared = "parts.tmpl"

func fill(name string, d *Data) ([]byte, error) {
	t, err := template.New(name).Funcs(template.FuncMap{
		"quote": Quote, "shell": shell, "text": plainText, "label": label,
	}).ParseFS(files, "templates/"+name, "templates/"+shared)
	if err != nil {
		return nil, fmt.Errorf("recipe %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		return nil, fmt.Errorf("recipe %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// mostTools are the tools that the card lists: beyond, each is in few samples,
// and a card is read by people.
const mostTools = 30

// TopTools are the tools that the card lists.
func (d *Data) TopTools() []Count { return d.Tools[:min(len(d.Tools), mostTools)] }

// MoreTools is how many there are beyond these.
func (d *Data) MoreTools() int { return len(d.Tools) - len(d.TopTools()) }

// Length is a length of context in tokens that holds every sample: chat
// templates and other tokenizers need more than the longest was counted with.
func (d *Data) Length() int {
	const step = 1024 // as frameworks align lengths
	need := d.Longest + d.Longest/4 + step
	return (need + step - 1) / step * step
}

// Whole is what is counted with Longest.
func (d *Data) Whole() string {
	if strings.HasSuffix(d.Format, "dpo") {
		return "prompt with an answer"
	}
	return "sample"
}

// Size is the category of the number of rows that the Hub knows.
func (d *Data) Size() string {
	for _, c := range []struct {
		below int
		name  string
	}{{1e3, "n<1K"}, {1e4, "1K<n<10K"}, {1e5, "10K<n<100K"}, {1e6, "100K<n<1M"}, {1e7, "1M<n<10M"}} {
		if d.Rows < c.below {
			return c.name
		}
	}
	return "n>10M"
}

// Train is the split that is trained: the first.
func (d *Data) Train() Split { return d.split(0) }

// Eval is the split that is measured on: the second. It has no files if there
// is none.
func (d *Data) Eval() Split { return d.split(1) }

// split is that of the tables that are trained together. The one with all
// columns comes first: loaders take its columns for all.
func (d *Data) split(i int) (out Split) {
	if i >= len(d.Splits) {
		return Split{}
	}
	out.Name = d.Splits[i]
	for _, c := range d.Configs {
		for _, s := range c.Splits {
			if s.Name == out.Name && c.Trained {
				out.Files = append(out.Files, s.Files...)
				out.Rows += s.Rows
			}
		}
	}
	return out
}

// Loader is the name that the datasets library has for the kind of file.
func (d *Data) Loader() string {
	if d.Parquet {
		return "parquet"
	}
	return "json"
}

// Entries are the names of the files as LLaMA-Factory's dataset_info.json has
// them.
func (s Split) Entries() string {
	var names []string
	for _, f := range s.Files {
		f = f[strings.LastIndexByte(f, '/')+1:]
		for _, ending := range [...]string{".gz", ".jsonl", ".parquet"} {
			f = strings.TrimSuffix(f, ending)
		}
		names = append(names, f)
	}
	return strings.Join(names, ",")
}

// Quote writes a text between double quotes, as both YAML and Python read it.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r > 0xffff && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// shell writes a text as one word of a shell.
func shell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// plainText writes a text into Markdown as it is: nothing in it is a mark.
func plainText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == utf8.RuneError || !unicode.IsPrint(r):
			b.WriteByte(' ')
		case r < 0x80 && unicode.In(r, unicode.Punct, unicode.Symbol) && !strings.ContainsRune(".,:;/'()%+=-", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// label makes a comment of a text: one line, whatever is in it.
func label(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}
