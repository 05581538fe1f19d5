package secret

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
	"winnow/core/secret/secrettest"
)

// redacted replaces all secrets of a text by placeholders.
func redacted(s *Scanner, text string) string {
	return Replace(text, s.Find(text), func(h Hit) string { return Placeholder(h.Rule, 1) })
}

func redactedJSON(t testing.TB, s *Scanner, value string) string {
	t.Helper()
	if _, _, ok := jsonTexts(value); !ok {
		t.Fatalf("%q is no JSON", value)
	}
	return redacted(s, value)
}

func TestPlantedSecretsAreFound(t *testing.T) {
	s := New(nil)
	all := secrettest.All()
	kinds := map[string]bool{}
	for _, p := range all {
		kinds[p.Rule] = true
		hits := s.Find(p.Text)
		rules := make([]string, len(hits))
		hit := false
		for i, h := range hits {
			rules[i] = h.Rule
			hit = hit || h.Rule == p.Rule && strings.Contains(h.Value(p.Text), p.Value)
		}
		if !hit {
			t.Errorf("%s in %q: found %v", p.Rule, p.Text, rules)
		}
		if got := redacted(s, p.Text); strings.Contains(got, p.Value) || len(s.Find(got)) > 0 {
			t.Errorf("%s: left in %q", p.Rule, got)
		}
	}
	if len(all) < 40 || len(kinds) < 20 {
		t.Errorf("%d secrets of %d kinds are too few", len(all), len(kinds))
	}
}

// In a string of JSON, with all that can be escaped escaped, a secret is found
// as well, and the rest stays as it is.
func TestPlantedSecretsAreFoundInJSON(t *testing.T) {
	s := New(nil)
	for _, p := range secrettest.All() {
		for _, escape := range []func(string) string{plainJSON, escapedJSON} {
			value := `{ "n":1.50e3, "a":["` + escape("é\n"+p.Text) + `"],` + "\n\t" + `"z" : true }`
			got := redactedJSON(t, s, value)
			if !jsontext.Value(got).IsValid() || !strings.HasPrefix(got, `{ "n":1.50e3, "a":["`) || !strings.HasSuffix(got, `"],`+"\n\t"+`"z" : true }`) {
				t.Errorf("%s: %s", p.Rule, got)
			}
			texts, _, _ := jsonTexts(got)
			for _, text := range texts {
				if strings.Contains(unescaped(got[text.start:text.end]), p.Value) {
					t.Errorf("%s: left in %s", p.Rule, got)
				}
			}
			if again := redactedJSON(t, s, got); again != got {
				t.Errorf("%s: %s becomes %s", p.Rule, got, again)
			}
		}
	}
}

// plainJSON writes the inside of a string of JSON with the escapes it needs,
// escapedJSON with all there can be.
func plainJSON(text string) string {
	quoted := rawjson.AppendString(nil, text)
	return string(quoted[1 : len(quoted)-1])
}

func escapedJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(`\u` + strconv.FormatInt(0x10000+int64(r), 16)[1:])
	}
	return b.String()
}

