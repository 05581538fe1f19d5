package export

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"winnow/core/chat"
	"winnow/core/review"
)

// nasty has what must not break a card.
const nasty = "x\" | `b`: - [*] \\ é 日本 #\n---\nlicense: mit"

// TestEveryFormatHasACardAndRecipes exports each format to a folder, and reads
// what lies beside the records as YAML where it is.
func TestEveryFormatHasACardAndRecipes(t *testing.T) {
	for _, e := range Emitters() {
		l := good(4)
		l.add(withTools, user("u"), says("a"))
		l.add(func(s *review.Segment, _ *review.Session) { s.TaskType = nasty }, user("the end of this is that you and the others"), says("a"))
		l.add(nil, user("u"), chat.Message{Role: chat.Assistant, Content: "a", ToolCalls: []chat.ToolCall{{ID: "c", Name: nasty, Arguments: "{}"}}},
			chat.Message{Role: chat.Tool, ToolCallID: "c", Content: "r"}, says("b"))
		l.add(nil, user("which?"), says("this"))
		l.add(rejected, user("which?"), says("that"))
		dir := filepath.Join(t.TempDir(), "my: \"set\"")
		opts := Options{Path: dir + "/", As: e.Name, Splits: halves, Program: "winnow 1", KeepNoReasoning: true}
		if e.Tree() {
			opts.Gaps, _ = ParseGaps(allGaps)
		}
		report := run(t, l, opts)
		card := read(t, filepath.Join(dir, cardName))
		_, rest, _ := strings.Cut(card, "---\n")
		front, body, _ := strings.Cut(rest, "---\n")
		var head struct {
			License string
			Size    []string `yaml:"size_categories"`
			Tasks   []string `yaml:"task_categories"`
			Configs []struct {
				Name  string                         `yaml:"config_name"`
				Files []struct{ Split, Path string } `yaml:"data_files"`
			}
		}
		if err := yaml.Unmarshal([]byte(front), &head); err != nil {
			t.Fatalf("%s: %v\n%s", e.Name, err, front)
		}
		if head.License != "unknown" || head.Size[0] != "n<1K" || head.Tasks[0] != "text-generation" || head.Configs[0].Name != "default" {
			t.Errorf("%s: %+v", e.Name, head)
		}
		covered := 0
		for _, c := range head.Configs {
			for _, f := range c.Files {
				found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(f.Path)))
				if err != nil || len(found) == 0 {
					t.Errorf("%s: no file is %s", e.Name, f.Path)
				}
				covered += len(found)
			}
		}
		if covered != len(report.Files) {
			t.Errorf("%s: the card has %d of %d files", e.Name, covered, len(report.Files))
		}
		if strings.Contains(body, "\nlicense: mit") {
			t.Errorf("%s: a name broke out:\n%s", e.Name, body)
		}
		names, err := os.ReadDir(filepath.Join(dir, recipeFolder))
		if e.Tree() { // no trainer reads it from files
			continue
		}
		if err != nil || len(names) == 0 {
			t.Errorf("%s has no recipe: %v", e.Name, err)
		}
		for _, name := range names {
			text := read(t, filepath.Join(dir, recipeFolder, name.Name()))
			if !strings.Contains(text, "train-00000-of-00001") && !strings.Contains(text, ".jsonl") || strings.Contains(text, "<no value>") {
				t.Errorf("%s: %s:\n%s", e.Name, name.Name(), text)
			}
			if filepath.Ext(name.Name()) == ".yaml" {
				var any map[string]any
				if err := yaml.Unmarshal([]byte(text), &any); err != nil {
					t.Errorf("%s: %v\n%s", e.Name, err, text)
				}
			}
		}
	}
}

func TestLanguagesAreTold(t *testing.T) {
	english := "this is the end of that, and you are with the others for this"
	for want, texts := range map[string][]string{
		"[]":      {"", "x y z", `{"role":"user","content":"go"}`},
		"[en]":    {english, english, "0x00"},
		"[de en]": {"ich bin nicht der, und das ist mit ein auf die", "die und das ist nicht der, mit ein ich", english},
		"[zh]":    {"你好你好你好你好你好"},
		"[ja]":    {"これは日本語です。日本語日本語日本語"},
		"[ko]":    {"안녕하세요 안녕하세요"},
	} {
		tt := newTongues()
		for _, text := range texts {
			tt.add([]byte(text))
		}
		if got := fmt.Sprint(tt.list()); got != want {
			t.Errorf("%s: %s", want, got)
		}
	}
}

// A language that comes late in a large data set is told as well: few of its
// samples are looked at, and each stands for many.
func TestLanguagesOfManySamples(t *testing.T) {
	tongues := newTongues()
	english := []byte(`{"content":"the cat and the dog of the house is with you for this and that"}`)
	chinese := []byte(`{"content":"請列出這個資料夾裡的所有檔案，並且說明每一個檔案的用途。"}`)
	for range 1500 {
		tongues.add(english)
	}
	for range 500 {
		tongues.add(chinese)
	}
	if got := tongues.list(); !slices.Equal(got, []string{"en", "zh"}) {
		t.Errorf("%v", got)
	}
}
