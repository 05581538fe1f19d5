package reader

import (
	"fmt"
	"testing"
)

func giantPane(b *testing.B) *pane {
	p := open(b, storeOf(user("show it"), user(giantLog(giantSize))), 120, 50)
	p.do(p.NextMessage())
	return p
}

// BenchmarkView24MB draws a screen of a 24 MB message.
func BenchmarkView24MB(b *testing.B) {
	p := giantPane(b)
	b.ReportAllocs()
	for b.Loop() {
		p.View(p.w, p.h)
	}
}

// BenchmarkScroll moves through a 24 MB message by pages: Update and View.
func BenchmarkScroll(b *testing.B) {
	p := giantPane(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 == 999 {
			p.Top()
		}
		p.PageDown()
		p.View(p.w, p.h)
	}
}

// BenchmarkScrollConversation moves through 5,000 small messages.
func BenchmarkScrollConversation(b *testing.B) {
	s := talk()
	talk := s.make
	s.count = 5000
	s.make = manyOf(talk)
	p := open(b, s, 120, 50)
	for i := 0; b.Loop(); i++ {
		if i%100 == 99 {
			p.do(p.Top())
		}
		p.do(p.PageDown())
	}
}

// BenchmarkBottom24MB shows the last line of a 24 MB message.
func BenchmarkBottom24MB(b *testing.B) {
	p := giantPane(b)
	for b.Loop() {
		p.Top()
		p.Bottom()
		p.View(p.w, p.h)
	}
}

// BenchmarkOpen24MB opens a segment with a 24 MB message, until its text
// shows.
func BenchmarkOpen24MB(b *testing.B) {
	s := storeOf(user(giantLog(giantSize)))
	b.SetBytes(giantSize)
	for b.Loop() {
		open(b, s, 120, 50)
	}
}

// BenchmarkFind24MB finds the last line of a 24 MB message.
func BenchmarkFind24MB(b *testing.B) {
	for _, query := range []string{"needle in the last", "needle 字", "Needle", "e"} {
		b.Run(fmt.Sprintf("%q", query), func(b *testing.B) {
			p := giantPane(b)
			b.SetBytes(giantSize)
			for b.Loop() {
				p.do(p.Find(query))
			}
		})
	}
}