func TestOrdinaryTextStays(t *testing.T) {
	s := New([]string{"root", "user", "an"})
	for _, text := range secrettest.Ordinary() {
		if got := redacted(s, text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
		value := `{"a":["` + plainJSON(text) + `"]}`
		if got := redactedJSON(t, s, value); got != value {
			t.Errorf("as JSON, %s becomes %s", value, got)
		}
	}
}

func TestFieldsNamedLikeSecrets(t *testing.T) {
	s := New(nil)
	for _, c := range []struct{ in, want string }{
		{`{"password":"hunter2"}`, `{"password":"@"}`},
		{`{"db":{"Passwd" : "open sesame"}}`, `{"db":{"Passwd" : "open sesame"}}`}, // several words are a label
		{`{"client-secret":"correct-horse"}`, `{"client-secret":"@"}`},
		{`{"credentials":["s3cr3tvalue1","k9x8w7v6u5"]}`, `{"credentials":["@","@"]}`},
		{`{"credentials":{"user":"ann","password":"tulip"}}`, `{"credentials":{"user":"ann","password":"@"}}`},
		{`{"token":"the next word"}`, `{"token":"the next word"}`},
		{`{"token":"k9x8w7v6u5"}`, `{"token":"@"}`},
		{`{"Authorization":"Token k9x8w7v6u5t4s3r2q1"}`, `{"Authorization":"@"}`},
		{`{"password":"line\nbreak"}`, `{"password":"line\nbreak"}`},
		{`{"password":"pa\u0073s-9"}`, `{"password":"@"}`},
		{`{"password":12345678,"secret":true}`, `{"password":12345678,"secret":true}`},
		{`{"text":"{\"password\": \"hunter2\"}"}`, `{"text":"{\"password\": \"@\"}"}`},
	} {
		got := redactedJSON(t, s, c.in)
		if want := strings.ReplaceAll(c.want, "@", Placeholder(Field, 1)); got != want {
			t.Errorf("%s\nbecomes %s\n   want %s", c.in, got, want)
		}
	}
}

// A value is known by its name for the rules of gitleaks as well, however much
// white space stands between them.
func TestNamesNextToValuesInJSON(t *testing.T) {
	s := New(nil)
	key := "152hvewSt7iWIYddf8D29" + "qMmTR6LMbFtfqu8txm0"
	for _, between := range []string{":", ": ", " :\n\t\t\t\t\t\t\t\t"} {
		for _, escape := range []string{"", `\n`} {
			value := `{"n":1.0, "service_key"` + between + `"` + key + escape + `","z":[ ]}`
			want := strings.Replace(value, key, Placeholder(generic, 1), 1)
			if got := redactedJSON(t, s, value); got != want {
				t.Errorf("%s\nbecomes %s", value, got)
			}
		}
	}
}

func TestNamesOfUsers(t *testing.T) {
	s := New([]string{"mariekej", "mark", "jo"})
	for _, c := range []struct{ in, want string }{
		{"mariekej wrote it, Mariekejs did not", "@ wrote it, Mariekejs did not"},
		{`"x\nmariekej"`, `"x\n@"`},
		{"mark it, jo", "mark it, jo"},
		{"/home/mark/x /home/jo", "/home/@/x /home/@"},
		{"~mariekej, ~mark/x", "~@, ~mark/x"},
	} {
		if got, want := redacted(s, c.in), strings.ReplaceAll(c.want, "@", Placeholder(User, 1)); got != want {
			t.Errorf("%q becomes %q, want %q", c.in, got, want)
		}
	}
}

// A key that is known by how it begins is one whatever follows it, and of what
// follows nothing goes with it.
func TestWhatFollowsAKey(t *testing.T) {
	s := New(nil)
	kinds := 0
	for _, p := range secrettest.All() {
		if p.Rule == Field || p.Rule == generic || strings.Contains(redacted(s, "see "+p.Value+" tail"), p.Value) {
			continue // known by what stands before it
		}
		kinds++
		for _, behind := range []string{
			"", " tail", ") tail", ", tail", ". Tail", "; tail", "</a>", `\" tail`, `\", \"after\": 1`, `\n tail`, "&x=1", "|tail", "}", "]", ">", "`", "'", "，tail",
		} {
			got := redacted(s, "see "+p.Value+behind)
			if strings.Contains(got, p.Value) || !strings.HasPrefix(got, "see "+placeholderStart) || !strings.HasSuffix(got, ":1>"+behind) {
				t.Errorf("%s followed by %s becomes %s", p.Rule, behind, got)
			}
		}
	}
	if kinds < 10 {
		t.Errorf("only %d kinds were tried", kinds)
	}
}

// Passwords in settings, on command lines and behind what is cut off.
func TestPasswordsInTheirPlaces(t *testing.T) {
	s := New(nil)
	word := "OyMdDgsb" + "8iWynblO"
	body := strings.Repeat("h4D8D7wuHVz2dfIR1DVoa7PpR6/XkN+B", 2)
	for _, c := range []struct{ in, want string }{
		{"db:\n  password: hunter2001\n", "db:\n  password: @\n"},
		{"- password: hunter2001", "- password: @"},
		{"f(password: hunter2001)", "f(password: hunter2001)"},
		{"the password: hunter2001 fails", "the password: hunter2001 fails"},
		{`["-e","DB_PASSWORD=` + word + `"]x`, `["-e","DB_PASSWORD=@"]x`},
		{`password = "` + word + `"</a>`, `password = "@"</a>`},
		{"AccountName=acc;AccountKey=+" + body + "==;x", "AccountName=acc;AccountKey=@;x"},
		{"mysql -u root -p" + word + " db", "mysql -u root -p@ db"},
		{"mysqldump -u root -p'" + word + "' db", "mysqldump -u root -p'@' db"},
		{"sshpass -p " + word + " ssh x", "sshpass -p @ ssh x"},
		{"mysql -u root -p db", "mysql -u root -p db"},
		{"mysql -u root -p$PASSWORD db", "mysql -u root -p$PASSWORD db"},
		{"docker run mysql -p3306:3306", "docker run mysql -p3306:3306"},
		{"docker run mysql -p3306", "docker run mysql -p3306"},
		{"mysql x | grep -pattern", "mysql x | grep -pattern"},
		{"sshpass -p password ssh x", "sshpass -p password ssh x"},
	} {
		if got, want := redacted(s, c.in), strings.ReplaceAll(c.want, "@", Placeholder(Field, 1)); got != want {
			t.Errorf("%q becomes %q, want %q", c.in, got, want)
		}
	}
	cut := "-----BEGIN RSA PRIVATE KEY-----\n" + body + "\n"
	for _, behind := range []string{"", "... (truncated)", "[cut]"} {
		if got := redacted(s, cut+behind); got != Placeholder(PrivateKey, 1)+"\n"+behind {
			t.Errorf("a key that is cut off, %q, becomes %q", behind, got)
		}
	}
	for path, want := range map[string]string{
		"/mnt/backup/home/mariekej/x": "/mnt/backup/home/@/x", `"\n/data/home/mariekej/x"`: `"\n/data/home/@/x"`,
		"src/pages/home/mariekej/x": "src/pages/home/mariekej/x", "https://a.org/data/home/mariekej": "https://a.org/data/home/mariekej",
	} {
		if got := redacted(s, path); got != strings.ReplaceAll(want, "@", Placeholder(User, 1)) {
			t.Errorf("%s becomes %s", path, got)
		}
	}
}

// What is no string of JSON stays as it is.
func TestUnescaped(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "plain": "plain", `\n`: "\n", `a\n\t\r\b\f\/\\\"z`: "a\n\t\r\b\f/\\\"z", `\\n`: `\n`, `é\n漢`: "é\n漢", `\u0041\n`: "A\n", `\n\ud83d\ude42`: "\n🙂",
		`\ud83d\n`: `\ud83d\n`, `ends\\`: `ends\`, `\`: `\`, `a\x`: `a\x`, `\u12`: `\u12`, `a\n"b`: `a\n"b`, "\\n\xff": "\\n\xff",
	} {
		if got := unescaped(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// Thousands of values and of placeholders, each met thousands of times, are
// looked up and not compared one by one.
func TestManySecretsTakeNoLonger(t *testing.T) {
	const most = 20_000 / slower
	var secrets []Secret
	var text, marked strings.Builder
	for i := range most {
		value := fmt.Sprintf("user%06d@corp.net", i)
		secrets = append(secrets, Secret{Mail, value})
		text.WriteString(value + "\n")
		marked.WriteString(Placeholder(Mail, i+1) + " " + value + "\n")
	}
	for range 3 {
		if hits := NewKnown(secrets).Find(text.String()); len(hits) != most || hits[most-1].Value(text.String()) != secrets[most-1].Value {
			t.Fatalf("%d hits of %d", len(hits), most)
		}
		if hits := New(nil).Find(marked.String()); len(hits) != most {
			t.Fatalf("%d hits of %d beside placeholders", len(hits), most)
		}
	}
}

// What was found clean is not looked at again, except for its name.
func TestCleanStringsArePassedOver(t *testing.T) {
	s := New([]string{"mariekej"})
	for _, c := range []struct {
		record string
		found  bool
	}{
		{`{"content":"so mariekej says\n"}`, false},
		{`{"content":"so mariekej says"}`, true},
		{`{"a":["so mariekej says\n","mariekej"]}`, true},
		{`{"content":"hunter2-x"}`, false},
		{`{"password":"hunter2-x"}`, true},
	} {
		_, found, ok := s.FindInStrings(c.record, map[string]bool{"so mariekej says\n": true, "hunter2-x": true})
		if found != c.found || !ok {
			t.Errorf("%s: %v", c.record, found)
		}
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"abc", "***"}, {"abcdefgh", "ab******"}, {"abcdefghijklmnop", "abc************p"},
		{strings.Repeat("ab", 30), "abab************ab"}, {"a\x1b[31mbcdefghijklmnopqrstu", "a·[3************tu"},
	} {
		if got := Shown(c.in); got != c.want {
			t.Errorf("Shown(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestHitsAreInOrderAndApart(t *testing.T) {
	s := New([]string{"mariekej"})
	var all strings.Builder
	for _, p := range secrettest.All() {
		all.WriteString(p.Text + "\n")
	}
	text := all.String() + "mariekej@" + "gmail.com /home/mariekej"
	last := 0
	for _, h := range s.Find(text) {
		if h.Start < last || h.End <= h.Start || h.End > len(text) {
			t.Fatalf("%v behind %d", h, last)
		}
		last = h.End
	}
}

// A secret that shows only when the one beside it is replaced is found at once.
func TestSecretsBesideSecrets(t *testing.T) {
	s := New(nil)
	for _, text := range []string{
		"x\naccesstoken:001278A!01@" + "0.AC\ny", strings.Repeat("é", 900) + "accesstoken:001278A!01@" + "0.AC " + strings.Repeat("é", 900),
	} {
		got := redacted(s, text)
		if strings.Contains(got, "001278A") || redacted(s, got) != got || !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	}
}

// A run of encoded data of megabytes is passed over; what follows is found.
func TestEncodedDataIsPassedOver(t *testing.T) {
	p := secrettest.All()[0]
	text := strings.Repeat("QUtJQWtleVRva2VuRXk5cGFzc3dvcmQw", 1<<12) + "\n" + p.Text
	if got := redacted(New(nil), text); strings.Contains(got, p.Value) || len(got) < len(text)-64 {
		t.Errorf("%q", got[len(got)-80:])
	}
}

// What nobody wrote takes no longer than other text: megabytes of it are looked
// at here, and would take hours if each keyword led to a look at all that
// follows.
func TestTimeIsLinear(t *testing.T) {
	s := New([]string{"mariekej"})
	for _, part := range []string{
		"-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nMIIE", "cookie: a=1;", "cookie:", "password=", `password="`, `\"password\":\"`, "key=", "key1=", "token:",
		"a@", "a@b.com", "http://a:", "://", "curl ", "curl -H ", "/home/", "/home/a", "~", `\`, `\n`, "basic ", "bearer ", "authorization:", "<REDACTED:", "<REDACTED:a:1>", "eyJ", "ey.", "sk-", "mariekej", "kind: secret data:",
		"mysql ", "mysql -p", "sshpass -p ", "accountkey=", "password: a1b2c3d4\n", "/mnt/home/", `"password=`, "curl -u ", "-u a:", `auth":"`, "123456789:AA", "PASSWORD=aXbYcZdWeVfU",
	} {
		s.Find(strings.Repeat(part, (1<<18)/slower/len(part)))
		s.Find(`{"a":"` + plainJSON(strings.Repeat(part, (1<<16)/slower/len(part))) + `"}`)
	}
}

func FuzzFind(f *testing.F) {
	for _, p := range secrettest.All() {
		f.Add(p.Text)
		f.Add(`{"a":"` + plainJSON(p.Text) + `","password":"` + plainJSON(p.Value) + `"}`)
	}
	for _, text := range secrettest.Ordinary() {
		f.Add(text)
	}
	s := New([]string{"mariekej"})
	f.Fuzz(func(t *testing.T, text string) {
		got := redacted(s, text)
		// Text may become JSON when what is not valid in it is replaced.
		_, _, before := jsonTexts(text)
		_, _, after := jsonTexts(got)
		if again := redacted(s, got); again != got && before == after {
			t.Errorf("%q becomes %q becomes %q", text, got, again)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, no valid UTF-8", text, got)
		}
		if before && !after {
			t.Errorf("%q becomes %q, no valid JSON", text, got)
		}
	})
}
