package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/cmd/winnow/print"
	"winnow/core/llm/llmtest"
	"winnow/core/train"
	"winnow/core/train/work"
	"winnow/store"
)

// hasRun keeps a run in the database.
func (b *bench) hasRun(r train.Run) int64 {
	b.t.Helper()
	path := cmp.Or(b.vars["WINNOW_DB"], filepath.Join(b.vars["HOME"], ".local", "share", "winnow", "winnow.db"))
	s, err := store.Open(b.t.Context(), path, store.Options{Clock: time.Now})
	if err != nil {
		b.t.Fatal(err)
	}
	defer s.Close()
	if err := s.BeginRun(b.t.Context(), &r); err != nil {
		b.t.Fatal(err)
	}
	return r.ID
}

// school is a database with approved segments, and a trainer that learns from them.
type school struct {
	*bench
	hasty string       // a winnow whose leases are short
	hold  string       // a file: trainers wait after their first epoch as long as it is there
	db    *store.Store // see with
}

// newSchool returns one whose leases last for a while, with what trains in two parts.
func newSchool(t *testing.T, lease time.Duration) *school {
	t.Helper()
	s := emptySchool(t, lease, "epochs=3")
	for i := range 12 {
		s.file(fmt.Sprintf("in/%03d.jsonl", i), strings.NewReplacer("shelf", fmt.Sprintf("shelf %03d", i), "report", fmt.Sprintf("report %d of %d", i*7, i)).Replace(taskSession()))
	}
	s.ok("import", filepath.Join(s.vars["HOME"], "in"))
	s.ok("approve", "--filter", "messages>0", "--yes")
	return s
}

// emptySchool returns one that has nothing to learn from yet; the trainer is told a word
// besides.
func emptySchool(t *testing.T, lease time.Duration, word string) *school {
	t.Helper()
	b := newBench(t)
	home := b.vars["HOME"]
	b.env.now, b.env.lease, b.vars[leaseVariable] = time.Now, lease, lease.String()
	b.vars["WINNOW_DB"] = filepath.Join(home, "w.db")
	s := &school{b, filepath.Join(home, "hasty"), filepath.Join(home, "hold"), nil}
	for _, name := range []string{"hasty", "trainer"} {
		self, err := os.Executable()
		if err == nil {
			err = os.Symlink(self, filepath.Join(home, name))
		}
		if err != nil {
			t.Skip(err)
		}
	}
	trainer := strconv.Quote(filepath.Join(home, "trainer"))
	b.file(".config/winnow/config.toml", `[train]
command = [`+trainer+`, "data={train}", "out={out}", "hold=`+s.hold+`", "`+word+`"]
resume = [`+trainer+`, "data={train}", "out={out}", "hold=`+s.hold+`", "`+word+`", "from={checkpoint}"]
base = "tiny"
split = "train=0.6,validation=0.4"
min_total = 1
`)
	return s
}

