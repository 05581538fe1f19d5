package httpd

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// scope is what somebody may do.
type scope int

const (
	mayAll    scope = iota // without a token
	mayIngest              // send sessions
	mayRead                // look at what there is
)

// Tokens are those that clients show. "" is none.
type Tokens struct{ Ingest, Read string }

// guard says who may ask.
type guard struct {
	hosts  []string
	sums   map[scope][sha256.Size]byte // of tokens: sums take the same time to compare
	origin *http.CrossOriginProtection
}

// localHosts are the names of this machine that the server always answers to.
var localHosts = []string{"127.0.0.1", "localhost", "[::1]"}

func newGuard(hosts []string, t Tokens) guard {
	g := guard{hosts: slices.Clone(localHosts), sums: map[scope][sha256.Size]byte{}, origin: http.NewCrossOriginProtection()}
	for _, h := range hosts {
		if h = hostName(h); !slices.Contains(g.hosts, h) {
			g.hosts = append(g.hosts, h)
		}
	}
	for scope, token := range map[scope]string{mayIngest: t.Ingest, mayRead: t.Read} {
		if token != "" {
			g.sums[scope] = sha256.Sum256([]byte(token))
		}
	}
	return g
}

// hostName is the name in a Host header, without port, as names are compared.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is6() {
		return "[" + ip.String() + "]"
	}
	return host
}

// place refuses requests to names that are not the server's, which a page may have made
// lead here, and requests that pages of other sites make, also those that only look.
// local requests came over a socket, where neither can be.
func (g *guard) place(r *http.Request, local bool) *refusal {
	if local {
		return nil
	}
	if !slices.Contains(g.hosts, hostName(r.Host)) {
		last := len(g.hosts) - 1
		return &refusal{status: http.StatusForbidden, code: "host", text: fmt.Sprintf("this server answers to %s and %s, not %q: --host adds a name",
			strings.Join(g.hosts[:last], ", "), g.hosts[last], r.Host)}
	}
	asked := r.WithContext(r.Context())
	asked.Method = http.MethodPost // reads are not looked at
	if g.origin.Check(asked) != nil {
		return &refusal{status: http.StatusForbidden, code: "origin", text: "requests made by web pages are not taken"}
	}
	return nil
}

// token refuses who shows no token, or one for something else.
func (g *guard) token(r *http.Request, needs scope, local bool) *refusal {
	if local || needs == mayAll {
		return nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	holds := mayAll
	for scope, is := range g.sums {
		if subtle.ConstantTimeCompare(sum[:], is[:]) == 1 && strings.EqualFold(scheme, "Bearer") {
			holds = scope
		}
	}
	switch {
	case holds == needs:
		return nil
	case holds == mayIngest:
		return &refusal{status: http.StatusForbidden, code: "scope", text: "this token may only send"}
	case holds == mayRead:
		return &refusal{status: http.StatusForbidden, code: "scope", text: "this token may only look"}
	}
	name := "ingest"
	if needs == mayRead {
		name = "read"
	}
	return &refusal{status: http.StatusUnauthorized, code: "token", text: fmt.Sprintf("no token, or a wrong one: send \"Authorization: Bearer …\"; winnow serve --print-token %s prints it", name)}
}
