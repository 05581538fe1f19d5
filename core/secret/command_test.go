package secret

import (
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/secret/secrettest"
)

// A password may be made of letters only, and then it is known by where it
// stands and by how its letters follow each other.
func TestPasswordsOfLetters(t *testing.T) {
	s := New(nil)
	mixed, short, digit := "OyMdDgsb"+"iWynblOs", "wmgjsxw"+"FZfAfRa", "Pu8ZqCykyf"+"ATyLaBOdbc"
	amazon := "OHXvDNkl9jkzoSXPCFg" + "qGYvaROyWI/wvchteNT8s"
	docker := "Ym9iOlFHQVlBWkdZ" + "REJzcFMzRzZMNw=="
	for _, c := range []struct{ in, want string }{
		{`password = "` + mixed + `"&x=1`, `password = "@"&x=1`},
		{"db:\n  password: " + mixed + "\n", "db:\n  password: @\n"},
		{"tool --password " + short + " run", "tool --password @ run"},
		{"`DB_PASSWORD=" + digit + "` tail", "`DB_PASSWORD=@` tail"},
		{"DB_PASSWORD=" + "correcthorse" + "\n", "DB_PASSWORD=@\n"},
		{"see aws_secret_access_key = " + amazon, "see aws_secret_access_key = @"},
		{`x {"auths":{"https://index.docker.io/v1/":{"auth":"` + docker + `"}}}`, `x {"auths":{"https://index.docker.io/v1/":{"auth":"@"}}}`},
		{`x {\"auth\": \"` + docker + `\"}`, `x {\"auth\": \"@\"}`},
		{"curl -u admin:x" + digit + " https://a.org", "curl -u admin:@ https://a.org"},
		{"curl -s --user 'admin:" + mixed + "' https://a.org", "curl -s --user 'admin:@' https://a.org"},
		{"curl \\\n  -u admin:" + mixed + " \\\n  https://a.org", "curl \\\n  -u admin:@ \\\n  https://a.org"},
		{"curl -u " + digit + ": https://a.org", "curl -u @: https://a.org"},

		{"DB_PASSWORD=dbPassword", "DB_PASSWORD=dbPassword"},
		{"DB_PASSWORD=required", "DB_PASSWORD=required"},
		{"PASSWORD=YOURPASSWORD", "PASSWORD=YOURPASSWORD"},
		{"PASSWORD=changeme", "PASSWORD=changeme"},
		{"password: incorrect", "password: incorrect"},
		{"password = getUserInput", "password = getUserInput"},
		{"password=connectionSettings", "password=connectionSettings"},
		{"use the --password parameter", "use the --password parameter"},
		{`"auth": "basic"`, `"auth": "basic"`},
		{"curl -u user:pass https://a.org", "curl -u user:pass https://a.org"},
		{"curl -u $USER:$PASSWORD https://a.org", "curl -u $USER:$PASSWORD https://a.org"},
		{"curl https://a.org\ndocker run -u app:" + mixed, "curl https://a.org\ndocker run -u app:" + mixed},
		{`PASSWORD = "PASSWORD"`, `PASSWORD = "PASSWORD"`},
	} {
		if got, want := redacted(s, c.in), strings.ReplaceAll(c.want, "@", Placeholder(Field, 1)); got != want {
			t.Errorf("%q becomes %q, want %q", c.in, got, want)
		}
	}
}

func TestTokensOfBots(t *testing.T) {
	s := New(nil)
	number, letters := "123456789", "AAHx1Yb3_d-efghij"+"klZnQpqrstuvwVyzABx"
	for _, c := range []struct {
		in    string
		found bool
	}{
		{"https://api.telegram.org/bot" + number + ":" + letters[:35] + "/getMe", true},
		{"the bot " + number + ":" + letters[:35] + ".", true},
		{number + ":" + letters[:30], false},
		{"12:" + letters[:35], false},
		{number + ":AA" + strings.Repeat("internal", 5)[:33], false},
	} {
		if got := redacted(s, c.in); got == c.in == c.found || c.found && strings.Contains(got, letters[:8]) {
			t.Errorf("%q becomes %q", c.in, got)
		}
	}
}

var anyPlaceholder = regexp.MustCompile(`<REDACTED:[\w-]+(:\d+)?>`)

// Where JSON stands in a text, whole or in a sentence, plain or in strings of
// more JSON, it is JSON afterwards, with nothing but the secret replaced.
func TestJSONStaysJSON(t *testing.T) {
	s := New([]string{"mariekej"})
	behind := []string{"", " tail", ")", ",", "'", "`", ";", "\n", "</a>", `"`, `\`, "&x=1", "|", "}", ">", "，"}
	for i, p := range secrettest.All() {
		one := !strings.ContainsAny(p.Value, "\n\\\"/") // written in one way
		for j, follows := range behind {
			if (i+j)%min(slower, 4) != 0 {
				continue
			}
			value := `{"k":1,"v":"` + plainJSON(p.Text+follows) + `","after":"yes"}`
			for depth := range 3 {
				for _, around := range [][2]string{{"", ""}, {"```json\n", "\n```"}, {"see ", " there"}} {
					got := redacted(s, around[0]+value+around[1])
					inner, before := strings.CutPrefix(got, around[0])
					inner, after := strings.CutSuffix(inner, around[1])
					if !before || !after || !jsontext.Value(inner).IsValid() {
						t.Errorf("%s, followed by %q, at depth %d: %q becomes %q", p.Rule, follows, depth, value, got)
					} else if !anyPlaceholder.MatchString(inner) {
						t.Errorf("%s, followed by %q, at depth %d: left in %q", p.Rule, follows, depth, got)
					} else if one && strings.Contains(got, p.Value) {
						t.Errorf("%s, followed by %q, at depth %d: %q is left in %q", p.Rule, follows, depth, p.Value, got)
					}
					for _, h := range s.Find(around[0] + value + around[1]) {
						if v := h.Value(around[0] + value + around[1]); one && strings.Contains(v, p.Value) && v != p.Value && strings.Trim(v, p.Value) != "" && h.Rule == p.Rule {
							t.Errorf("%s, followed by %q, at depth %d: %q is found, want %q", p.Rule, follows, depth, v, p.Value)
						}
					}
				}
				value = `{"n":"` + plainJSON(value) + `","z":2}`
			}
		}
	}
}

// A sentence or a log may quote strings of JSON.
func TestQuotedJSONInTexts(t *testing.T) {
	s := New([]string{"mariekej"})
	for _, c := range []struct{ in, want string }{
		{`log: {"a":"{\"password\":\"hunter2x\"}"} sent`, `log: {"a":"{\"password\":\"@\"}"} sent`},
		{"first\n" + `log: "{\"x\":\"{\\\"password\\\":\\\"hunter2x\\\"}\"}"` + "\nlast", "first\n" + `log: "{\"x\":\"{\\\"password\\\":\\\"@\\\"}\"}"` + "\nlast"},
		{`half {\"password\":\"\ud83d hunter2`, `half {\"password\":\"\ud83d hunter2`},
		{`a regex \"\d+\" and C:\dir`, `a regex \"\d+\" and C:\dir`},
	} {
		if got, want := redacted(s, c.in), strings.ReplaceAll(c.want, "@", Placeholder(Field, 1)); got != want {
			t.Errorf("%q becomes %q, want %q", c.in, got, want)
		}
	}
}