// process is a winnow of its own.
func (s *school) process(args ...string) *exec.Cmd {
	cmd := exec.Command(s.hasty, args...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=50")
	for name, value := range s.vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// begin begins a command until no other one is at it, and returns what it prints.
func (s *school) does(args ...string) string {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		out, err := s.process(args...).CombinedOutput()
		if err == nil {
			return string(out)
		}
		if !strings.Contains(string(out), "is at it until") || time.Now().After(end) {
			s.t.Fatalf("winnow %q: %v: %s", args, err, out)
		}
	}
}

// runs reads the runs, the newest first.
func (s *school) runs() (list []train.Run) {
	s.t.Helper()
	s.with(func(db *store.Store) (err error) {
		list, err = db.Runs(context.Background(), 0, 1000)
		return err
	})
	return list
}

// with gives the database to a function; it stays open.
func (s *school) with(f func(*store.Store) error) {
	s.t.Helper()
	if s.db == nil {
		db, err := store.Open(context.Background(), s.vars["WINNOW_DB"], store.Options{Clock: time.Now})
		if err != nil {
			s.t.Fatal(err)
		}
		s.db = db
		s.t.Cleanup(func() { _ = db.Close() })
	}
	if err := f(s.db); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for what other processes do.
func (s *school) until(true func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !true(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("it does not come to that: %+v", s.runs())
		}
	}
}

func (s *school) place(id int64) work.Place {
	return work.Place(filepath.Join(s.vars["HOME"], "w.runs", fmt.Sprint(id)))
}

// What was held back in any run never trains, however the data is split later, and what
// is rejected or stale does not either.
func TestWhatWasHeldBackNeverTrains(t *testing.T) {
	s := newSchool(t, time.Minute)
	s.does("train", "--wait")
	of := func(id int64, split train.Split, what func(*train.Sample) string) (list []string) {
		s.with(func(db *store.Store) error {
			samples, err := db.RunSamples(context.Background(), id, "", 1000)
			for _, one := range samples {
				if one.Split == split {
					list = append(list, what(&one))
				}
			}
			return err
		})
		return list
	}
	detail, segment := func(s *train.Sample) string { return s.Detail }, func(s *train.Sample) string { return s.Segment }
	held, segments := of(1, train.Validation, detail), of(1, train.Validation, segment)
	if len(held) == 0 || len(of(1, train.Train, detail)) == 0 {
		t.Fatalf("%d held back", len(held))
	}
	// Another content of nearly the same words.
	for _, id := range segments {
		s.ok("edit", id, "1", "--text", s.file("text", "Do what was asked for, with one word more."))
		s.ok("approve", id)
	}
	s.with(func(db *store.Store) error {
		counts, err := db.ToTrain(context.Background())
		if counts.New > 0 || counts.Held < len(segments) {
			t.Errorf("what was held back counts as new: %+v", counts)
		}
		return err
	})
	// Another session of nearly the same words.
	files := map[string]string{}
	rows := func(filter string) {
		for line := range strings.Lines(s.ok("list", "--filter", filter, "--json", "--limit", "1000")) {
			var row struct {
				ID   string `json:"id"`
				File string `json:"session_file"`
			}
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			files[row.ID] = row.File
		}
	}
	rows("messages>0")
	text, err := os.ReadFile(files[segments[0]])
	if err != nil {
		t.Fatal(err)
	}
	s.file("near/again.jsonl", string(text)+`{"role":"assistant","content":"All of it."}`+"\n")
	s.ok("import", filepath.Join(s.vars["HOME"], "near"))
	s.ok("approve", "--filter", "status:pending", "--yes")
	rows("messages>0")
	for id, file := range files {
		if strings.HasSuffix(file, "again.jsonl") {
			segments = append(segments, id)
		}
	}
	for _, split := range []string{"train=1", "", "train=0.95,validation=0.05", "other=0.9,test=0.1"} {
		s.vars["WINNOW_TRAIN_SPLIT"] = split
		if split == "" {
			delete(s.vars, "WINNOW_TRAIN_SPLIT")
		}
		s.does("train", "--wait", "--again")
		now := of(s.runs()[0].ID, train.Train, segment)
		for _, id := range segments {
			if slices.Contains(now, id) {
				t.Errorf("%q trains what was held back", split)
			}
		}
		if len(now) == 0 {
			t.Errorf("%q trains nothing", split)
		}
	}
}

// What says the same counts once, and that is said.
func TestThePlanSaysWhatCountsOnce(t *testing.T) {
	b := newBench(t)
	b.vars["WINNOW_DB"] = filepath.Join(b.vars["HOME"], "w.db")
	b.file(".config/winnow/config.toml", "[train]\ncommand = [\"go\"]\nbase = \"tiny\"\nsplit = \"\"\n")
	line := func(text string) string {
		return `{"messages":[{"role":"user","content":"Sort the shelf"},{"role":"assistant","content":"Done."},{"role":"user","content":"` + text + `"},{"role":"assistant","content":"Too."}]}` + "\n"
	}
	b.ok("import", b.file("in/s.jsonl", line("Sweep the floor")+line("Paint the wall")+line("Wind the clock")))
	for _, id := range regexp.MustCompile(`"id":"[0-9a-f]+`).FindAllString(b.ok("list", "--json"), -1) {
		b.ok("split", id[len(`"id":"`):], "3")
	}
	b.ok("approve", "--filter", "messages>0", "--yes")
	if out := b.ok("train", "--check"); !strings.Contains(out, "4 samples, 4 of them new") || !strings.Contains(out, "\n2 segments say the same as others of these, and count once\n") {
		t.Error(out)
	}
	if out := b.ok("train", "--check", "--json"); !strings.Contains(out, `"samples":4,"new":4,"validation":0,`) || !strings.Contains(out, `"same":2,`) {
		t.Error(out)
	}
}

// Who looks at the log of a run learns what became of it, and to look no more is to stop.
func TestTheLogOfARun(t *testing.T) {
	s := newSchool(t, time.Minute)
	log := func(id int64) {
		if err := s.place(id).Make(&s.runs()[0]); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.place(id).Log(), []byte("epoch 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := train.Run{Backend: train.ByCommand, Status: train.Running, Exit: -1}
	r.ID = s.hasRun(r)
	log(r.ID)
	if out := s.ok("runs", "log", fmt.Sprint(r.ID)); out != "epoch 1\n" || s.runs()[0].Status != train.Lost {
		t.Errorf("%s, %q", s.runs()[0].Status, out)
	}
	r.Backend = train.ByOpenAI // nobody is at it, and yet it goes on
	r.ID = s.hasRun(r)
	log(r.ID)
	cmd := s.process("runs", "log", fmt.Sprint(r.ID), "-f")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Signal(os.Interrupt)
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit status %d", cmd.ProcessState.ExitCode())
	}
}

// What is due is what a plan would train, whoever says so: what filter and checks leave out
// makes no run due.
func TestDueIsWhatThePlanTrains(t *testing.T) {
	s := newSchool(t, time.Minute)
	for name, value := range map[string]string{"SPLIT": "train=1", "WHEN": "1", "COOLDOWN": "0s", "AUTO": "true"} {
		s.vars["WINNOW_TRAIN_"+name] = value
	}
	s.does("train", "--wait")
	s.ok("import", s.file("kappa.jsonl", strings.ReplaceAll(taskSession(), "shelf", "kappa")), s.file("omega.jsonl", strings.ReplaceAll(taskSession(), "shelf", "omega")))
	s.ok("approve", "--filter", "status:pending", "--yes")
	shown := func() (text string) {
		p := &cli{env: s.env, out: print.New(s.env.stdout, false, 80)}
		if err := p.withDatabase(t.Context(), false, func(db *database) error {
			o, _, _, err := p.desk(db).Screen(t.Context(), "offline")
			if err != nil {
				return err
			}
			text, err = o.Pipeline.DueText(t.Context())
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return text
	}
	for filter, want := range map[string]string{"": "due: 2 new samples", "-topic:kappa": "due: 1 new sample", "-topic:kappa -topic:omega": "nothing new to train on"} {
		s.vars["WINNOW_TRAIN_FILTER"] = filter
		if out := s.ok("train", "--check"); !strings.HasSuffix(out, "\n"+want+"\n") {
			t.Errorf("%q: %s", filter, out)
		}
		if got := shown(); got != want {
			t.Errorf("%q: P says %q, want %q", filter, got, want)
		}
	}
	s.vars["WINNOW_TRAIN_FILTER"] = "-topic:kappa -topic:omega"
	if out := s.ok("run", "--steps", "train"); !strings.Contains(out, "nothing to do") || len(s.runs()) != 1 {
		t.Errorf("%s %d runs", out, len(s.runs()))
	}
}

// A server trains what nobody may be sent to before it is allowed; each cycle looks after
// the run, and a run that is stopped is stopped there.
// server has the school train by a server.
func (s *school) server() (server *llmtest.Server, host string) {
	server = llmtest.Start(s.t)
	for name, value := range map[string]string{"BACKEND": "openai", "BASE_URL": server.URL, "BASE": "small", "SPLIT": "train=1", "API_KEY_ENV": "KEY"} {
		s.vars["WINNOW_TRAIN_"+name] = value
	}
	s.vars["KEY"] = "sk-secret"
	return server, strings.TrimSuffix(strings.TrimPrefix(server.URL, "http://"), "/v1")
}

// A run whose server is away waits for it: the screen shows the run, and says no error.
func TestTheScreenBeginsARunThatWaits(t *testing.T) {
	s := newSchool(t, time.Minute)
	_, _ = s.server()
	s.vars["WINNOW_TRAIN_BASE_URL"] = "http://127.0.0.1:1/v1"
	s.ok("run", "--steps", "train", "--allow", "127.0.0.1:1")
	p := &cli{env: s.env, out: print.New(s.env.stdout, false, 80)}
	if err := p.withDatabase(t.Context(), false, func(db *database) error {
		o, _, _, err := p.desk(db).Screen(t.Context(), "offline")
		if err != nil {
			return err
		}
		r, err := o.Trainer.Begin(t.Context(), "full")
		if err != nil || r.ID == 0 || r.Status != train.Uploading {
			t.Errorf("run %d: %s, %v", r.ID, r.Status, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// What a server trained is evaluated here, by its name, and is there whatever comes of that.
func TestWhatAServerTrainedIsEvaluated(t *testing.T) {
	s := newSchool(t, time.Minute)
	server, host := s.server()
	config := func(evaluate string) {
		s.file(".config/winnow/config.toml", "[train]\nmin_total = 1\nevaluate = ["+strconv.Quote(filepath.Join(s.vars["HOME"], "trainer"))+", "+evaluate+"]\n")
	}
	config(`"fail={model} of {base}"`)
	job := []llmtest.Stage{{Status: "running"}, {Status: "succeeded", Model: "ft:small:1"}}
	server.Tuning().Job(job...)
	s.does("train", "--allow", host)
	s.until(func() bool {
		s.does("run", "--steps", "train")
		return s.runs()[0].Status.Ended()
	})
	if r := s.runs()[0]; r.Status != train.Succeeded || r.Model != "ft:small:1" || !strings.Contains(r.Error, "the base could not be evaluated: exit status 3: small of small; the result could not be evaluated: exit status 3: ft:small:1 of small") {
		t.Errorf("%+v", r)
	}
	config(`"evaluate={model}", "data={train}"`)
	server.Tuning().Job(job...)
	s.until(func() bool { // nobody waits for 30 seconds here
		if len(s.runs()) < 2 {
			s.does("train", "--again")
		}
		s.does("run", "--steps", "train")
		return s.runs()[0].Status.Ended()
	})
	if out := s.ok("runs", "show", "2"); !strings.Contains(out, "evaluated   base known: 0\n") || !strings.Contains(out, "evaluated   result known: 0\n") || strings.Contains(out, "\nbut") {
		t.Error(out)
	}
	config(`"{mode}"`)
	if code := s.run("train", "--check"); code != exitFailed || !strings.Contains(s.stderr.String(), "[train] evaluate: {mode}: no such placeholder") {
		t.Errorf("%d, %s", code, s.stderr.String())
	}
}

func TestAServerTrains(t *testing.T) {
	s := newSchool(t, time.Minute)
	server, host := s.server()
	server.Tuning().Job(llmtest.Stage{Status: "queued"}, llmtest.Stage{Status: "running"}, llmtest.Stage{Status: "succeeded", Model: "ft:small:1"})
	if out := s.ok("train", "--check", "--json"); !strings.Contains(out, `"format":"openai","samples":12`) || !strings.Contains(out, `"host":"`+host+`"`) {
		t.Error(out)
	}
	if code := s.run("train"); code != exitFailed || !strings.Contains(s.stderr.String(), "nothing may be sent to "+host+" yet: winnow train --allow "+host+" allows it") || len(s.runs()) > 0 || len(server.Tuning().Calls()) > 0 {
		t.Errorf("%d, %s", code, s.stderr.String())
	}
	if out, want := s.ok("train", "--check"), "\nby: "+host+"\nnothing may be sent to it yet: winnow train --allow "+host+" allows that\n"; !strings.Contains(out, want) {
		t.Error(out)
	}
	s.ok("train", "--allow", host)
	if out := s.ok("train", "--check"); strings.Contains(out, "may be sent") {
		t.Error(out)
	}
	for range 10 {
		if s.runs()[0].Status.Ended() {
			break
		}
		s.ok("run", "--steps", "train")
	}
	r := s.runs()[0]
	if r.Status != train.Succeeded || r.Model != "ft:small:1" || len(server.Tuning().Files()) != 1 || len(server.Tuning().Jobs()) != 1 {
		t.Errorf("%+v", r)
	}
	if code := s.run("train"); code != exitFailed || !strings.Contains(s.stderr.String(), "nothing new to train on: the data is that of run 1") {
		t.Errorf("%d, %s", code, s.stderr.String())
	}
	server.Tuning().Job(llmtest.Stage{Status: "running"})
	s.ok("train", "--again")
	if out := s.ok("runs", "stop", "2"); !strings.Contains(out, "run 2: cancelled") {
		t.Errorf("%s: %+v", out, server.Tuning().Jobs())
	}
	if log := s.ok("runs", "log", "1"); strings.Contains(log, "sk-secret") || !strings.Contains(log, host) {
		t.Error(log)
	}
}
