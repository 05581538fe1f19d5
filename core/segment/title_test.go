package segment

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTitle(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"  \n\t\n", ""},
		{"Fix the parser\nIt fails.", "Fix the parser"},
		{"## Task: port the loader", "Task: port the loader"},
		{"<command-name>/review</command-name>", "/review"},
		{"a < b and c > d", "a < b and c > d"},
		{"---\nread this", "read this"},
		{"写一个 Docker compose 文件", "写一个 Docker compose 文件"},
		{"a\x1b[31mb\x00c", "a [31mb c"},
	} {
		if got := Title(c.in); got != c.want {
			t.Errorf("Title(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	long := Title(strings.Repeat("word ", 100))
	if n := utf8.RuneCountInString(long); n > titleMax || !strings.HasSuffix(long, "word…") {
		t.Errorf("long title of %d characters: %q", n, long)
	}
	if Title(strings.Repeat("é", 1<<20)) == "" {
		t.Error("a giant line has no title")
	}
}
