package lineage

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
	"winnow/core/review"
)

// ChangeKind says what became of a sample from one export to the next.
type ChangeKind string

// The kinds, in the order in which they are told.
const (
	Came    ChangeKind = "came"
	Went    ChangeKind = "went"
	Changed ChangeKind = "changed"
)

// ChangeCause says why.
type ChangeCause string

// The causes.
const (
	CauseVerdict    ChangeCause = "verdict"     // a curator's verdict
	CauseBoundary   ChangeCause = "boundary"    // the segment begins or ends elsewhere
	CauseContent    ChangeCause = "content"     // its messages are others
	CauseNewSession ChangeCause = "new_session" // nothing of its session was there
	CauseCheck      ChangeCause = "check"       // left out in one of both, by a check or an option
	CauseOptions    ChangeCause = "options"     // what was asked for is not the same
	CauseCompressed ChangeCause = "compressed"  // it was compressed, or no longer is, or otherwise
	CauseMarks      ChangeCause = "marks"       // messages were switched off or on for training
	CauseScore      ChangeCause = "score"       // it was scored anew
	CauseType       ChangeCause = "task_type"   // it was told to be of another type
	CauseSplit      ChangeCause = "split"       // it is in another part of the data set
	CauseUnknown    ChangeCause = "unknown"     // the manifests do not tell
)

// Change is a sample that is not in both exports as it was.
type Change struct {
	Kind        ChangeKind  `json:"kind"`
	Cause       ChangeCause `json:"cause"`
	Detail      string      `json:"detail"`
	Segment     string      `json:"segment"` // id, the new one if it has another now
	SessionFile string      `json:"session_file"`
	// Start and End are message numbers: the new ones, the old ones of a
	// sample that went.
	Start int `json:"start"`
	End   int `json:"end"`
}

// OptionChange is an option that is not the same in both exports, as JSON; ""
// is not given.
type OptionChange struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Difference is all that tells two exports apart.
type Difference struct {
	Old     int            `json:"old"` // samples
	New     int            `json:"new"`
	Same    int            `json:"same"`
	Came    int            `json:"came"`
	Went    int            `json:"went"`
	Changed int            `json:"changed"`
	Options []OptionChange `json:"options"`
	Changes []Change       `json:"changes"` // those that came first, then by session and place
}

// Diff compares two exports by their manifests: paths of folders, or of the
// manifests themselves. explain says what a database knows of a segment that
// is not in the new export, such as "rejected by ann"; "" if nothing, as a nil
// explain does.
func Diff(oldPath, newPath string, explain func(segment string) string) (*Difference, error) {
	was, err := readSide(oldPath)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	is, err := readSide(newPath)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	if explain == nil {
		explain = func(string) string { return "" }
	}
	c := comparison{was: was, is: is, explain: explain, met: map[*sampleBrief]bool{}}
	c.out = Difference{Old: len(was.samples), New: len(is.samples), Changes: []Change{}}
	if c.out.Options, err = optionChanges(was.head, is.head); err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	c.compare()
	return &c.out, nil
}

// Text says a change in one line.
func (c *Change) Text() string {
	return fmt.Sprintf("%-7s %s  %s messages %d–%d: %s", c.Kind, review.Short(c.Segment), c.SessionFile, c.Start, c.End, c.Detail)
}

// Text says in one line which option changed and how.
func (o *OptionChange) Text() string {
	return fmt.Sprintf("option %s: %s → %s", o.Name, cmp.Or(o.Old, "none"), cmp.Or(o.New, "none"))
}

