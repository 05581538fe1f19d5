package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/similar"
	"winnow/store/sqlite"
)

// wordy is a talk whose messages are made of a few texts, with some words
// changed, so that many runs of messages are alike.
func wordy(n int, random *rand.Rand) []chat.Message {
	list := talk(n, "")
	for i := range list {
		words := make([]string, 40)
		theme := random.IntN(2)
		for j := range words {
			words[j] = fmt.Sprintf("theme%dword%d", theme, j)
		}
		for range random.IntN(4) {
			words[random.IntN(len(words))] = fmt.Sprint("other", random.IntN(50))
		}
		if list[i].Content = strings.Join(words, " "); random.IntN(20) == 0 {
			list[i].Content = ""
		}
	}
	return list
}

// findAlike signs and compares all that is to be.
func findAlike(t testing.TB, s *Store) runs.AlikeReport {
	t.Helper()
	r, err := (&runs.Aliker{Store: s, Batch: 7}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if segments, others, err := s.CountUnsigned(t.Context()); segments+others != 0 || err != nil {
		t.Fatalf("%d segments and %d signatures are left, %v", segments, others, err)
	}
	return r
}

// clustersOf returns which segments are in one cluster, by the rows in which
// they are listed; each segment with words is in one.
func clustersOf(t testing.TB, s *Store) [][]int {
	t.Helper()
	rows := naiveRows(t, s)
	sets := similar.NewSets(len(rows))
	first := map[int64]int{}
	for i := range rows {
		var cluster int64
		if err := s.db.Rows(t.Context(), "SELECT cluster FROM signatures WHERE fingerprint = ?", rows[i].Fingerprint).One(&cluster); err != nil {
			t.Fatal(err)
		}
		if at, met := first[cluster]; met && cluster > 0 {
			sets.Join(at, i)
		} else {
			first[cluster] = i
		}
	}
	return sets.List()
}

// naiveClusters compares each segment with each.
func naiveClusters(t testing.TB, s *Store) [][]int {
	t.Helper()
	rows := naiveRows(t, s)
	sigs := make([]*similar.Signature, len(rows))
	sets := similar.NewSets(len(rows))
	for i := range rows {
		var signer similar.Signer
		list, err := s.Messages(t.Context(), rows[i].Body, rows[i].Start, rows[i].End)
		if err != nil {
			t.Fatal(err)
		}
		for j := range list {
			if list[j].Role == chat.User || list[j].Role == chat.Assistant {
				signer.Add(list[j].Content)
			}
		}
		sig := signer.Signature()
		sigs[i] = &sig
		for j := range i {
			if similar.Similarity(sigs[i], sigs[j]) >= similar.Duplicate {
				sets.Join(i, j)
			}
		}
	}
	return sets.List()
}

// Whatever happens to segments, those are in one cluster that comparing each
// with each finds alike, and nothing is read twice.
func TestClustersFollowTheSegments(t *testing.T) {
	several := 0
	for seed := range cutSeeds {
		random := rand.New(rand.NewPCG(uint64(seed), 5))
		s := openTemp(t)
		var sessions []talked
		old := "" // the segment of a session that is written anew
		for n := range 3 {
			sessions = append(sessions, recorded(t, s, fmt.Sprint("/s/", n), wordy(30, random), 0, 4, 8, 12, 20, 24))
		}
		for round := range 12 {
			p := &somebody{"ann", s, random, sessions[random.IntN(len(sessions))]}
			switch random.IntN(4) {
			case 0:
				list := wordy(8, random)
				put(t, s, write(fmt.Sprint("/more/", round), list))
			case 1:
				if old == "" {
					old = put(t, s, write("/a", wordy(12, random)))[0]
				}
				rewrite(t, s, wordy(16, random), old)
				if list, err := s.Segments(t.Context(), review.Query{Filter: parsed(t, "file:/a"), Limit: 1}); err != nil || len(list.Segments) == 0 {
					t.Fatal(err)
				} else {
					old = list.Segments[0].ID
				}
			default:
				p.act(t)
			}
			if random.IntN(3) == 0 {
				continue // what is to be compared piles up
			}
			findAlike(t, s)
			got, want := clustersOf(t, s), naiveClusters(t, s)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d, round %d: %v, want %v", seed, round, got, want)
			}
			if len(want) > 1 {
				several++
			}
			if r := findAlike(t, s); r != (runs.AlikeReport{}) {
				t.Fatalf("once more: %+v", r)
			}
		}
		clean(t, s)
	}
	if several == 0 {
		t.Error("nothing was alike")
	}
}

