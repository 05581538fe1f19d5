package store

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"winnow/core/inbox"
	"winnow/core/session"
)

// arrival is the n-th upload, as it is when it was stored.
func arrival(n int, agent string) *inbox.Arrival {
	id := fmt.Sprintf("%08x", n)
	return &inbox.Arrival{
		Receipt: inbox.Receipt{Success: true, ID: id, Agent: agent, Session: "s" + id, Outcome: inbox.Stored, Size: 7, Sum: "5e"},
		At:      time.Date(2026, 5, 3, 10, 0, n, 0, time.UTC), Wire: 5, Bytes: 7, Was: inbox.Grown, Status: 202, Inbox: "/in",
	}
}

// brought is what becomes of it.
func brought(a *inbox.Arrival, messages int) *inbox.Arrival {
	b := *a
	b.Outcome, b.Status, b.Source, b.Took = a.Was, 200, 3, 12*time.Millisecond
	b.Figures = &inbox.Figures{
		Lines: session.Counts{Read: 4, Skipped: 3, Bad: 2, Pending: 1}, Sessions: inbox.SessionFigures{New: 1, Updated: 2, Copies: 3}, Messages: inbox.MessageFigures{New: messages, Total: 9},
		Problems: []session.Issue{{Line: 7, Offset: 8, Length: 9, Severity: session.Bad, Reason: "a string ends early"}}, More: 1, Note: "copies of 3 other sessions",
	}
	return &b
}

// What is kept of uploads is what clients were told, the newest first. It makes no
// screen read again, and tells screens what is new.
func TestIngests(t *testing.T) {
	s, ctx := openTemp(t), t.Context()
	version, err := s.Version(ctx)
	if err != nil {
		t.Fatal(err)
	}
	a, b, refused := arrival(1, "laptop"), arrival(2, "ci"), arrival(3, "ci")
	refused.Success, refused.Code, refused.Error, refused.Outcome, refused.Was, refused.Status = false, "shorter", "no", inbox.Refused, "", 409
	put := func(list ...*inbox.Arrival) {
		t.Helper()
		if err := s.PutIngests(ctx, list); err != nil {
			t.Fatal(err)
		}
	}
	put(a, b)
	open, err := s.OpenIngests(ctx)
	if err != nil || len(open) != 2 || open[0].ID != a.ID || open[0].Was != inbox.Grown || open[0].Figures != nil {
		t.Errorf("open: %+v, %v", open, err)
	}
	news, seen, err := s.Arrived(ctx, 0)
	if err != nil || len(news) != 0 || seen == 0 {
		t.Errorf("before the import: %v, %d, %v", news, seen, err)
	}
	done := brought(a, 12)
	put(done, refused)
	put(brought(b, 3))
	if news, seen, err = s.Arrived(ctx, seen); err != nil || !reflect.DeepEqual(news, []inbox.News{{Agent: "ci", Messages: 3}, {Agent: "laptop", Messages: 12}}) {
		t.Errorf("after it: %v, %v", news, err)
	}
	if news, _, err = s.Arrived(ctx, seen); err != nil || len(news) != 0 {
		t.Errorf("the same again: %v, %v", news, err)
	}
	got, ok, err := s.Ingest(ctx, a.ID)
	done.N, done.Seq = 1, got.Seq
	if err != nil || !ok || !reflect.DeepEqual(&got, done) {
		t.Errorf("%+v %+v, %v\nwant %+v", got, got.Figures, err, done)
	}
	if _, ok, err = s.Ingest(ctx, "none"); ok || err != nil {
		t.Errorf("one that is not there: %v, %v", ok, err)
	}
	if open, err = s.OpenIngests(ctx); err != nil || len(open) != 0 {
		t.Errorf("still open: %+v, %v", open, err)
	}
	list, err := s.Ingests(ctx, 0, 2)
	if err != nil || len(list) != 2 || list[0].ID != refused.ID || list[0].Success || list[0].Error != "no" || list[1].ID != b.ID {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err = s.Ingests(ctx, list[1].N, 9); err != nil || len(list) != 1 || list[0].ID != a.ID {
		t.Errorf("the page after: %+v, %v", list, err)
	}
	agents, err := s.Agents(ctx)
	want := []inbox.Agent{{Name: "ci", Uploads: 2, Refused: 1, Bytes: 14, Messages: 3, Last: refused.At}, {Name: "laptop", Uploads: 1, Bytes: 7, Messages: 12, Last: a.At}}
	if err != nil || !reflect.DeepEqual(agents, want) {
		t.Errorf("agents: %+v, %v", agents, err)
	}
	if now, err := s.Version(ctx); err != nil || now != version {
		t.Errorf("version %d, was %d: %v", now, version, err)
	}
	clean(t, s)
}

// What is committed between the look at how far changes are and the read of them is told
// the next time, and only then.
func TestArrivedCountsOnce(t *testing.T) {
	s, ctx := openTemp(t), t.Context()
	if err := s.PutIngests(ctx, []*inbox.Arrival{brought(arrival(1, "ci"), 3), brought(arrival(2, "ci"), 4)}); err != nil {
		t.Fatal(err)
	}
	_, last, err := s.Arrived(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen, total := int64(0), 0
	for _, to := range []int64{last - 1, last} {
		s.watch.arrived = to // as it was before the second one was committed
		var news []inbox.News
		if news, seen, err = s.Arrived(ctx, seen); err != nil || len(news) != 1 || seen != to {
			t.Fatalf("up to %d: %v, %d, %v", to, news, seen, err)
		}
		total += news[0].Messages
	}
	if total != 7 {
		t.Errorf("%d messages are told of, want 7", total)
	}
}

// The newest stay.
func TestOldIngestsLeave(t *testing.T) {
	s, ctx := openTemp(t), t.Context()
	list := make([]*inbox.Arrival, mostIngests)
	for i := range list {
		list[i] = arrival(i, "a")
	}
	if err := s.PutIngests(ctx, list); err != nil {
		t.Fatal(err)
	}
	if err := s.PutIngests(ctx, []*inbox.Arrival{arrival(mostIngests, "a"), brought(list[1], 1)}); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]bool{0: false, 1: true, mostIngests: true} {
		if _, ok, err := s.Ingest(ctx, arrival(i, "").ID); ok != want || err != nil {
			t.Errorf("%d: %v, %v", i, ok, err)
		}
	}
}

// What is asked of uploads is found by an index.
func TestIngestsUseIndexes(t *testing.T) {
	s := openTemp(t)
	for text, index := range map[string]string{
		putIngestSQL: "ingests_seq", pruneIngestsSQL: "PRIMARY KEY", ingestSQL: "sqlite_autoindex_ingests_1", openIngestsSQL: "ingests_open", ingestsSQL: "PRIMARY KEY",
		arrivedSQL: "ingests_seq", uncutCountSQL: "trajectory_records_uncut", agentsSQL: "COVERING INDEX ingests_agent", contentVersionSQL: "ingests_seq",
	} {
		steps := planOf(t, s, text, make([]any, strings.Count(text, "?"))...)
		if !strings.Contains(steps, index) {
			t.Errorf("%s\n%s", text, steps)
		}
		for step := range strings.Lines(steps) {
			if strings.HasPrefix(step, "SCAN ingests") && !strings.Contains(step, "ingests_open") && !strings.Contains(step, "ingests_agent") {
				t.Errorf("%s\n%s", text, steps)
			}
		}
	}
}
