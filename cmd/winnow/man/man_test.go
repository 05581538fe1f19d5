package man

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// tree returns a program with a command, a topic and a hidden command.
func tree() *cobra.Command {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "prog [PATH…]", Short: "Does it", Run: run}
	root.PersistentFlags().String("db", "", "database `FILE`")
	list := &cobra.Command{
		Use: "list", Short: "List", Run: run, Example: "  prog list 'a\\b'\n.x",
		Long: "One paragraph\n.of two lines:\n  kept as it is\n\n'Two",
	}
	list.Flags().BoolP("all", "a", false, "also the others - all of them")
	root.AddCommand(list, &cobra.Command{Use: "words", Short: "A topic", Long: "Words."}, &cobra.Command{Use: "secret", Hidden: true, Run: run})
	return root
}

func TestPage(t *testing.T) {
	root := tree()
	list := root.Commands()[0]
	page := Page(list, "v1")
	for _, want := range []string{
		".TH \"PROG\\-LIST\" 1 \"\" \"v1\" \"prog\"\n", ".SH NAME\nprog\\-list \\- List\n", ".SH SYNOPSIS\n.B prog list [flags]\n",
		"One paragraph\n\\&.of two lines:\n.nf\n  kept as it is\n.fi\n.PP\n\\&'Two\n",
		".TP\n\\fB\\-a\\fR, \\fB\\-\\-all\\fR\nalso the others \\- all of them\n", ".nf\n  prog list 'a\\eb'\n\\&.x\n.fi\n", ".BR prog (1),",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, "db") {
		t.Errorf("the flags of all commands are on the page of one:\n%s", page)
	}
	if page := Page(root, "v1"); !strings.Contains(page, "\\fB\\-\\-db\\fR \\fIFILE\\fR\n") || !strings.Contains(page, `.B prog [PATH\[u2026]]`) || strings.Contains(page, "secret") {
		t.Errorf("the page of the program:\n%s", page)
	}
}

// TestWrite: there is a file for whatever has a page, the same each time.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man", "man1")
	for range 2 {
		if n, err := Write(dir, tree(), "v1"); n != 3 || err != nil {
			t.Fatalf("%d pages, %v", n, err)
		}
	}
	for _, name := range []string{"prog.1", "prog-list.1", "prog-words.1"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(b), ".TH ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
