// Package serve is the command of that name: listeners, tokens, and the server of
// package httpd on them, until it is told to end.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/httpd"
	"winnow/cmd/winnow/print"
	"winnow/core/beside"
	"winnow/core/hub"
	"winnow/core/inbox"
	"winnow/core/lease"
)

// Program is what the command needs of the program.
type Program struct {
	Out     *print.Output
	Warn    func(format string, args ...any)
	Command func(words string) string // a command line that does something with the same database
	Short   func(path string) string  // a path as people know it
	Get     func(name string) string  // a variable of the environment
	Now     func() time.Time
	JSON    *bool
	Version string
	Wrong   func(format string, args ...any) error // an error of wrong usage
	// Path is where the database is, or would be; Open opens it, or makes one.
	Path func() (string, error)
	Open func(ctx context.Context, f func(Database) error) error
}

// command is the command with what its flags ask for.
type command struct {
	Program
	flags
	pause func(ctx context.Context, d time.Duration) error
}

// New returns the command.
func New(p Program) *cobra.Command {
	c := &command{Program: p, pause: pause}
	cmd := &cobra.Command{
		Use: "serve", Short: "Take sessions over HTTP", Long: help, Example: examples,
		RunE: func(cmd *cobra.Command, _ []string) error {
			token, err := c.check()
			switch {
			case err != nil:
				return err
			case token:
				return c.writeToken()
			}
			return c.Open(cmd.Context(), func(d Database) error { return c.serve(cmd.Context(), d) })
		},
	}
	c.add(cmd)
	return cmd
}

// Database is what the server works on.
type Database struct {
	Path     string
	Store    Store
	Importer func(agent string, h inbox.Hints) *hub.Importer
	Pages    []httpd.Page
	// Cycles does what "winnow run" does, again and again until ctx ends.
	Cycles func(ctx context.Context, every time.Duration)
}

// Store is what the command needs of the database.
type Store interface {
	httpd.Store
	Writable() error
	Leases(ctx context.Context) ([]lease.Lease, error)
}

// The names of what the server keeps beside the database.
const inboxName, tokenName = "inbox", "serve.token"

// writeToken prints one of the tokens, which are made if there are none.
func (c *command) writeToken() error {
	database, err := c.Path()
	if err != nil {
		return err
	}
	t, err := readTokens(beside.Path(database, tokenName))
	if err != nil {
		return err
	}
	c.Out.Printf("%s\n", map[string]string{"ingest": t.Ingest, "read": t.Read}[c.printToken])
	return nil
}

// serve listens until ctx ends.
func (c *command) serve(ctx context.Context, d Database) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if err := d.Store.Writable(); err != nil {
		return err
	}
	tokens, err := readTokens(beside.Path(d.Path, tokenName))
	if err != nil {
		return err
	}
	dir := c.inbox
	if dir == "" {
		dir = beside.Path(d.Path, inboxName)
	}
	box, err := c.open(ctx, d.Store, dir)
	if err != nil {
		return err
	}
	defer box.Close()
	all, err := c.listeners()
	if err != nil {
		return err
	}
	hosts := c.hosts
	for _, l := range all {
		hosts = append(hosts, l.names()...)
	}
	s := httpd.New(httpd.Options{
		Box: box, Store: d.Store, Importer: d.Importer, Pages: d.Pages, Tokens: tokens, Hosts: hosts,
		Limits: httpd.Limits{Body: c.bodySize, Uploads: c.uploads, Disk: c.freeSize}, Version: c.Version, Warn: c.Warn, Told: c.told,
	})
	if err = s.Resume(ctx); err == nil {
		err = c.announce(all, beside.Path(d.Path, tokenName))
	}
	if err != nil {
		closeAll(all)
		return err
	}
	var cycles sync.WaitGroup
	if c.every > 0 {
		cycles.Go(func() { d.Cycles(ctx, c.every) })
	}
	err = c.run(ctx, s, all)
	stop()
	cycles.Wait()
	return err
}

// announce says where the server listens.
func (c *command) announce(all []*listener, tokens string) error {
	for _, l := range all {
		if *c.JSON {
			if err := c.Out.JSON(struct {
				Listening string `json:"listening"`
				Tokens    string `json:"tokens"`
			}{l.url(), tokens}); err != nil {
				return err
			}
			continue
		}
		c.Out.Printf("listening on %s\n", l.url())
		if !l.loopback && l.tls == nil {
			c.Warn("plain HTTP on %s: who is on the way can read tokens and sessions", l.Addr())
		}
	}
	if !*c.JSON {
		if c.every > 0 {
			c.Out.Printf("cuts, measures and judges what is new: %s lists what was done\n", c.Command("jobs"))
		}
		c.Out.Printf("tokens are in %s: %s prints the one that clients send\n", c.Short(tokens), c.Command("serve --print-token ingest"))
	}
	return c.Out.Flush()
}

// endTime is how long bodies that are under way may take once the server is to end.
const endTime = 30 * time.Second

// run serves until ctx ends: then no connection is taken any more, bodies under way come
// to their end, and the import under way finishes its transaction.
func (c *command) run(ctx context.Context, s *httpd.Server, all []*listener) error {
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	imported := make(chan struct{})
	go func() {
		defer close(imported)
		s.Run(work)
	}()
	failed := make(chan error, len(all))
	servers := make([]*http.Server, len(all))
	for i, l := range all {
		servers[i] = s.HTTP()
		go func() {
			if err := l.serve(servers[i]); !errors.Is(err, http.ErrServerClosed) {
				failed <- fmt.Errorf("%s: %w", l.url(), err)
			}
		}()
	}
	if err := notify(c.Get("NOTIFY_SOCKET"), "READY=1"); err != nil {
		c.Warn("systemd is not told that the server is ready: %v", err)
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	_ = notify(c.Get("NOTIFY_SOCKET"), "STOPPING=1")
	s.End()
	end, cancel := context.WithTimeout(work, endTime)
	defer cancel()
	for _, h := range servers {
		if h.Shutdown(end) != nil {
			h.Close()
		}
	}
	closeAll(all)
	stopWork()
	<-imported
	return err
}