// Signatures of an older making are given up: short texts that were alike by
// chance are not any more.
func TestSignaturesOfAnOlderMakingAreMadeAnew(t *testing.T) {
	s := openTemp(t)
	random := rand.New(rand.NewPCG(2, 2))
	recorded(t, s, "/long", wordy(20, random), 0, 4, 8, 12)
	for i, text := range []string{"Compute 31*38", "compute 31*38", "Compute 31*39"} {
		put(t, s, write(fmt.Sprint("/short", i), []chat.Message{{N: 1, Role: chat.User, Content: text}}))
	}
	findAlike(t, s)
	steps := shipped(t)
	anew := slices.IndexFunc(steps, func(m sqlite.Step) bool { return strings.Contains(m.Text, "DELETE FROM signatures;") })
	err := s.writeBeside(t.Context(), "make old", func(t *tx) error {
		for _, text := range []string{"UPDATE signatures SET cluster = (SELECT min(id) FROM signatures), signature = (SELECT signature FROM signatures LIMIT 1)", steps[anew].Text} {
			if _, err := t.Exec(text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	findAlike(t, s)
	if got, want := clustersOf(t, s), naiveClusters(t, s); fmt.Sprint(got) != fmt.Sprint(want) || len(want) != 1 {
		t.Errorf("%v, want %v", got, want)
	}
	clean(t, s)
}

// A run that is stopped anywhere goes on where it was.
func TestFindingAlikeGoesOn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	s := openTemp(t)
	for n := range 12 {
		recorded(t, s, fmt.Sprint("/s/", n), wordy(20, random), 0, 4, 8, 12)
	}
	list, err := s.UnsignedSegments(t.Context(), 0, 20)
	if err != nil || len(list) != 20 || !slices.IsSortedFunc(list, func(a, b runs.UnsignedSegment) int { return int(a.Row - b.Row) }) {
		t.Fatal(len(list), err)
	}
	var half similar.Signer
	sig := half.Sign("a b c d e f g")
	if err := s.WriteSignatures(t.Context(), []runs.SignatureWrite{{Row: list[0].Row, Fingerprint: "other", Signature: sig}, {Row: 1 << 40, Fingerprint: "x", Signature: sig}}); err != nil {
		t.Fatal(err)
	}
	if n, others, err := s.CountUnsigned(t.Context()); n != 48 || others != 0 || err != nil {
		t.Errorf("%d segments, %d signatures to be compared, %v: what changed meanwhile was signed", n, others, err)
	}
	findAlike(t, s)
	if got, want := clustersOf(t, s), naiveClusters(t, s); fmt.Sprint(got) != fmt.Sprint(want) || len(want) == 0 {
		t.Errorf("%v, want %v", got, want)
	}
	clean(t, s)
}

// Groups are whole, and each comes once, also when what is kept in memory falls
// after while they are read.
func TestEachAlikeWhileOthersWrite(t *testing.T) {
	s := openTemp(t)
	directly(t, s, 600)
	clustered(t, s, 100, rand.New(rand.NewPCG(1, 2)))
	s.loadStep = 7
	page, err := s.Segments(t.Context(), reviewAll(1000))
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64]int{}
	for i := range page.Segments {
		want[page.Segments[i].Cluster]++
	}
	maps.DeleteFunc(want, func(cluster int64, n int) bool { return cluster == 0 || n < 2 })
	if len(want) < 20 {
		t.Fatal(want)
	}
	got := map[int64]int{}
	err = s.EachAlike(t.Context(), nil, func(group []review.Segment) error {
		if got[group[0].Cluster] != 0 {
			t.Errorf("cluster %d twice", group[0].Cluster)
		}
		got[group[0].Cluster] = len(group)
		judge(t, s, "ann", review.Approved, group[0].ID)
		return nil
	})
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, want %v, %v", got, want, err)
	}
	one := parsed(t, "id:"+page.Segments[0].ID)
	err = s.EachAlike(t.Context(), one, func(group []review.Segment) error {
		return fmt.Errorf("a group of which %d passes", len(group))
	})
	if err != nil {
		t.Error(err)
	}
}

// What left a cluster that is too large to be compared again leaves the others
// as they are.
func TestALargeClusterIsNotWrittenAgain(t *testing.T) {
	s := openTemp(t)
	directly(t, s, 4)
	var before, after int
	err := s.write(t.Context(), sqlite.Machine, "prepare", func(t *tx) error {
		for _, text := range []string{
			"INSERT INTO signatures (fingerprint, signature, cluster, fresh) SELECT DISTINCT fingerprint, zeroblob(512), 1, 0 FROM task_segments",
			`INSERT INTO signatures (fingerprint, signature, cluster, fresh)
				WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4200) SELECT 'x' || i, zeroblob(512), 1, 0 FROM n`,
			"UPDATE signatures SET parted = 1 WHERE id = (SELECT max(id) FROM signatures)",
		} {
			if _, err := t.Exec(text); err != nil {
				return err
			}
		}
		return t.Rows("SELECT total_changes()").One(&before)
	})
	if err == nil {
		err = s.DropUnheld(t.Context())
	}
	if err == nil {
		err = s.write(t.Context(), sqlite.Machine, "look", func(t *tx) error { return t.Rows("SELECT total_changes()").One(&after) })
	}
	if err != nil || after-before > 10 {
		t.Errorf("%d rows were written for one that left, %v", after-before, err)
	}
}

// TestSummariesMakeNothingAlike: what somebody and the assistant say does.
func TestSummariesMakeNothingAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	words := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint("w", random.IntN(1_000_000))
		}
		return strings.Join(list, " ")
	}
	summary, same := "[CONTEXT SUMMARY]: "+words(300), words(60)
	for name, c := range map[string]struct {
		role  chat.Role
		texts [2]string
		alike bool
	}{
		"one summary as the user":  {chat.User, [2]string{words(60), words(60)}, false},
		"one summary as an answer": {chat.Assistant, [2]string{words(60), words(60)}, false},
		"one request":              {chat.User, [2]string{same, same + " now"}, true},
	} {
		s := openTemp(t)
		for i, text := range c.texts {
			list := talk(2, "")
			list[0].Content, list[1].Role, list[1].Content = text, c.role, summary
			put(t, s, write(fmt.Sprint("/", i), list))
		}
		findAlike(t, s)
		if n := len(clustersOf(t, s)); (n == 1) != c.alike {
			t.Errorf("%s: %d clusters", name, n)
		}
	}
}
