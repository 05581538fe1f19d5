package memory

import "testing"

func TestFolders(t *testing.T) {
	for _, c := range []struct {
		dir, folder string
		in          bool
	}{
		{"/home/ann/web", "/home/ann/web", true}, {"/home/ann/web/", "/home/ann/web", true}, {"/home/ann/web/sub", "/home/ann/web/", true}, {"/home/ann/web2", "/home/ann/web", false},
		{"/home/ann", "/home/ann/web", false}, {"/home/ann/web", "web", true}, {"/home/ann/web", "~/web", true}, {"/home/ann/web", "eb", false}, {"/home/ann/web/sub", "ann/web", true},
		{`C:\w\sub`, "C:/w", true}, {`C:\w\sub`, `C:\w`, true}, {"/x", "/", true}, {"", "/x", false}, {"", "x", false},
	} {
		if m := (Memory{Dir: c.dir}); m.In(c.folder) != c.in {
			t.Errorf("%q in %q: %t", c.dir, c.folder, !c.in)
		}
	}
	list := []Memory{{Dir: "/a"}, {Dir: "/b"}, {}, {Dir: "/a/c"}}
	if in, others := Of("/a", list); len(in) != 2 || others != 2 {
		t.Errorf("%v, %d others", in, others)
	}
	if in, others := Of("/d", list); len(in) != 4 || others != 0 || Folders(in) != 3 {
		t.Errorf("%v, %d others", in, others)
	}
}
