package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/chat"
)

// startRaw starts a screen with the real reader and opens the recorded message.
func startRaw(t *testing.T, f *fakeSources, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	lib := sampleLibrary()
	lib.messages = conversation()
	x := prepare(t, lib, append([]func(*Options){func(o *Options) { o.Sources = f }}, with...)...)
	x.app = New(x.options)
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: w, Height: h})
	x.press("tab w")
	return x
}

func TestRawScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startRaw(t, sampleSources(), 80, 24).screen())
}

func TestRawScreen160x45(t *testing.T) {
	golden.RequireEqual(t, startRaw(t, sampleSources(), 160, 45).screen())
}

func TestRawStored80x24(t *testing.T) {
	f := sampleSources()
	f.rec.Stored = "/home/ann/sessions/2026-05-01-parser.jsonl is not there any more: this is the message as winnow keeps it"
	f.rec.Part = "messages[3]"
	golden.RequireEqual(t, startRaw(t, f, 80, 24, func(o *Options) {
		o.ShortPath = func(path string) string { return strings.Replace(path, "/home/ann", "~", 1) }
	}).screen())
}

func TestRawMessageIsReadSteppedAndClosed(t *testing.T) {
	f := sampleSources()
	x := startRaw(t, f, 100, 30)
	x.press("ctrl+g")
	x.write("parser")
	x.press("enter")
	x.wants("1 of 1")
	x.press("esc z")
	x.wants("(2 lines)")
	x.press("J")
	x.wants("message 2")
	x.press("K K")
	x.wants("message 1", "first message")
	if got := f.asked[len(f.asked)-1]; got.N != 1 || got.Body != x.app.opened.Body {
		t.Errorf("asked for %+v", got)
	}
	if text, _ := x.app.copiedRaw(); text != string(f.rec.Text) {
		t.Errorf("y copies %q", text)
	}
	x.press("w")
	if x.app.raw != nil {
		t.Error("w does not close it")
	}
	x.press("w esc")
	if x.app.raw != nil || x.app.focus != onReader {
		t.Error("esc does not go back to the reader")
	}
}

func TestRawMessageLoadsAndFails(t *testing.T) {
	f := sampleSources()
	x := startRaw(t, f, 80, 24)
	x.press("esc")
	x.hold = true
	x.press("w")
	x.wants("reading the source")
	x.release()
	x.wants("one run in ten")
	f.err = errorText("read /x: input/output error")
	x.press("J")
	x.wants("The message could not be read.", "input/output error")
}

func TestSourceIsOpenedInTheEditor(t *testing.T) {
	f := sampleSources()
	x := startRaw(t, f, 80, 24)
	x.press("esc J O")
	if len(f.edited) != 1 || f.edited[0].N != 2 || f.edited[0].Session != x.app.opened.SessionID {
		t.Errorf("edited %+v", f.edited)
	}
	x.press("w O")
	if len(f.edited) != 2 || f.edited[1].N != 2 {
		t.Errorf("edited %+v", f.edited)
	}
	x.send(editorClosed{"vim", nil})
	x.wants("comes with its next import")
	x.send(editorClosed{"vim", errors.New("exit status 1")})
	x.wants("vim: exit status 1")
	f.err = errors.New("no editor is set: name one in VISUAL or EDITOR, as in EDITOR=vim")
	x.press("O")
	x.wants("the source was not opened", "no editor is set")
}

func TestWithoutSourcesTheKeysSaySo(t *testing.T) {
	x := startWhole(t, 120, 24)
	x.press("tab w")
	x.wants("there are no sources here")
	x.press("O")
	x.wants("there are no sources here")
	x.press("p")
	x.wants("there is no export here")
}

func TestHostileRawMessagesAreHarmless(t *testing.T) {
	for _, p := range payloads {
		payload := p.text
		f := sampleSources()
		quoted := string(chat.AppendString(nil, payload))
		for _, text := range []string{`{"a":` + quoted + "," + quoted + ":1}", payload} {
			f.rec = Recorded{Text: []byte(text), Place: payload, Part: payload, Stored: payload}
			x := startRaw(t, f, 100, 30)
			x.harmless()
			x.press("G z")
			x.harmless()
			f.err = errorText(payload)
			x.press("J O")
			x.harmless()
			f.err = nil
		}
	}
}