// optionChanges compares what was asked for, by name.
func optionChanges(was, is *Manifest) ([]OptionChange, error) {
	changes := []OptionChange{}
	if was.Emitter != is.Emitter {
		changes = append(changes, OptionChange{"as", was.Emitter, is.Emitter})
	}
	var both [2]jsontext.Value
	for i, m := range []*Manifest{was, is} {
		var err error
		if both[i], err = json.Marshal(&m.Options, JSON); err != nil {
			return nil, err
		}
	}
	for name, old := range rawjson.Members(both[0]) {
		if now := rawjson.Get(both[1], string(name)); !bytes.Equal(now, old) {
			changes = append(changes, OptionChange{string(name), plain(old), plain(now)})
		}
	}
	for name, now := range rawjson.Members(both[1]) {
		if !rawjson.Has(both[0], string(name)) {
			changes = append(changes, OptionChange{string(name), "", plain(now)})
		}
	}
	return changes, nil
}

func plain(v jsontext.Value) string { return strings.Trim(string(v), `"`) }

// sampleBrief is what is compared of a sample, without what is not. Its File is
// the name of the part that it is in.
type sampleBrief Sample

func (s *sampleBrief) overlaps(o *sampleBrief) bool { return s.Start <= o.End && o.Start <= s.End }

// key tells samples apart: by their segment, pairs by those of both sides, which
// fork once, what is about one answer of a segment by that, and the further samples
// of a compression by their number.
func (s *sampleBrief) key() string {
	switch {
	case s.Answer > 0:
		return fmt.Sprint(s.Segment, " ", s.Answer, " ", s.Recorded)
	case s.From > 0:
		return fmt.Sprint(s.Segment, " from ", s.From)
	case s.Compression != nil && s.Compression.Sample > 0:
		return fmt.Sprint(s.Segment, " c", s.Compression.Sample)
	case s.Rejected == nil:
		return s.Segment
	}
	return s.Segment + " " + s.Rejected.Segment
}

// side is one of two manifests.
type side struct {
	head    *Manifest
	samples []*sampleBrief
	by      map[string]*sampleBrief   // by key
	of      map[string][]*sampleBrief // by session
	left    map[string]*LeftOut       // by segment, pairs by those of both sides
	session map[string]bool           // of which anything was selected
}

func readSide(path string) (*side, error) {
	s := &side{
		by: map[string]*sampleBrief{}, of: map[string][]*sampleBrief{}, left: map[string]*LeftOut{}, session: map[string]bool{},
	}
	words := map[string]string{}
	own := func(text string) string { // the same text once, not a copy for each sample
		if _, ok := words[text]; !ok {
			text = strings.Clone(text)
			words[text] = text
		}
		return words[text]
	}
	var err error
	s.head, err = ReadFile(path, func(m *Sample) error {
		b := (*sampleBrief)(m)
		b.Sample, b.Source, b.ReviewedAt, b.Messages = "", "", "", nil
		for _, text := range [...]*string{&b.File, &b.SessionFile, &b.Verdict, &b.Curator, &b.TaskType} {
			*text = own(*text)
		}
		s.samples = append(s.samples, b)
		s.by[b.key()] = b
		s.of[b.SessionFile] = append(s.of[b.SessionFile], b)
		s.session[b.SessionFile] = true
		return nil
	}, func(l *LeftOut) error {
		switch at := strings.LastIndex(l.Sample, "-c"); {
		case l.Rejected != "":
			s.left[l.Segment+" "+l.Rejected] = l
		case at >= 0 && l.Sample[at:] != "-c0":
			s.left[l.Segment+" "+l.Sample[at+1:]] = l
		default:
			s.left[l.Segment] = l
		}
		s.session[own(l.SessionFile)] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	splits := map[string]string{}
	for _, f := range s.head.Files {
		splits[f.Path] = f.Split
	}
	for _, b := range s.samples {
		b.File = splits[b.File]
	}
	return s, nil
}

// sortChanges brings changes into the order in which they are told.
func sortChanges(changes []Change) {
	order := []ChangeKind{Came, Went, Changed}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(slices.Index(order, a.Kind)-slices.Index(order, b.Kind), strings.Compare(a.SessionFile, b.SessionFile),
			a.Start-b.Start, a.End-b.End, strings.Compare(a.Segment, b.Segment))
	})
}
