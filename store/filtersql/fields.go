package filtersql

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	"winnow/core/metric"
)

// ofTerm returns the condition of a term. It reads only columns of
// task_segments_facets, so that no row itself is looked at.
func (f Found) ofTerm(t *filter.Term) (Condition, error) {
	info, ok := filter.Lookup(string(t.Field))
	if !ok {
		return Condition{}, fmt.Errorf("unknown field")
	}
	column, session := info.Column.OfSession()
	if info.Match == filter.Listed {
		of := *t
		of.Value = info.Item(t.Value)
		t = &of
	}
	if info.Field == filter.Seen {
		c := Where("1").And(Within("seen", t))
		return Condition{"(SELECT " + c.Text + " FROM (SELECT " + cmp.Or(f.Seen.Text, "0.0") + " AS seen))", append(c.Args, f.Seen.Args...)}, nil
	}
	c, err := matches[info.Match](column, t)
	if session {
		c.Text = "body IN (SELECT body FROM trajectory_records INDEXED BY trajectory_records_facets WHERE " + c.Text + ")"
	}
	return c, err
}

// matches has one function for each way to compare a column, which is "" or NULL
// where it is missing.
var matches = map[filter.Match]func(column string, t *filter.Term) (Condition, error){
	filter.Equals:   equals,
	filter.Contains: contains,
	filter.Begins:   begins,
	filter.Listed:   listed,
	filter.Compares: compares,
	filter.Dates:    compares,
	filter.Measures: measures,
	filter.Marks:    marks,
}

func equals(column string, t *filter.Term) (Condition, error) {
	return Where(column+" = ? AND "+column+" <> ''", t.Value), nil
}

func begins(column string, t *filter.Term) (Condition, error) {
	from, to := IDs(t.Value)
	return Where(column+" >= ? AND "+column+" < ?", from, to), nil
}

// IDs returns the bounds between which ids with a prefix lie: from ≤ id < to.
func IDs(prefix string) (from, to string) {
	from = strings.ToLower(prefix)
	return from, from + "~" // '~' is after all characters of an id
}

// listed looks for an item of a list: flags and tools are items between line feeds,
// of tools with counts after a tab; tags are JSON, of which no list is read that
// does not have the text.
func listed(column string, t *filter.Term) (Condition, error) {
	switch column {
	case "tags":
		quoted, err := json.Marshal(t.Value)
		const text = "tags <> '' AND instr(tags, ?) > 0 AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)"
		return Where(text, string(quoted), t.Value), err
	case "tools":
		return Where("instr(tools, ?) > 0", "\n"+filter.ListItem(t.Value)+"\t"), nil
	}
	return Where("instr("+column+", ?) > 0", "\n"+filter.ListItem(t.Value)+"\n"), nil
}

// within is the condition that a column lies in a span of all that it may be.
func within[T int | int64 | float64, V any](column string, s, all filter.Span[T], value func(T) V) Condition {
	if s.Not {
		return Where("("+column+" < ? OR "+column+" >= ?)", value(s.From), value(s.To))
	}
	var from, to Condition
	if s.From > all.From {
		from = Where(column+" >= ?", value(s.From))
	}
	if s.To < all.To {
		to = Where(column+" < ?", value(s.To))
	}
	return from.And(to)
}

// Likely is how likely a curator would approve a segment, NULL where nothing was
// learned: it has a table of its own, as all of it may change at once.
const Likely = "(SELECT value FROM likely WHERE segment = id)"

func compares(column string, t *filter.Term) (Condition, error) {
	if column == "likely" {
		column = Likely
	}
	return Where(column + " IS NOT NULL").And(Within(column, t)), nil
}

// Within is the condition of a term of a number or a time on a column that is
// never NULL.
func Within(column string, t *filter.Term) Condition {
	if info, _ := filter.Lookup(string(t.Field)); info.Match == filter.Dates {
		return within(column, t.Times(), filter.AnyWhole(), func(micros int64) string { return stampWithin(time.UnixMicro(micros)) })
	}
	return within(column, t.Numbers(), filter.AnyNumber(), func(x float64) float64 { return x })
}

// StampLayout is how times are kept: UTC, of fixed width, so that their order
// as text is their order in time.
const StampLayout = "2006-01-02T15:04:05.000000Z"

// stampWithin returns any time as it is kept: those of years that have not four
// digits are before or after all others.
func stampWithin(t time.Time) string {
	switch t = t.UTC(); {
	case t.Year() < 0:
		return ""
	case t.Year() > 9999:
		return "~"
	}
	return t.Format(StampLayout)
}

// measures compares the score of a metric. Its two bytes are in an order that
// is that of the numbers.
func measures(column string, t *filter.Term) (Condition, error) {
	i := slices.Index(metric.Names(), t.Metric)
	if i < 0 {
		return Condition{}, fmt.Errorf("unknown metric %q", t.Metric)
	}
	twoBytes := func(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }
	value := fmt.Sprintf("substr(%s, %d, 2)", column, 2*i+1)
	there := Where(fmt.Sprintf("%s IS NOT NULL AND length(%[1]s) >= %d AND %s < x'FFFF'", column, 2*i+2, value))
	return there.And(within(value, t.Steps(metric.ScoreUnit), filter.Span[int]{To: metric.ScoreUnit + 1}, twoBytes)), nil
}

// CopyJoined is the condition, of a row c of copies, that what is kept as another
// session is a part of it that others do not hold, not a copy.
const CopyJoined = "EXISTS (SELECT 1 FROM raws w WHERE w.source_id = c.source_id AND w.key = c.key AND w.joined)"

// Edited is the condition that a curator edited a segment: its boundaries, its topic or
// messages of it.
const Edited = "named OR cut_by = 'curator' OR edited <> ''"

// set are the columns of marks that are not simply a number.
var set = map[filter.Column]string{
	"note":       "note <> ''",
	"tags":       "tags <> ''",
	"edited":     Edited,
	"fixes":      "edits & 1",
	"redactions": "edits & 2",
	"squashes":   "edits & 4",
	"clashes":    "edits & 8",

	"compression.proposed": "compression = 1",
	"compression.accepted": "compression = 2",
	"compression.rejected": "compression = 3",
	"compression.failed":   "compression = 4",
	"compression.stale":    "compression = 5",

	"session.copied": "body IN (SELECT body FROM trajectory_records WHERE id IN (SELECT c.session_id FROM copies c WHERE NOT " + CopyJoined + "))",
}

func marks(_ string, t *filter.Term) (Condition, error) {
	m, ok := filter.MarkOf(t.Field, t.Value)
	if !ok {
		return Condition{}, fmt.Errorf("unknown value %q", t.Value)
	}
	if text, ok := set[m.Column]; ok {
		return Where(text), nil
	}
	return Where(string(m.Column) + " > 0"), nil
}
