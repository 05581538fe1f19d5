package export

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/rawjson"
	"winnow/core/review"
	"winnow/core/secret/secrettest"
)

// planted is a session for each secret and each kind of place, with the one in
// the other.
func planted() (l *library, places []plantedIn) {
	l = &library{}
	for i, p := range secrettest.All() {
		quoted := string(rawjson.AppendString(nil, p.Text))
		for _, where := range []string{"content", "reasoning", "arguments", "tool output", "tools", "metadata", "topic", "provenance"} {
			places = append(places, plantedIn{p, where})
			ask, call, output := user("do it"), calls("a"), result("a", "ok")
			change := func(seg *review.Segment, sess *review.Session) {
				sess.Tools = toolsRecorded
				switch where {
				case "tools":
					sess.Tools = `[{"name":"sh","description":` + quoted + `,"input_schema":{"type":"object"}}]`
				case "metadata":
					sess.Metadata = `{"note":` + quoted + `,"n":1.50}`
				case "topic":
					seg.Topic = p.Text
				case "provenance":
					sess.Model = p.Text
				}
			}
			switch where {
			case "content":
				ask.Content = p.Text
			case "reasoning":
				call.Reasoning = p.Text
			case "arguments":
				call.ToolCalls[0].Arguments = `{ "n": 1.50, "cmd":` + quoted + `}`
			case "tool output":
				if output.Content = p.Text; i%2 == 0 {
					output.Content = `{"out":[` + quoted + `]}`
				}
			}
			l.add(change, ask, call, output, says("done"))
		}
	}
	return l, places
}

type plantedIn struct {
	secrettest.Planted
	where string
}

// No secret is left in what any format writes: not as it is, and not in
// another spelling of JSON.
func TestRedactLeavesNoSecret(t *testing.T) {
	t.Parallel()
	l, places := planted()
	for i := 0; i < len(ofSamples()); i += min(slower, 3) {
		e := &ofSamples()[i]
		out := filepath.Join(t.TempDir(), "out.jsonl")
		r := run(t, l, Options{Path: out, As: e.Name, Redact: &Redaction{}, KeepNoReasoning: true})
		if r.Written+len(r.LeftOut) != r.Candidates || r.Written < r.Candidates*9/10 {
			t.Errorf("%s writes %d of %d, left out %v", e.Name, r.Written, r.Candidates, r.LeftOut[:min(3, len(r.LeftOut))])
		}
		for _, f := range r.Files {
			text := read(t, f.Path)
			for _, spelling := range []string{text, spoken(t, text)} {
				for _, p := range places {
					if strings.Contains(spelling, p.Value) {
						t.Errorf("%s: %s of %s is left", e.Name, p.Rule, p.where)
					}
				}
			}
			if rows, err := e.Validate(strings.NewReader(text)); err != nil || rows != f.Rows {
				t.Errorf("%s: %d of %d rows, %v", e.Name, rows, f.Rows, err)
			}
		}
	}
}

// spoken lists all strings of records without their escapes, those of JSON in
// strings too.
func spoken(t *testing.T, text string) string {
	t.Helper()
	var all strings.Builder
	var walk func(text string)
	walk = func(text string) {
		dec := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
		for {
			token, err := dec.ReadToken()
			if err != nil {
				return
			}
			if token.Kind() == '"' {
				s := token.String()
				all.WriteString(s + "\n")
				if strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
					walk(s)
				}
			}
		}
	}
	walk(text)
	return all.String()
}

// A dry run names each secret with its place, without showing it.
func TestCheckNamesEachSecretWithItsPlace(t *testing.T) {
	l, places := planted()
	r := run(t, l, Options{Check: true})
	by := map[string][]Secret{}
	for _, s := range r.Secrets {
		by[s.Segment] = append(by[s.Segment], s)
	}
	for i, p := range places {
		all := by[l.segments[i].ID]
		at := slices.IndexFunc(all, func(s Secret) bool { return s.Where == p.where && s.Rule == p.Rule })
		if at < 0 {
			t.Errorf("%s in %s: %v", p.Rule, p.where, all)
			continue
		}
		message := map[string]int{"content": 1, "reasoning": 2, "arguments": 2, "tool output": 3}[p.where]
		s := all[at]
		if s.Message != message || s.Placeholder != "" {
			t.Errorf("%s in %s: %+v", p.Rule, p.where, s)
		}
		if len(s.Shown) > 24 || strings.Contains(s.Shown, p.Value) || !strings.Contains(s.Shown, "*") {
			t.Errorf("%s is shown as %q", p.Rule, s.Shown)
		}
	}
	// The check says what an export without Redact would write.
	if r.Written != r.Candidates || len(r.LeftOut) > 0 {
		t.Errorf("%d of %d written, left out %v", r.Written, r.Candidates, r.LeftOut)
	}
}

