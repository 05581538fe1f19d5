package tui

import (
	"fmt"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/themes"
	room "winnow/tui/review"
	"winnow/tui/screens/statistics/statisticstest"
)

// meter drives a screen and measures its frames: what a message costs the
// program, its own work and the screen it leads to. The work of the database,
// which is done meanwhile, is another benchmark's.
type meter struct {
	app    *App
	frames []time.Duration
	allocs uint64
}

func meterOf(b *testing.B, lib *fakeLibrary, with func(*Options)) *meter {
	dark, _, err := themes.Load("dark", nil)
	if err != nil {
		b.Fatal(err)
	}
	o := Options{
		Library: lib, Themes: []themes.Styles{dark}, Theme: "dark", Curator: "ann",
		After: func(d time.Duration, msg tea.Msg) tea.Cmd {
			if d == room.RestAfter {
				return func() tea.Msg { return msg }
			}
			return nil
		},
	}
	if with != nil {
		with(&o)
	}
	m := &meter{app: New(o)}
	m.run(m.app.Init())
	m.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	return m
}

func heapAllocs() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func (m *meter) send(msg tea.Msg) {
	before := heapAllocs()
	begun := time.Now()
	_, cmd := m.app.Update(msg)
	m.app.View()
	m.frames = append(m.frames, time.Since(begun))
	m.allocs += heapAllocs() - before
	m.run(cmd)
}

func (m *meter) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			m.run(c)
		}
	default:
		if !strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/") {
			m.send(msg)
		}
	}
}

// begin forgets what was measured.
func (m *meter) begin() { m.frames, m.allocs = m.frames[:0], 0 }

// report reports the frames that were measured.
func (m *meter) report(b *testing.B) {
	b.StopTimer()
	n := len(m.frames)
	if n == 0 {
		return
	}
	slices.Sort(m.frames)
	ms := func(i int) float64 { return float64(m.frames[i].Microseconds()) / 1000 }
	b.ReportMetric(ms(n/2), "ms/median")
	b.ReportMetric(ms(n*99/100), "ms/p99")
	b.ReportMetric(float64(m.allocs)/float64(n), "allocs/frame")
	b.ReportMetric(float64(m.frames[n*99/100].Nanoseconds()), "ns/op")
}

// talkOf is a conversation of n messages: prompts, thinking, calls, results.
func talkOf(n int) []chat.Message {
	four := conversation()
	messages := make([]chat.Message, n)
	for i := range messages {
		messages[i] = four[i%len(four)]
		messages[i].N = i + 1
	}
	return messages
}

// BenchmarkFrames measures a key and the screens it leads to at 200×60, the
// reader beside the list. The goal is 8 ms at the 99th percentile, which is
// what it reports as ns/op.
func BenchmarkFrames(b *testing.B) {
	long := func(lines ...string) func() *fakeLibrary {
		return func() *fakeLibrary {
			lib := small(3)
			lib.messages = talkOf(40)
			lib.messages[1].Content, lib.messages[2].Content = strings.Join(lines, "\n"), "```go\n"+strings.Join(lines, "\n")+"\n```"
			lib.segments[0].End, lib.segments[0].Messages = 40, 40
			return lib
		}
	}
	wide := strings.Repeat("a word and 数据库 and ", 10_000/20)
	for _, bench := range []struct {
		name        string
		lib         func() *fakeLibrary
		begin, keys string
	}{
		{"list/move", func() *fakeLibrary { return talking(200_000, 4) }, "", "j"},
		{"list/page", func() *fakeLibrary { return talking(200_000, 4) }, "", "pgdown"},
		{"list/verdict", func() *fakeLibrary { return talking(200_000, 4) }, "", "a"},
		{"list/undo", func() *fakeLibrary { return talking(200_000, 4) }, "", "a u"},
		{"reader/5000", func() *fakeLibrary { return talking(3, 5000) }, "enter", "pgdown pgdown J J } G pgup g"},
		{"reader/line", long(wide, wide), "enter", "J J pgdown z z pgup K K"},
		{"reader/word", long(strings.Repeat("W", 1<<20)), "enter", "J J pgdown G pgup g"},
		{"boundaries/5000", func() *fakeLibrary { return talking(3, 5000) }, "b", "pgdown j J G k g c c"},
		{"statistics", func() *fakeLibrary { return small(100) }, "S", "j j tab G g"},
		{"export", approvedLibrary, "e", "j j tab j G g tab"},
		{"keys", func() *fakeLibrary { return small(100) }, "?", "j pgdown G g"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			lib := bench.lib()
			m := meterOf(b, lib, func(o *Options) {
				o.Editor = &fakeEditor{lib: lib}
				o.Statistics, o.Thresholds, o.Exporting = statisticstest.Sample(), metric.DefaultThresholds(), sampleExport()
			})
			for k := range strings.FieldsSeq(bench.begin) {
				m.send(keyOf(k))
			}
			m.begin()
			for b.Loop() {
				for k := range strings.FieldsSeq(bench.keys) {
					m.send(keyOf(k))
				}
			}
			m.report(b)
		})
	}
}

// talking is a library of n segments that have the same conversation.
func talking(n, messages int) *fakeLibrary {
	lib := small(n)
	lib.messages = talkOf(messages)
	for i := range lib.segments {
		s := &lib.segments[i]
		s.SessionID, s.End, s.Messages = fmt.Sprint("s", i), messages, messages
	}
	return lib
}
