package lineage

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"winnow/core/review"
)

// comparison finds out what became of each sample.
type comparison struct {
	was, is *side
	explain func(segment string) string
	met     map[*sampleBrief]bool // new samples that were an old one
	out     Difference
}

func (c *comparison) compare() {
	var gone []*sampleBrief
	for _, old := range c.was.samples {
		if now := c.is.by[old.key()]; now != nil {
			c.met[now] = true
			c.both(old, now)
		} else {
			gone = append(gone, old)
		}
	}
	for _, old := range gone {
		c.gone(old)
	}
	for _, now := range c.is.samples {
		if !c.met[now] {
			c.came(now)
		}
	}
	sortChanges(c.out.Changes)
	for i := range c.out.Changes {
		switch c.out.Changes[i].Kind {
		case Came:
			c.out.Came++
		case Went:
			c.out.Went++
		case Changed:
			c.out.Changed++
		}
	}
	c.out.Same = c.out.New - c.out.Came - c.out.Changed
}

func (c *comparison) add(kind ChangeKind, why ChangeCause, of *sampleBrief, detail string, args ...any) {
	c.out.Changes = append(c.out.Changes, Change{
		Kind: kind, Cause: why, Detail: fmt.Sprintf(detail, args...), Segment: of.Segment, SessionFile: of.SessionFile, Start: of.Start, End: of.End,
	})
}

// both compares a sample that is in both exports. The first difference that
// explains the others is told.
func (c *comparison) both(old, now *sampleBrief) {
	switch {
	case old.Start != now.Start || old.End != now.End:
		c.add(Changed, CauseBoundary, now, "its boundary was edited: messages %d–%d before", old.Start, old.End)
	case old.Fingerprint != now.Fingerprint:
		c.add(Changed, CauseContent, now, "its messages changed")
	case old.Edited != now.Edited:
		c.add(Changed, CauseContent, now, "its messages were edited")
	case old.Verdict != now.Verdict:
		c.add(Changed, CauseVerdict, now, "its verdict changed: %s before, %s now%s", orNone(old.Verdict), orNone(now.Verdict), by(now.Curator))
	case old.File != now.File:
		c.add(Changed, CauseSplit, now, "it moved from %s to %s", orNone(old.File), orNone(now.File))
	case old.Record != now.Record:
		why, what := c.record(old, now)
		c.add(Changed, why, now, "%s", what)
	}
}

// record says why a sample has another record. What the manifests tell of it
// need not be in every format: other options may be the reason as well.
func (c *comparison) record(old, now *sampleBrief) (why ChangeCause, what string) {
	switch was, is := old.Compression, now.Compression; {
	case was == nil && is != nil:
		return CauseCompressed, fmt.Sprintf("it is compressed: by %s, into %d samples", is.Strategy, is.Samples)
	case was != nil && is == nil:
		return CauseCompressed, "it is no longer compressed"
	case was != nil && !reflect.DeepEqual(was, is):
		return CauseCompressed, "its compression is another one"
	case !slices.Equal(old.Masked, now.Masked):
		why, what = CauseMarks, switched(old.Masked, now.Masked)
	case scoreText(old.Score) != scoreText(now.Score):
		why, what = CauseScore, fmt.Sprintf("its score changed: %s before, %s now", scoreText(old.Score), scoreText(now.Score))
	case old.TaskType != now.TaskType:
		why, what = CauseType, fmt.Sprintf("its task type changed: %s before, %s now", orNone(old.TaskType), orNone(now.TaskType))
	case len(c.out.Options) > 0:
		return CauseOptions, "other options: " + c.optionNames()
	default:
		return CauseUnknown, "its record changed: another version of the program, or another topic"
	}
	if len(c.out.Options) > 0 {
		what += "; other options: " + c.optionNames()
	}
	return why, what
}

// switched says which messages a curator switched off and on.
func switched(old, now []int) string {
	var parts []string
	for _, way := range [...]struct {
		name   string
		of, by []int
	}{{"off", now, old}, {"on", old, now}} {
		var numbers []string
		for _, n := range way.of {
			if !slices.Contains(way.by, n) {
				numbers = append(numbers, strconv.Itoa(n))
			}
		}
		switch n := len(numbers); {
		case n == 1:
			parts = append(parts, fmt.Sprintf("message %s was switched %s for training", numbers[0], way.name))
		case n > 1 && n <= mostNamed:
			parts = append(parts, fmt.Sprintf("messages %s were switched %s for training", strings.Join(numbers, ", "), way.name))
		case n > mostNamed:
			parts = append(parts, fmt.Sprintf("%d messages were switched %s for training", n, way.name))
		}
	}
	return strings.Join(parts, ", ")
}

