package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"winnow/core/export"
	"winnow/tui/work"
)

// Marks that the format has no place for are told beside what is trained.
func TestExportTellsOfMarksThatAreLost(t *testing.T) {
	f := sampleExport()
	f.report.Unmarked = 84
	x := startExport(t, f, 80, 24)
	x.wants("84  switched off, yet trained:", "hf has no place for marks")
	x = startExport(t, sampleExport(), 80, 24)
	if strings.Contains(x.screen(), "switched off") {
		t.Error(x.screen())
	}
}

// Kinds of secrets beyond the most frequent ones are folded: what stands below
// stays in sight.
func TestExportFoldsManyKindsOfSecrets(t *testing.T) {
	f := sampleExport()
	f.report.Secrets = nil
	for i := range 9 {
		for range 9 - i {
			f.report.Secrets = append(f.report.Secrets, export.Secret{Segment: "00000007-1", Where: "content", Rule: "kind-" + string(rune('a'+i))})
		}
	}
	x := startExport(t, f, 120, 50)
	x.wants("kind-a", "kind-e", "4 more", "Repaired")
	if strings.Contains(x.screen(), "kind-f") {
		t.Errorf("not folded:\n%s", x.screen())
	}
	x.press("tab")
	for range 100 {
		if slices.ContainsFunc(x.lines(), func(l string) bool { return strings.Contains(l, "│ ▌") && strings.Contains(l, "4 more") }) {
			break
		}
		x.press("j")
	}
	x.press("enter")
	x.wants("kind-f", "kind-i", "Repaired", "45 exported")

	for i := range f.report.Secrets {
		f.report.Secrets[i].Placeholder = "<REDACTED:kind:1>"
	}
	startExport(t, f, 120, 50).wants("45 replaced by placeholders")
}

// While nobody knows how many segments there are, none is told of all.
func TestExportProgressKnowsItsEnd(t *testing.T) {
	for all, want := range map[int]string{0: "7 segments", 9: "7 of 9 segments"} {
		j := work.New(nil, "export")
		j.Report(Progress{Segments: 7, AllSegments: all})
		j.Look()
		if got := strings.Join(j.Counts(), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Why an export failed can be read to its end, until the next one.
func TestExportTellsWhyItFailed(t *testing.T) {
	f := sampleExport()
	x := startExport(t, f, 80, 24)
	x.press("enter")
	x.write("x")
	x.press("enter")
	f.fail = errors.New("export: /a/long/path/to/some/where.parquet: this format \x1b[2J has no such form: leave it out, or choose another")
	x.press("e")
	x.wants("Not exported", "␛[2J", "or choose another")
	f.fail = nil
	x.press("e")
	x.wants("Exported", "x  1,150 rows")
	if strings.Contains(x.screen(), "Not exported") {
		t.Error(x.screen())
	}
}
