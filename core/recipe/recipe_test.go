package recipe

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func TestQuotedTextIsTheSameInYAML(t *testing.T) {
	for _, text := range []string{"", "a", `"\`, "a\nb\tc\r\x00\x7f\u0085\u2028\ufeff", "日本 😀 é", "\U000e0001", "---", "{{x}}", "'"} {
		var back string
		if err := yaml.Unmarshal([]byte(Quote(text)), &back); err != nil || back != text {
			t.Errorf("%q: %s reads as %q, %v", text, Quote(text), back, err)
		}
		if strings.ContainsAny(Quote(text), "\n\r\x00") {
			t.Errorf("%q has more than one line", text)
		}
	}
}

func TestTextInMarkdownIsNoMark(t *testing.T) {
	if got := plainText("a|b`c`\n# <b>[x](y)"); got != "a\\|b\\`c\\` \\# \\<b\\>\\[x\\](y)" {
		t.Error(got)
	}
}

func TestLengthsHoldTheLongestSample(t *testing.T) {
	for longest, want := range map[int]int{0: 1024, 1: 2048, 1000: 3072, 10000: 14336} {
		if got := (&Data{Longest: longest}).Length(); got != want || got < longest {
			t.Errorf("%d: %d, want %d", longest, got, want)
		}
	}
}

func TestSizesAreThoseOfTheHub(t *testing.T) {
	for rows, want := range map[int]string{0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 99999: "10K<n<100K", 1e6: "1M<n<10M", 1e8: "n>10M"} {
		if got := (&Data{Rows: rows}).Size(); got != want {
			t.Errorf("%d: %s", rows, got)
		}
	}
}

func TestEveryRecipeFills(t *testing.T) {
	for format, names := range recipes {
		d := &Data{Name: "a\nzz", Format: format, Longest: 5000, Splits: []string{"train", "test"}, Configs: []Config{{Name: "default", Trained: true, Splits: []Split{
			{"train", "data/train-*.jsonl", []string{"data/train-0.jsonl", "data/it's \"1\".jsonl"}, 3}, {"test", "data/test-*.jsonl", []string{"data/test-0.jsonl"}, 1},
		}}}}
		all, err := Recipes(d)
		if err != nil || len(all) != len(names) {
			t.Errorf("%s: %d recipes, %v", format, len(all), err)
		}
		for _, f := range all {
			if text := string(f.Data); strings.Contains(text, "\nzz") || !strings.Contains(text, "data/test-0") && !strings.Contains(text, "test-0") && f.Name != "trl_kto.py" && f.Name != "unsloth.py" && f.Name != "twinkle.py" && f.Name != "twinkle_dpo.py" {
				t.Errorf("%s:\n%s", f.Name, text)
			}
		}
	}
	if all, err := Recipes(&Data{Format: "none"}); len(all) != 0 || err != nil {
		t.Error(all, err)
	}
}

func TestACardListsTheMostFrequentTools(t *testing.T) {
	d := &Data{Format: "hf"}
	for i := range mostTools + 2 {
		d.Tools = append(d.Tools, Count{fmt.Sprintf("x%02d", i), 100 - i})
		card, err := Card(d)
		if err != nil {
			t.Fatal(err)
		}
		text := string(card)
		if got, more := strings.Count(text, "\n| x"), strings.Contains(text, " more."); got != min(i+1, mostTools) || more != (i >= mostTools) {
			t.Errorf("%d tools: %d listed, more: %t", i+1, got, more)
		}
	}
	if card, _ := Card(d); !strings.Contains(string(card), "| x29 | 71 |\n\nand 2 more.\n\n## Format") {
		t.Errorf("%s", card)
	}
}

// A table that has nothing of the first split does not make another one that
// which is trained.
func TestTheFirstSplitIsTrained(t *testing.T) {
	d := &Data{Splits: []string{"train", "test"}, Configs: []Config{
		{Name: "default", Trained: true, Splits: []Split{{Name: "test", Files: []string{"test"}, Rows: 1}}},
		{Name: "notools", Trained: true, Splits: []Split{{Name: "train", Files: []string{"train.notools"}, Rows: 2}, {Name: "test", Files: []string{"test.notools"}, Rows: 3}}},
		{Name: "others", Splits: []Split{{Name: "train", Files: []string{"others"}, Rows: 9}}},
	}}
	if train := d.Train(); train.Name != "train" || train.Rows != 2 || strings.Join(train.Files, " ") != "train.notools" {
		t.Errorf("%+v is trained", train)
	}
	if eval := d.Eval(); eval.Name != "test" || eval.Rows != 4 || strings.Join(eval.Files, " ") != "test test.notools" {
		t.Errorf("%+v is measured on", eval)
	}
}