// mostNamed is how many messages a line names.
const mostNamed = 10

func scoreText(score *float64) string {
	if score == nil {
		return "none"
	}
	return strconv.FormatFloat(*score, 'f', -1, 64)
}

// gone says what became of a segment that is not in the new export.
func (c *comparison) gone(old *sampleBrief) {
	now := c.is.by[old.Segment]
	left := c.is.left[old.key()]
	if left == nil && now == nil {
		left = c.is.left[old.Segment]
	}
	switch {
	case left != nil:
		c.add(Went, CauseCheck, old, "left out now: %s: %s", left.Check, left.Reason())
		return
	case now != nil && old.Compression != nil:
		c.add(Went, CauseCompressed, old, "its segment is compressed otherwise, or no longer: sample %d of %d before", old.Compression.Sample+1, old.Compression.Samples)
		return
	}
	if old.Rejected != nil {
		c.gonePair(old)
		return
	}
	for _, now := range c.is.of[old.SessionFile] {
		if now.overlaps(old) && c.was.by[now.key()] == nil && !c.met[now] {
			c.met[now] = true
			c.add(Changed, CauseBoundary, now, "its boundary was edited: messages %d–%d before, as segment %s", old.Start, old.End, review.Short(old.Segment))
			return
		}
	}
	if why := c.explain(old.Segment); why != "" {
		c.add(Went, CauseVerdict, old, "%s", why)
		return
	}
	for _, now := range c.is.of[old.SessionFile] {
		if now.overlaps(old) {
			c.add(Went, CauseBoundary, old, "its boundary was edited: messages %d–%d are segment %s now", now.Start, now.End, review.Short(now.Segment))
			return
		}
	}
	if len(c.out.Options) > 0 {
		c.add(Went, CauseOptions, old, "not selected any more: another verdict, or other options: %s", c.optionNames())
		return
	}
	c.add(Went, CauseVerdict, old, "not selected any more: its verdict changed from %s, or its session is gone", orNone(old.Verdict))
}

// gonePair says what became of a pair that is not in the new export. A rejected
// segment explains nothing: it is in no other export either.
func (c *comparison) gonePair(old *sampleBrief) {
	if why := c.explain(old.Segment); why != "" {
		c.add(Went, CauseVerdict, old, "%s", why)
		return
	}
	c.add(Went, CauseVerdict, old, "no pair with segment %s any more: another verdict, or others of its prompt were taken", review.Short(old.Rejected.Segment))
}

// came says why a segment is in the new export only.
func (c *comparison) came(now *sampleBrief) {
	left := cmp.Or(c.was.left[now.key()], c.was.left[now.Segment])
	switch {
	case now.Compression != nil && c.was.by[now.Segment] != nil:
		c.add(Came, CauseCompressed, now, "sample %d of %d of a segment that is compressed", now.Compression.Sample+1, now.Compression.Samples)
	case left != nil:
		c.add(Came, CauseCheck, now, "left out before: %s: %s", left.Check, left.Reason())
	case now.Rejected != nil:
		c.add(Came, CauseVerdict, now, "a pair with segment %s, %s", review.Short(now.Rejected.Segment), strings.TrimPrefix(verdictText((*sampleBrief)(&Sample{Origin: *now.Rejected})), ", "))
	case !c.was.session[now.SessionFile]:
		c.add(Came, CauseNewSession, now, "its session is new here%s", verdictText(now))
	case c.cut(now):
		c.add(Came, CauseBoundary, now, "a boundary was edited: its messages were in another sample")
	case len(c.out.Options) > 0:
		c.add(Came, CauseOptions, now, "%s; other options: %s", strings.TrimPrefix(verdictText(now), ", "), c.optionNames())
	default:
		c.add(Came, CauseVerdict, now, "its verdict changed: %s", strings.TrimPrefix(verdictText(now), ", "))
	}
}

// cut reports whether messages of a new sample were in an old one.
func (c *comparison) cut(now *sampleBrief) bool {
	for _, old := range c.was.of[now.SessionFile] {
		if old.overlaps(now) {
			return true
		}
	}
	return false
}

func (c *comparison) optionNames() string {
	var names []string
	for _, o := range c.out.Options {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}

func verdictText(s *sampleBrief) string { return ", " + orNone(s.Verdict) + by(s.Curator) }

func by(curator string) string {
	if curator == "" {
		return ""
	}
	return " by " + curator
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
