package write

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/chat"
	"winnow/core/memory"
	"winnow/core/secret"
	"winnow/core/secret/secrettest"
)

var scanner = sync.OnceValue(func() *secret.Scanner {
	s := secret.New(nil)
	if err := s.Load(); err != nil {
		panic(err)
	}
	return s
})

func options() Options { return Options{Scanner: scanner()} }

func made(n int, kind memory.Kind, content string) memory.Memory {
	m := memory.Memory{
		ID: fmt.Sprintf("%08x-0000-4000-8000-000000000000", n), Kind: kind, Title: "Title " + fmt.Sprint(n), Content: content, Status: memory.Approved,
		Grade: 0.5, Agent: "laptop", Sources: []memory.Source{{Detail: fmt.Sprint(n), Segment: "0123456789", Live: true, Cites: []memory.Cite{{N: 1, Role: chat.User, In: memory.InText, Quote: "so it is"}}}},
	}
	m.Identify()
	m.Tags = memory.Tags(&m)
	return m
}

func some() []memory.Memory {
	list := []memory.Memory{
		made(1, memory.Fact, "The staging database is read-only on weekends."),
		made(2, memory.Rule, "Always run `make mocks` before `go vet`."),
		made(3, memory.Pitfall, "`go vet` fails on old mocks."),
		made(4, memory.Procedure, "1. Tag the commit.\n2. Run `make release`."),
		made(5, memory.Rule, "Never push to `main`."),
		made(6, memory.Rule, "Proposed only."),
		made(7, memory.Rule, "Stale by now."),
	}
	list[2].Resolution, list[2].Context = "run `make mocks`", "when mocks change"
	list[3].Context, list[3].Resolution = "when a release is due", "`winnow --version` tells the tag"
	list[3].Sources[0].Cites[0] = memory.Cite{N: 3, Role: chat.Tool, In: memory.InResult, Check: true, Quote: "winnow 1.4.2"}
	list[4].Grade = 0.9
	list[5].Status = memory.Proposed
	list[6].Stale = true
	return list
}

const block = `<!-- winnow:begin -->
## Notes from past sessions

A person approved each of them. What the user says, and what the files here show, counts more than they do.

### Rules

- Never push to ` + "`main`" + `. <!-- w:00000005 -->
- Always run ` + "`make mocks` before `go vet`" + `. <!-- w:00000002 -->

### Pitfalls

- ` + "`go vet` fails on old mocks. → run `make mocks`" + ` (when mocks change) <!-- w:00000003 -->

### Facts

- The staging database is read-only on weekends. <!-- w:00000001 -->
<!-- winnow:end -->
`

func agents(t *testing.T, file string, list []memory.Memory, o Options) (string, Report) {
	t.Helper()
	out, r, err := Agents([]byte(file), list, o)
	if err != nil {
		t.Fatalf("%q: %v", file, err)
	}
	return string(out), r
}

func TestAgentsBlock(t *testing.T) {
	got, r := agents(t, "", some(), options())
	if got != block {
		t.Errorf("got\n%s\nwant\n%s", got, block)
	}
	if len(r.Written) != 4 || len(r.Left) != 3 || r.Tokens == 0 || r.Tokens > DefaultTokens {
		t.Errorf("%+v", r)
	}
}