// A secret that the rules see in one place is replaced in the others too, and
// by the same placeholder in every sample.
func TestTheSameSecretIsTheSamePlaceholderEverywhere(t *testing.T) {
	key := "k9X2mQ7w" + "R4tZ8pL1"
	ann, bob := "ann.lee@"+"gmail.com", "bob.ray@"+"gmail.com"
	l := &library{}
	session := func() {
		l.add(nil,
			user("mariekej wants it"),
			with(calls("a"), func(m *chat.Message) {
				m.ToolCalls[0].Arguments = `{"n":1e3, "api_key":"` + key + `","path":"/home/mariekej/x"}`
			}),
			result("a", "it is "+key+"!"), says("mariekej's key ends in L1"))
	}
	session()
	l.add(nil, user("mail "+ann), says("mail "+bob+" and "+ann))
	session()
	out := filepath.Join(t.TempDir(), "out.jsonl")
	r := run(t, l, Options{Path: out, Redact: &Redaction{}})
	lines := strings.Split(read(t, out), "\n")
	for _, i := range []int{0, 2} {
		for _, want := range []string{
			`"content":"<REDACTED:user-name:1> wants it"`,
			`{"n":1e3, "api_key":"<REDACTED:secret-field:1>","path":"/home/<REDACTED:user-name:1>/x"}`,
			`it is <REDACTED:secret-field:1>!`, `<REDACTED:user-name:1>'s key ends in L1`,
		} {
			if !strings.Contains(lines[i], want) {
				t.Errorf("line %d has no %s: %s", i+1, want, lines[i])
			}
		}
	}
	if !strings.Contains(lines[1], "mail <REDACTED:email:1>") || !strings.Contains(lines[1], "mail <REDACTED:email:2> and <REDACTED:email:1>") {
		t.Errorf("%s", lines[1])
	}
	for _, s := range r.Secrets {
		if s.Placeholder == "" || s.Where == "" {
			t.Errorf("%+v", s)
		}
	}
}

// However many workers, the placeholders have the same numbers.
func TestRedactionIsTheSameAtEveryRun(t *testing.T) {
	l, _ := planted()
	dir := t.TempDir()
	opts := Options{Path: filepath.Join(dir, "1.jsonl"), Redact: &Redaction{Users: []string{"zebedee"}}}
	first := run(t, l, opts)
	opts.Path = filepath.Join(dir, "2.jsonl")
	second := run(t, l, opts)
	if read(t, first.Files[0].Path) != read(t, second.Files[0].Path) || !reflect.DeepEqual(first.Secrets, second.Secrets) {
		t.Error("two runs differ")
	}
}

func TestOrdinaryTextStaysByteForByte(t *testing.T) {
	l := &library{}
	for _, text := range secrettest.Ordinary() {
		l.add(nil, user(text), with(calls("a"), func(m *chat.Message) {
			m.Reasoning = text
			m.ToolCalls[0].Arguments = `{"text":` + string(rawjson.AppendString(nil, text)) + `}`
		}), result("a", text), says(text))
	}
	dir := t.TempDir()
	r := run(t, l, Options{Path: filepath.Join(dir, "redacted.jsonl"), Redact: &Redaction{}})
	run(t, l, Options{Path: filepath.Join(dir, "plain.jsonl")})
	if len(r.Secrets) > 0 || read(t, filepath.Join(dir, "redacted.jsonl")) != read(t, filepath.Join(dir, "plain.jsonl")) {
		t.Errorf("secrets found: %+v", r.Secrets)
	}
}
