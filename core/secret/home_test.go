package secret

import (
	"strings"
	"testing"
)

// A folder of homes may lie deep in a path, where it is none of a program.
func TestHomesDeepInPaths(t *testing.T) {
	s := New(nil)
	for _, c := range []struct{ in, want string }{
		{"cat /anything/home/mariekej/x", "cat /anything/home/@/x"},
		{"/mnt/old/disk/home/mariekej/x", "/mnt/old/disk/home/@/x"},
		{`"a\n/rootfs/home/mariekej/x"`, `"a\n/rootfs/home/@/x"`},
		{"é/home/mariekej/x", "é/home/mariekej/x"}, // right after a letter
		{"/srv/Users/mariekej/x", "/srv/Users/@/x"},
		{"/anything/home/mariekej", "/anything/home/mariekej"},
		{"/work/src/home/mariekej/x", "/work/src/home/mariekej/x"},
		{"/django/home/templates/x.html", "/django/home/templates/x.html"},
		{"app/home/mariekej/x", "app/home/mariekej/x"},
		{"https://a.org/bb/home/mariekej/x", "https://a.org/bb/home/mariekej/x"},
	} {
		if got, want := redacted(s, c.in), strings.ReplaceAll(c.want, "@", Placeholder(User, 1)); got != want {
			t.Errorf("%q becomes %q, want %q", c.in, got, want)
		}
	}
	for path, want := range map[string]string{
		"/work/src/home/mariekej/x.jsonl": "/work/src/home/@/x.jsonl",
		"data/home/mariekej/x.jsonl":      "data/home/@/x.jsonl",
		"home/mariekej/x.jsonl":           "home/@/x.jsonl",
		"/work/home/x.jsonl":              "/work/home/x.jsonl",
		"/data/home/runner/x.jsonl":       "/data/home/runner/x.jsonl",
	} {
		got := Replace(path, s.FindInPath(path), func(h Hit) string { return Placeholder(h.Rule, 1) })
		if got != strings.ReplaceAll(want, "@", Placeholder(User, 1)) {
			t.Errorf("the path %s becomes %s", path, got)
		}
	}
}