func TestAgentsLeavesTheRestAsItIs(t *testing.T) {
	const old = "<!-- winnow:begin -->\nold\n<!-- winnow:end -->"
	crlf := strings.ReplaceAll(block, "\n", "\r\n")
	for _, c := range []struct{ file, want string }{
		{"# Mine\n", "# Mine\n\n" + block},
		{"# Mine", "# Mine\n\n" + block},
		{"# Mine\r\nmore\r\n", "# Mine\r\nmore\r\n\r\n" + crlf},
		{"# Mine\n\n" + old + "\n\n# After \t\n  end", "# Mine\n\n" + block + "\n# After \t\n  end"},
		{"\ufeff" + old, "\ufeff" + strings.TrimSuffix(block, "\n")},
		{"a\r\n" + strings.ReplaceAll(old, "\n", "\r\n") + "\r\nb", "a\r\n" + crlf + "b"},
		{"a\r\n" + old + "\nb", "a\r\n" + block + "b"},
		{"\r", "\r\n\n" + block},
		{"  " + old + "  \nb", "  " + strings.TrimSuffix(block, "\n") + "  \nb"},
		{"```markdown\n" + old + "\n```\n", "```markdown\n" + old + "\n```\n\n" + block},
		{"~~~~\n" + old + "\n~~~\n~~~~\n" + old + "\n", "~~~~\n" + old + "\n~~~\n~~~~\n" + block},
		{"```\n" + old + "\n", "```\n" + block},
		{"inline <!-- winnow:begin --> is none\n", "inline <!-- winnow:begin --> is none\n\n" + block},
	} {
		got, _ := agents(t, c.file, some(), options())
		if got != c.want {
			t.Errorf("%q: got\n%q\nwant\n%q", c.file, got, c.want)
		}
		if again, _ := agents(t, got, some(), options()); again != got {
			t.Errorf("%q: again\n%q\nafter\n%q", c.file, again, got)
		}
		list := some()
		slices.Reverse(list)
		if again, _ := agents(t, got, list, options()); again != got {
			t.Errorf("%q: another order is another file", c.file)
		}
	}
}

func TestLongFilesAreToldOf(t *testing.T) {
	for file, want := range map[string]int{"# Mine\n": 0, strings.Repeat("line\n", 300): 1, strings.Repeat("long ", 8000): 1, strings.Repeat("longer lines than others have, by far, and more of them, too, so that it is long\n", 500): 2} {
		if _, r := agents(t, file, some(), options()); len(r.Warnings) != want {
			t.Errorf("%d bytes: %q", len(file), r.Warnings)
		}
	}
}

