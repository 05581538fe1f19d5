package export

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"path"
	"strings"

	"winnow/core/review"
	"winnow/core/similar"
)

// leakSimilarity is the similarity from which on two samples must not be in
// different parts. It lies two and a half standard errors of the estimate below
// that of near duplicates: a sample that is tested on and was all but trained
// on does more harm than two parts that could have been told apart.
const leakSimilarity = nearDuplicate - 0.05

// lot is where among the parts a session falls: a number that is as good as
// random, yet the same for the same session and seed, whatever else there is.
type lot struct {
	at uint64
	// rank decides which of two sessions that came at the same time was
	// first. It has nothing to do with at: else the first part would get
	// more than its share.
	rank uint64
}

// lotOf returns the lot of a session. It is made of what stays when files are moved or read into another
// database: the agent, the name of the file and the recorder's id of the
// session. Where there is none, the key in the file and the name of its folder
// take its place: recorders that give no ids often name all files alike.
func lotOf(s *review.Session, seed uint64) lot {
	source := strings.ReplaceAll(review.SourcePath(s.File), `\`, "/")
	key := s.File[len(source):]
	parts := []string{s.AgentID, path.Base(source)}
	switch {
	case s.NativeID == "":
		parts = append(parts, "folder", path.Base(path.Dir(source)), key)
	case strings.HasPrefix(key, "#b="): // a branch shares the id of what it left
		parts = append(parts, "branch", s.NativeID, key)
	default:
		parts = append(parts, "session", s.NativeID)
	}
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, seed))
	for _, p := range parts {
		h.Write(append([]byte(p), 0))
	}
	sum := h.Sum(nil)
	return lot{binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:])}
}

// split says which part each sample goes to. All samples of a session go to
// one, and so do its branches, and sessions with samples that are alike: where the one falls that
// came first into the data set. So none ever changes its part because others
// are added, but for one case that cannot be helped: sessions that had nothing
// in common, in different parts, and a new one that is like both. Then the
// later ones follow the first. What was held back before never goes to the first part, and
// neither does what is in one set with it.
//
// With few sessions, or many that are alike, the shares are met only roughly,
// and a small part may stay empty.
func (d *decision) split(splits []Split) {
	sessions := map[string]int{} // first sample of each, or of a branch of it
	sets := similar.NewSets(len(d.rows))
	for i := range d.rows {
		for _, id := range append([]string{d.rows[i].session}, d.rows[i].path...) {
			if first, met := sessions[id]; met {
				sets.Join(first, i)
			} else {
				sessions[id] = i
			}
		}
	}
	for _, groups := range [][][]int{d.equal(), d.alike(leakSimilarity)} {
		for _, group := range groups {
			for _, i := range group[1:] {
				sets.Join(group[0], i)
			}
		}
	}
	oldest := make(map[int]int, len(sessions)) // sample by set
	held := map[int]bool{}                     // sets
	for i := range d.rows {
		if d.rows[i].held {
			held[sets.Root(i)] = true
		}
		at, met := oldest[sets.Root(i)]
		if !met || d.older(i, at) {
			oldest[sets.Root(i)] = i
		}
	}
	for i := range d.rows {
		if d.stays(i) {
			d.verdicts[i].split = partAt(splits, d.rows[oldest[sets.Root(i)]].lot)
			if held[sets.Root(i)] && len(splits) > 1 && d.verdicts[i].split == splits[0].Name {
				d.verdicts[i].split = splits[1].Name
			}
		}
	}
}

// older reports whether the sample i came into the data set before j.
func (d *decision) older(i, j int) bool {
	a, b := &d.rows[i], &d.rows[j]
	return cmp.Or(cmp.Compare(a.joined, b.joined), cmp.Compare(a.created, b.created), cmp.Compare(a.lot.rank, b.lot.rank)) < 0
}

// partAt returns the name of the part at a lot: the parts lie side by side,
// each as wide as its share.
func partAt(splits []Split, p lot) string {
	at, end := float64(p.at>>11)/(1<<53), 0.0
	for _, s := range splits[:len(splits)-1] {
		if end += s.Share; at < end {
			return s.Name
		}
	}
	return splits[len(splits)-1].Name
}
