package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func places(t *testing.T, text, value string, prefix bool) (found []string) {
	t.Helper()
	q, err := NewQuery(value, prefix)
	if err != nil {
		t.Fatal(err)
	}
	f := Finder{Query: q}
	f.Matches(t.Context(), text, func(from, to int) bool {
		found = append(found, fmt.Sprint(from, " ", text[from:to]))
		return true
	})
	return found
}

// TestPlaces: where a search finds something is what it was searched for.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text, value string
		prefix      bool
		want        []string
	}{
		{"Connection refused: connection  \n refused", "connection refused", false, []string{"0 Connection refused", "20 connection  \n refused"}},
		{"reconnection connections connection", "connection", false, []string{"25 connection"}},
		{"reconnection connections connection", "connection", true, []string{"13 connection", "25 connection"}},
		{"foo_bar_baz foo_bar foo.bar", "foo_bar", false, []string{"0 foo_bar", "12 foo_bar"}},
		{"see /src/a.go.", "/src/a.go", false, []string{"4 /src/a.go"}},
		{"订单服务改了配置", "服务", false, []string{"6 服务"}},
		{"Café CAFÉ cafe", "cafe", false, []string{"0 Café", "6 CAFÉ", "12 cafe"}},
		{"aaaa", "aa", true, []string{"0 aa"}},
		{"", "x", false, nil},
	} {
		if got := places(t, c.text, c.value, c.prefix); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %q, want %q", c.value, c.text, got, c.want)
		}
	}
}

// TestPlacesAtBlockEnds: a text that is longer than a block is searched as one.
func TestPlacesAtBlockEnds(t *testing.T) {
	for shift := range 12 {
		text := strings.Repeat("é", matchBlock/2-10+shift) + " two   words" + strings.Repeat(" x", matchBlock) + " two\nwords"
		got := places(t, text, "two words", false)
		want := []string{fmt.Sprint(2*(matchBlock/2-10+shift)+1, " two   words"), fmt.Sprint(len(text)-9, " two\nwords")}
		if !slices.Equal(got, want) {
			t.Errorf("%d: %q, want %q", shift, got, want)
		}
	}
}

// TestPlacesAgreeWithIn: a text has a place if it is found, and none else.
func TestPlacesAgreeWithIn(t *testing.T) {
	texts := []string{"connection refused", "Connection\tREFUSED", "connectionrefused", "x connection refused_y", "服务 refused", "refused connection"}
	for _, value := range []string{"connection refused", "refused", "服务", "conn", "connection"} {
		for _, prefix := range []bool{false, true} {
			q, err := NewQuery(value, prefix)
			if err != nil {
				t.Fatal(err)
			}
			f := Finder{Query: q}
			for _, text := range texts {
				if got, want := len(places(t, text, value, prefix)) > 0, f.In(text); got != want {
					t.Errorf("%q (prefix %t) in %q: %t, but In says %t", value, prefix, text, got, want)
				}
			}
		}
	}
}