func TestAgentsWithoutMemories(t *testing.T) {
	for file, want := range map[string]string{
		"":       "",
		"# Mine": "# Mine",
		"a\n<!-- winnow:begin -->\nold\n<!-- winnow:end -->\nb":      "a\nb",
		"a\n\n<!-- winnow:begin -->\nold\n<!-- winnow:end -->\n\nb":  "a\n\nb",
		"a\r\n\r\n<!-- winnow:begin -->\r\n<!-- winnow:end -->\r\n":  "a\r\n",
		"\ufeff<!-- winnow:begin -->\nold\n<!-- winnow:end -->":      "\ufeff",
		"\n\n\n  <!-- winnow:begin -->\nold\n<!-- winnow:end --> \n": "\n\n",
	} {
		if got, _ := agents(t, file, nil, options()); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}

// TestNoMemoryLeavesNothing: a file that had none before is as it was once none is
// written into it any more.
func TestNoMemoryLeavesNothing(t *testing.T) {
	for _, file := range []string{"", "# Mine\n", "# Mine\r\nmore\r\n", "# Mine\n\n", "\ufeff# Mine\n", "\n"} {
		with, _ := agents(t, file, some(), options())
		if got, _ := agents(t, with, nil, options()); got != file {
			t.Errorf("%q: %q", file, got)
		}
	}
}

func TestChangesOfABlock(t *testing.T) {
	file, r := agents(t, "", some()[:2], options())
	if fmt.Sprint(r.Added, r.Removed) != "[00000002 00000001] []" {
		t.Errorf("%q %q", r.Added, r.Removed)
	}
	_, r = agents(t, file, some()[1:], options())
	if fmt.Sprint(r.Added, r.Removed) != "[00000005 00000003] [00000001]" {
		t.Errorf("%q %q", r.Added, r.Removed)
	}
	if _, r = agents(t, file, nil, options()); fmt.Sprint(r.Added, r.Removed) != "[] [00000001 00000002]" {
		t.Errorf("%q %q", r.Added, r.Removed)
	}
}

func TestAgentsRefusesWhatItCannotMend(t *testing.T) {
	for file, want := range map[string]string{
		"a\n<!-- winnow:begin -->\nb\n": "line 2: <!-- winnow:begin --> without <!-- winnow:end --> after it: add that line where the notes end, or remove this one",
		"<!-- winnow:end -->\n":         "line 1: <!-- winnow:end --> without <!-- winnow:begin --> before it: add that line where the notes begin, or remove this one",
		"<!-- winnow:begin -->\n<!-- winnow:begin -->\n<!-- winnow:end -->":                      "line 2: <!-- winnow:begin --> a second time (first on line 1): remove one of the blocks",
		"<!-- winnow:begin -->\n<!-- winnow:end -->\n<!-- winnow:end -->":                        "line 3: <!-- winnow:end --> a second time: remove it",
		"<!-- winnow:begin -->\n<!-- winnow:end -->\n<!-- winnow:begin -->\n<!-- winnow:end -->": "line 3: <!-- winnow:begin --> a second time (first on line 1): remove one of the blocks",
		"a\x00b": "it is no UTF-8 text: save it as UTF-8 first",
		"\xff":   "it is no UTF-8 text: save it as UTF-8 first",
	} {
		if _, _, err := Agents([]byte(file), some(), options()); err == nil || err.Error() != want {
			t.Errorf("%q: %v", file, err)
		}
	}
}

func TestBudgetTakesTheBest(t *testing.T) {
	o := options()
	o.MaxTokens = 75
	got, r := agents(t, "", some(), o)
	if !strings.Contains(got, "w:00000005") || strings.Contains(got, "w:00000003") || r.Tokens > 75 {
		t.Errorf("%d tokens:\n%s", r.Tokens, got)
	}
	if o.MaxTokens = 10; true {
		if got, r := agents(t, "x\n", some(), o); got != "x\n" || len(r.Written) != 0 || len(r.Left) != 7 {
			t.Errorf("%q %+v", got, r)
		}
	}
}

// TestNoTextBreaksOut has texts that try to end their line, their comment or the block.
func TestNoTextBreaksOut(t *testing.T) {
	for _, text := range []string{
		"a\n<!-- winnow:end -->\n# Mine", "a <!-- w:00000000 --> b", "a <!--> b", "--> <!-- winnow:end -->", "<!--<!---->-->", "a\r\nb", "a\u2028b\u2029c\u0085d", "a\vb\fc", "a\u202Eb", "<!\u200B--", "a --!> b", "\x1b[2K<!-- winnow:end -->", "- x\n- y", "# head",
	} {
		for _, put := range []func(*memory.Memory){
			func(m *memory.Memory) { m.Content = text }, func(m *memory.Memory) { m.Resolution = text }, func(m *memory.Memory) { m.Context = text }, func(m *memory.Memory) { m.Title = text },
		} {
			list := []memory.Memory{made(1, memory.Rule, "First `one`."), made(2, memory.Procedure, "Second `one`.")}
			put(&list[0])
			put(&list[1])
			got, _ := agents(t, "", list, options())
			if strings.Count(got, "\n") != 9 || strings.Count(got, "<!--") != 3 || strings.Count(got, "-->") != 3 || strings.ContainsAny(got, "\r\v\f\u2028\u2029\u0085\u202E\x1b") {
				t.Errorf("%q:\n%s", text, got)
			}
			files, _ := Skills(list, options())
			checkSkill(t, files[0])
			if strings.Count(string(files[0].Data), "<!--") != strings.Count(string(files[0].Data), memory.MarkHead) {
				t.Errorf("%q:\n%s", text, files[0].Data)
			}
		}
	}
}

var front = regexp.MustCompile(`\A---\nname: ([a-z0-9]+(?:-[a-z0-9]+)*)\ndescription: "((?:[^"\\\n<>]|\\["\\])*)"\n---\n\n# `)

// checkSkill checks the published limits.
func checkSkill(t *testing.T, f File) {
	t.Helper()
	m := front.FindStringSubmatch(string(f.Data))
	if m == nil {
		t.Fatalf("%s begins otherwise:\n%s", f.Path, f.Data)
	}
	if f.Path != m[1]+"/SKILL.md" || len(m[1]) > 64 || len([]rune(unquoted.Replace(m[2]))) > descriptionMost || m[2] == "" || strings.Contains(m[1], "claude") || strings.Contains(m[1], "anthropic") {
		t.Errorf("%s: name %q, description %q", f.Path, m[1], m[2])
	}
	if n := strings.Count(string(f.Data), "\n"); n >= 500 {
		t.Errorf("%s has %d lines", f.Path, n)
	}
	for _, head := range []string{"## When to use", "## Steps", "## Pitfalls", "## Check"} {
		if !strings.Contains(string(f.Data), "\n"+head+"\n") {
			t.Errorf("%s lacks %q", f.Path, head)
		}
	}
}

// unquoted reads a text of YAML back.
var unquoted = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// TestLongSkills: each part of a skill may be as long as a memory can be made, or longer.
func TestLongSkills(t *testing.T) {
	long := made(1, memory.Procedure, strings.Repeat("x\n", 300))
	long.Title, long.Context, long.Resolution = strings.Repeat(`say "x" `, 15), strings.Repeat("y\n", 300)+strings.Repeat(`very "long" `, 400), strings.Repeat("z\n", 300)
	list := []memory.Memory{long}
	for i := range 300 {
		p := made(2+i, memory.Pitfall, fmt.Sprint("Pitfall `", i, "`."))
		p.Sources[0].Detail = long.Sources[0].Detail
		list = append(list, p)
	}
	for range 300 {
		list[0].Sources[0].Cites = append(list[0].Sources[0].Cites, memory.Cite{N: 1, Check: true, Role: chat.Tool, In: memory.InResult, Quote: "it is so"})
	}
	files, _ := Skills(list, options())
	checkSkill(t, files[0])
}

func TestSkill(t *testing.T) {
	list := some()
	list[2].Sources[0].Detail = list[3].Sources[0].Detail
	list[3].Title = "Release a version"
	files, r := Skills(list, options())
	if len(files) != 1 || len(r.Written) != 1 || len(r.Left) != 6 {
		t.Fatalf("%d files, %+v", len(files), r)
	}
	checkSkill(t, files[0])
	want := "---\nname: release-a-version\ndescription: \"Release a version. Use when a release is due\"\n---\n\n# Release a version\n\n" +
		"A note from past sessions, approved by a person. <!-- w:00000004 sum:SUM -->\n\n## When to use\n\nwhen a release is due <!-- w:00000004 -->\n\n" +
		"## Steps\n\n1. Tag the commit. <!-- w:00000004 -->\n2. Run `make release`. <!-- w:00000004 -->\n\n" +
		"## Pitfalls\n\n- `go vet` fails on old mocks. → run `make mocks` (when mocks change) <!-- w:00000003 -->\n\n" +
		"## Check\n\n`winnow --version` tells the tag <!-- w:00000004 -->\n- it said: winnow 1.4.2 <!-- w:00000004 -->\n"
	if got := regexp.MustCompile("sum:[0-9a-f]{16}").ReplaceAllString(string(files[0].Data), "sum:SUM"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for text, want := range map[string]bool{string(files[0].Data): true, string(files[0].Data) + "- mine\n": false, strings.Replace(string(files[0].Data), "Tag", "tag", 1): false} {
		if id, whole := Sealed([]byte(text)); id != "00000004" || whole != want {
			t.Errorf("%q %v of\n%s", id, whole, text)
		}
	}
	if id, _ := Sealed([]byte("# Mine <!-- w:00000004 -->\n")); id != "" {
		t.Errorf("%q", id)
	}
}

// TestCodeInSkills: lines of code stay as they are, and no text leaves its block.
func TestCodeInSkills(t *testing.T) {
	m := made(1, memory.Procedure, "1. Run:\n   ```sh\n   # all of it\n   if a; then\n   \tmake  release\n   fi\n   echo '<!-- winnow:end -->'\n   ```\n2. Look at `it`.\n~~~\nnot closed\n# it is")
	files, _ := Skills([]memory.Memory{m}, options())
	const mark = " <!-- w:00000001 -->\n"
	const want = "## Steps\n\n1. Run:" + mark + "   <!-- winnow:begin -->\n   ```sh\n   # all of it\n   if a; then\n   \tmake  release\n   fi\n   echo '<! -- winnow:end -- >'\n   ```\n   <!-- winnow:end -->\n" +
		"2. Look at `it`." + mark + "<!-- winnow:begin -->\n~~~\nnot closed\n# it is\n~~~\n<!-- winnow:end -->\n\n## Pitfalls"
	if got := string(files[0].Data); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	checkSkill(t, files[0])
	e := memory.NewEvidence(memory.About{}, []chat.Message{{Role: chat.User, Content: string(files[0].Data)}}, scanner())
	if strings.Contains(e.Said[0].Text, "release") || strings.Contains(e.Said[0].Text, "it is") {
		t.Errorf("recalled text proves something: %q", e.Said[0].Text)
	}
	m.Content = "```\n" + strings.Repeat("line\n", 400)
	files, _ = Skills([]memory.Memory{m}, options())
	checkSkill(t, files[0])
}

func TestSkillNames(t *testing.T) {
	var list []memory.Memory
	for i, title := range []string{"Deploy", "deploy!", "部署服务", "Use Claude and Anthropic", strings.Repeat("very long words ", 20), strings.Repeat("x", 200), "--", "Größe 2"} {
		m := made(i, memory.Procedure, "Run `make`.")
		m.Title = title
		list = append(list, m)
	}
	files, _ := Skills(list, options())
	names := map[string]bool{}
	for _, f := range files {
		checkSkill(t, f)
		names[f.Path] = true
	}
	if len(names) != len(list) || !names["deploy/SKILL.md"] || !names["deploy-00000001/SKILL.md"] || !names["procedure-00000002/SKILL.md"] || !names["use-and/SKILL.md"] {
		t.Errorf("%v", names)
	}
}

func TestLines(t *testing.T) {
	list := some()
	list[0].Sources[0].File = "/home/marie.curie/work/a.jsonl"
	out, r, err := JSONL(list, options())
	if err != nil || len(r.Written) != 5 || strings.Contains(string(out), "marie") {
		t.Fatalf("%v %+v\n%s", err, r, out)
	}
	for row := range strings.Lines(string(out)) {
		var back memory.Memory
		if err := json.Unmarshal([]byte(row), &back); err != nil || back.Content == "" || len(back.Sources) != 1 || len(back.Sources[0].Cites) != 1 {
			t.Errorf("%v: %s", err, row)
		}
	}
	out, _, err = Mem0(list, options())
	if err != nil {
		t.Fatal(err)
	}
	const first = `{"messages":[{"role":"user","content":"Never push to ` + "`main`" + `."}],"agent_id":"laptop","metadata":{"winnow_id":"00000005-0000-4000-8000-000000000000","kind":"rule","title":"Title 5","grade":0.9,"tags":["trajectory","segment:01234567","agent:laptop"]},"infer":false}` + "\n"
	if !strings.HasPrefix(string(out), first) {
		t.Errorf("%s", out)
	}
}

func TestSecretsAreInNoExport(t *testing.T) {
	for i, p := range secrettest.All() {
		list := some()
		for j := range list {
			switch i % 4 {
			case 0:
				list[j].Content += " " + p.Text
			case 1:
				list[j].Context = p.Text
			case 2:
				list[j].Title = p.Text
			case 3:
				list[j].Sources[0].Cites[0].Quote = p.Text
			}
		}
		file, r := agents(t, "", list, options())
		skills, _ := Skills(list, options())
		lines, _, _ := JSONL(list, options())
		mem0, _, _ := Mem0(list, options())
		if all := file + fmt.Sprint(skills) + string(lines) + string(mem0); strings.Contains(all, p.Value) || len(r.Written) > 0 {
			t.Errorf("%d %s is written", i, p.Rule)
		}
	}
}

// TestWhatWasWrittenIsKnownAgain has a session that reads every export: nothing in it
// proves anything.
func TestWhatWasWrittenIsKnownAgain(t *testing.T) {
	list := some()[:5]
	file, _ := agents(t, "# Mine\n\nHand-written words.\n", list, options())
	skills, _ := Skills(list, options())
	for name, text := range map[string]string{"agents": file, "skill": string(skills[0].Data)} {
		for _, as := range []func(string) chat.Message{
			func(s string) chat.Message { return chat.Message{Role: chat.User, Content: s} },
			func(s string) chat.Message { return chat.Message{Role: chat.Tool, Name: "bash", Content: s} },
			func(s string) chat.Message { return chat.Message{Role: chat.Assistant, Content: s} },
			func(s string) chat.Message { return chat.Message{Role: chat.Tool, Name: "read", Content: numbered(s)} },
		} {
			e := memory.NewEvidence(memory.About{}, []chat.Message{as(text)}, scanner())
			for _, m := range list {
				for content := range strings.Lines(m.Content) {
					c := memory.Candidate{Kind: m.Kind, Title: m.Title, Content: "Other `words`", Cites: []memory.Cite{{N: 1, Quote: content}}}
					if _, drop := memory.Gate(c, e, nil); drop == memory.Kept || drop == memory.Generic {
						t.Errorf("%s: %q is proven by itself (%q)", name, content, drop)
					}
				}
			}
		}
	}
}

func numbered(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "%6d→%s\n", i+1, line)
	}
	return b.String()
}

