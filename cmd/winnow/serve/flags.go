package serve

import (
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/export"
)

// help is the long help of the command.
const help = `Takes sessions over HTTP: programs post their lines to /ingest, whole or piece by
piece as they come, plain, as gzip, as zstd or as a form with many files. What
came is on the disk before the answer is sent, is imported like any other file,
and the answer says what became of each line. GET /stats, /sessions and /segments
show what the commands print with --json, to who has the token read.

Without --listen it listens on 127.0.0.1:7717 only. A socket (unix:PATH) belongs
to you and needs no token; elsewhere clients send the token that --print-token
ingest prints. Listening where other machines can reach it needs a certificate
(--tls-cert, --tls-key), or --plain.

Ctrl-C and SIGTERM end it: uploads under way get 30 seconds; what is not imported
by then is imported at the next start. See docs/hub.md.`

// examples are those of the help.
const examples = `  winnow serve
  winnow serve --run 10m
  winnow serve --listen unix:/run/user/1000/winnow.sock
  winnow serve --listen 0.0.0.0:7717 --host hub.example --tls-cert c.pem --tls-key k.pem
  curl -H "Authorization: Bearer $(winnow serve --print-token ingest)" \
    --data-binary @s.jsonl 'http://127.0.0.1:7717/ingest?agent_id=laptop&session=s'`

// flags are what was asked for.
type flags struct {
	listen, hosts   []string
	maxBody         string
	bodySize        int64
	minFree         string
	freeSize        int64
	uploads         int
	inbox           string
	tlsCert, tlsKey string
	plain           bool
	printToken      string
	every           time.Duration
	places          []place
}

const standardListen = "127.0.0.1:7717"

// add adds the flags of the command.
func (c *command) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&c.listen, "listen", []string{standardListen}, "listen at `ADDR`: HOST:PORT, or unix:PATH; may be repeated")
	f.StringArrayVar(&c.hosts, "host", nil, "also answer to this `NAME` in requests; may be repeated")
	f.StringVar(&c.maxBody, "max-body", "1GiB", "take bodies up to this `SIZE`, after decompression")
	f.IntVar(&c.uploads, "uploads", 4, "work on `N` uploads at once")
	f.StringVar(&c.minFree, "min-free", "1GiB", "leave this `SIZE` of the disk free")
	f.StringVar(&c.inbox, "inbox", "", "keep uploads in this `DIR` (default beside the database)")
	f.StringVar(&c.tlsCert, "tls-cert", "", "the certificate of the server, a PEM `FILE`")
	f.StringVar(&c.tlsKey, "tls-key", "", "the key of the certificate, a PEM `FILE`")
	f.BoolVar(&c.plain, "plain", false, "listen without a certificate where other machines can reach it")
	f.DurationVar(&c.every, "run", 0, "also do what winnow run does, again a `TIME` after each end, as 10m")
	f.StringVar(&c.printToken, "print-token", "", "print a token and end: `ingest` may send, read may look")
}

// place is where to listen.
type place struct {
	network, address string
	loopback         bool
}

// check looks at what the flags say. It returns whether only a token is to be printed.
func (c *command) check() (token bool, err error) {
	switch c.printToken {
	case "":
	case "ingest", "read":
		return true, nil
	default:
		return false, c.Wrong("--print-token %q: must be ingest or read", c.printToken)
	}
	if c.bodySize, err = export.ParseSize(c.maxBody); err != nil || c.bodySize < 1 {
		return false, c.Wrong("--max-body %q: must be a size such as 512MiB", c.maxBody)
	}
	if c.freeSize, err = export.ParseSize(c.minFree); err != nil || c.freeSize < 1 {
		return false, c.Wrong("--min-free %q: must be a size such as 512MiB", c.minFree)
	}
	if c.uploads < 1 {
		return false, c.Wrong("--uploads %d: must be 1 or more", c.uploads)
	}
	if c.every < 0 || c.every > 0 && c.every < time.Second {
		return false, c.Wrong("--run %s: must be a second or more", c.every)
	}
	if (c.tlsCert == "") != (c.tlsKey == "") {
		return false, c.Wrong("--tls-cert and --tls-key belong together: give both")
	}
	for _, host := range c.hosts {
		if host == "" || strings.ContainsAny(host, "/@ ") {
			return false, c.Wrong("--host %q: must be a name, without http:// and without a path", host)
		}
	}
	for _, text := range c.listen {
		p, err := c.place(text)
		if err != nil {
			return false, err
		}
		c.places = append(c.places, p)
	}
	return false, nil
}

// place reads an address.
func (c *command) place(text string) (place, error) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		if path == "" {
			return place{}, c.Wrong("--listen %q: must be unix:PATH", text)
		}
		return place{"unix", path, true}, nil
	}
	host, _, err := net.SplitHostPort(text)
	if err != nil {
		return place{}, c.Wrong("--listen %q: must be HOST:PORT, as in %s, or unix:PATH", text, standardListen)
	}
	ip, err := netip.ParseAddr(host)
	p := place{"tcp", text, host == "localhost" || err == nil && ip.IsLoopback()}
	if !p.loopback && c.tlsCert == "" && !c.plain {
		return place{}, c.Wrong("--listen %s: other machines can reach it: give --tls-cert and --tls-key, or --plain if what is sent may be read on the way", text)
	}
	return p, nil
}
