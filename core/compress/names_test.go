package compress

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"See src/parse/main.go, line 1204.":                     "src/parse/main.go 1204",
		`{"reservation_id": "ZFA04Y", "flights":["HAT069"]}`:    "reservation_id: ZFA04Y HAT069",
		`{\"user_id\":\"mia_li_3668\",\n\"x\":\u00e9\nTASK1}`:   "user_id mia_li_3668 TASK1",
		"from JFK to SEA on 2024-05-20 at 10:45 for $1,305.50":  "JFK SEA 2024-05-20 305.50",
		"HTTPClient and getUser, os.path, ann@example.com":      "HTTPClient getUser os.path ann@example.com",
		"a0b1c2d, 550e8400-e29b-41d4-a716-446655440000":         "a0b1c2d 550e8400-e29b-41d4-a716-446655440000",
		"/etc/hosts ~/notes ./run.sh ../up.go docs/":            "/etc/hosts ~/notes /run.sh /up.go",
		"This is e.g. a round-trip, and/or i.e. a test.Next 42": "",
		"The 2nd x86 of 99 and I, OK.":                          "",
		"文件HAT069在/tmp/größe.txt":                               "HAT069 /tmp/größe.txt",
		strings.Repeat("a1", 101):                               "",
		"":                                                      "", "\\": "", "\\u12": "", ".": "", "-_-": "",
	} {
		var got []string
		eachName(text, func(name string, what sort, key bool) {
			if what == noName {
				t.Errorf("%q is no name", name)
			}
			if key {
				name += ":"
			}
			got = append(got, name)
		})
		if w := strings.Fields(want); !slices.Equal(got, w) {
			t.Errorf("%q: %q, want %q", text, got, w)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("See src/main.go: ZFA04Y \\u00e9\xff")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		eachName(text, func(name string, _ sort, _ bool) {
			i := strings.Index(text[at:], name)
			if i < 0 || len(name) < nameLeast || len(name) > nameMost {
				t.Fatalf("%q in %q", name, text)
			}
			at += i + len(name)
		})
	})
}