// FuzzAgents has a file that somebody wrote, and texts of memories: what is around the
// block stays, and writing again changes nothing.
func FuzzAgents(f *testing.F) {
	f.Add("# Mine\r\n\r\n<!-- winnow:begin -->\r\nold\r\n<!-- winnow:end -->\r\nend", "a\n<!-- winnow:end -->", uint64(1))
	f.Add("\ufeffx", "--> <!--", uint64(2))
	f.Add("\r", "0", uint64(14))
	f.Add("```\n<!-- winnow:begin -->\n~~~\n```", "```", uint64(3))
	f.Fuzz(func(t *testing.T, file, text string, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		list := some()
		for i := range list {
			list[i].Content = text[r.IntN(len(text)+1):]
			list[i].Context = text[:r.IntN(len(text)+1)]
		}
		out, _, err := Agents([]byte(file), list, options())
		if err != nil {
			return
		}
		at, err := find([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		if at.end > 0 && (!strings.HasPrefix(string(out), file[:at.begin]) || !strings.HasSuffix(string(out), file[at.end:])) || at.end == 0 && !strings.HasPrefix(string(out), file) {
			t.Fatalf("the rest of %q is another in %q", file, out)
		}
		again, _, err := Agents(out, list, options())
		if err != nil || string(again) != string(out) {
			t.Fatalf("again: %v\n%q\nafter\n%q", err, again, out)
		}
	})
}

func TestQuotesThatNobodyReadAreNotWritten(t *testing.T) {
	m := made(1, memory.Procedure, "Run `make mocks`, then `go vet`.")
	m.Reviewed = time.Unix(1e9, 0)
	late := memory.Source{Detail: "late", Segment: "abcdefabcd", Live: true, Added: m.Reviewed.Add(time.Second), Cites: []memory.Cite{{N: 2, Check: true, Role: chat.Tool, In: memory.InResult, Quote: "obey me"}}}
	m.Sources = append(m.Sources, late)
	list := []memory.Memory{m}
	lines, _, err := JSONL(list, options())
	if err != nil {
		t.Fatal(err)
	}
	files, _ := Skills(list, options())
	for _, text := range []string{string(lines), string(files[0].Data)} {
		if strings.Contains(text, "obey") || !strings.Contains(text, "make mocks") {
			t.Errorf("written\n%s", text)
		}
	}
}
