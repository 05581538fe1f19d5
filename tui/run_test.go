package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/themes"
)

// headless are the options of a program without a terminal.
func headless(in io.Reader, out io.Writer) []tea.ProgramOption {
	return []tea.ProgramOption{
		tea.WithInput(in), tea.WithOutput(out), tea.WithWindowSize(80, 24), tea.WithoutSignalHandler(),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}),
	}
}

func TestRunEndsWithItsContextAndWaitsForTheJob(t *testing.T) {
	dark, _, err := themes.Load("dark", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := false
	err = Run(ctx, Options{
		Library: small(3), Themes: []themes.Styles{dark},
		Job: func(ctx context.Context, _ func(Progress)) error {
			cancel()
			<-ctx.Done()
			ended = true
			return ctx.Err()
		},
	}, headless(nil, io.Discard)...)
	if !errors.Is(err, context.Canceled) || !ended {
		t.Errorf("%v, job ended: %v", err, ended)
	}
}

func TestRunEndsOnControlC(t *testing.T) {
	err := Run(t.Context(), Options{Library: small(3)}, headless(strings.NewReader("\x03"), io.Discard)...)
	if err != nil {
		t.Error(err)
	}
}

func TestLongPlaceKeepsItsEnd(t *testing.T) {
	x := start(t, small(3), 80, 24, func(o *Options) { o.Place = "~/a/very/long/path/to/sessions" })
	if got := x.lines()[0]; !strings.Contains(got, "…ath/to/sessions") {
		t.Errorf("%q", got)
	}
}
