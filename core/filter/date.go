package filter

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Years that dates lie in: from when computers count time, to where four
// digits still compare as texts.
const firstYear, lastYear = 1970, 2999

// stretches are the forms of dates without a zone, by their length.
var stretches = [...]struct {
	layout string
	next   func(time.Time) time.Time
}{
	{"2006", func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }},
	{"2006-01", func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }},
	{"2006-01-02", func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }},
	{"2006-01-02T15:04", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02T15:04:05", func(t time.Time) time.Time { return t.Add(time.Second) }},
	{"2006-01-02T15:04Z07:00", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02T15:04:05Z07:00", func(t time.Time) time.Time { return t.Add(time.Second) }},
}

// relative reports whether the date moves on with time.
func (d *Date) relative() bool { return d.Text == "today" || d.Text == "yesterday" || isAgo(d.Text) }

// isAgo reports whether a text is a number with a unit, as in 7d.
func isAgo(s string) bool {
	return len(s) > 1 && strings.ContainsRune("hdw", rune(s[len(s)-1])) && strings.Trim(s[:len(s)-1], "0123456789") == ""
}

// date reads a date of a term.
func (c *condition) date(s string, o Options, t *Term, last bool) *problem {
	d, bad := parseDate(s, o)
	if bad != nil {
		return bad
	}
	if isAgo(d.Text) && (t.Op == Equal || t.Op == NotEqual) && c.compared() {
		what := map[Field]string{Reviewed: "was judged", Came: "came"}[c.Field]
		return &problem{d.Text + " is a moment, not a day", fmt.Sprintf("for what %s since, write %s>=%s", what, c.Field, d.Text)}
	}
	if last {
		t.Last = d
	} else {
		t.Date = d
	}
	return nil
}

// parseDate reads a date as one writes it.
func parseDate(s string, o Options) (Date, *problem) {
	zone := o.Zone
	if zone == nil {
		zone = time.UTC
	}
	now := o.Now.In(zone)
	low := strings.ToLower(s)
	midnight := func(days int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+days, 0, 0, 0, 0, zone)
	}
	switch {
	case low == "today":
		return within(low, midnight(0), midnight(1))
	case low == "yesterday":
		return within(low, midnight(-1), midnight(0))
	case isAgo(low):
		return ago(low, now)
	}
	text := strings.Replace(strings.ToUpper(s), " ", "T", 1)
	for _, f := range &stretches {
		if from, err := time.ParseInLocation(f.layout, text, zone); err == nil {
			from = from.Truncate(time.Second)
			return within(text, from, f.next(from))
		}
	}
	return Date{}, noDate(s, text)
}

// ago returns the moment that lies so long ago. Days and weeks keep the time
// of day.
func ago(text string, now time.Time) (Date, *problem) {
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil || n > 1e6 {
		return Date{}, tooFar(text)
	}
	from := now.Truncate(time.Second)
	switch text[len(text)-1] {
	case 'h':
		from = from.Add(-time.Duration(n) * time.Hour)
	case 'd':
		from = from.AddDate(0, 0, -n)
	default:
		from = from.AddDate(0, 0, -7*n)
	}
	return within(text, from, from.Add(time.Second))
}

func within(text string, from, to time.Time) (Date, *problem) {
	if from.Year() < firstYear || from.Year() > lastYear {
		return Date{}, tooFar(text)
	}
	return Date{text, from.UTC(), to.UTC()}, nil
}

func tooFar(text string) *problem {
	return &problem{show(text) + " is too far away", fmt.Sprintf("dates lie between %d and %d", firstYear, lastYear)}
}

const dateForms = "dates are written 2026, 2026-11, 2026-11-20, 2026-11-20T17:58, today, yesterday, 12h, 7d or 3w"

// noDate is the problem with a text that is no date.
func noDate(s, text string) *problem {
	shape := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, text)
	var y, m, d int
	switch {
	case strings.HasPrefix(shape, "0000-00"):
		return &problem{"there is no date " + show(s), dateForms}
	case shape == "00000000":
		return &problem{show(s) + " is no date", fmt.Sprintf("write %s-%s-%s", s[:4], s[4:6], s[6:])}
	}
	if n, _ := fmt.Sscanf(text, "%4d-%2d-%2d", &y, &m, &d); n == 3 && y > 999 && m > 0 && d > 0 {
		return &problem{show(s) + " is no date", fmt.Sprintf("write %04d-%02d-%02d", y, m, d)}
	}
	if n, _ := fmt.Sscanf(text, "%4d/%2d/%2d", &y, &m, &d); n == 3 && y > 999 && m > 0 && d > 0 {
		return &problem{show(s) + " is no date", fmt.Sprintf("write %04d-%02d-%02d", y, m, d)}
	}
	return &problem{show(s) + " is no date", dateForms}
}
