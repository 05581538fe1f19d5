package serve

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"

	"golang.org/x/net/netutil"
)

// listener is a place where the server listens.
type listener struct {
	net.Listener
	place
	tls *tls.Config // nil: plain
}

// mostConnections are open at once in one place; others wait to be taken.
const mostConnections = 512

// listeners opens all places, or none.
func (c *command) listeners() (all []*listener, err error) {
	var config *tls.Config
	if c.tlsCert != "" {
		cert, err := tls.LoadX509KeyPair(c.tlsCert, c.tlsKey)
		if err != nil {
			return nil, fmt.Errorf("the certificate: %w", err)
		}
		config = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	}
	for _, p := range c.places {
		l := &listener{place: p}
		if p.network == "unix" {
			l.Listener, err = listenSocket(p.address)
		} else {
			l.Listener, err = net.Listen(p.network, p.address)
			l.tls = config
		}
		if err != nil {
			closeAll(all)
			return nil, fmt.Errorf("--listen %s: %w", p.text(), err)
		}
		l.Listener = netutil.LimitListener(l.Listener, mostConnections)
		all = append(all, l)
	}
	return all, nil
}

func (p *place) text() string {
	if p.network == "unix" {
		return "unix:" + p.address
	}
	return p.address
}

// url is where clients find the listener.
func (l *listener) url() string {
	switch {
	case l.network == "unix":
		return l.text()
	case l.tls != nil:
		return "https://" + l.Addr().String()
	}
	return "http://" + l.Addr().String()
}

// names are those that requests may call the listener by.
func (l *listener) names() []string {
	if l.network == "unix" {
		return nil
	}
	host, _, err := net.SplitHostPort(l.address)
	if ip, bad := netip.ParseAddr(host); err != nil || host == "" || bad == nil && ip.IsUnspecified() {
		return nil
	}
	return []string{l.address}
}

// serve takes connections until the server is shut down.
func (l *listener) serve(s *http.Server) error {
	if l.tls == nil {
		return s.Serve(l.Listener)
	}
	s.TLSConfig = l.tls.Clone()
	return s.ServeTLS(l.Listener, "", "")
}

func closeAll(all []*listener) {
	for _, l := range all {
		l.Close()
		if l.network == "unix" {
			os.Remove(l.address)
		}
	}
}

// listenSocket listens at a path, where only the user may connect. It gets its name
// when its mode says so. One that a killed server left is replaced.
func listenSocket(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&fs.ModeSocket == 0 {
			return nil, errors.New("something else than a socket is there")
		}
		if conn, err := net.Dial("unix", path); err == nil {
			conn.Close()
			return nil, errors.New("another program listens there")
		}
	}
	fresh := path + ".new"
	os.Remove(fresh)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: fresh, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err = os.Chmod(fresh, 0o600); err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		l.Close()
		os.Remove(fresh)
		return nil, err
	}
	return l, nil
}

// notify tells the service manager how the server is, if there is one that listens.
func notify(socket, state string) error {
	if socket == "" {
		return nil
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte(state))
	return errors.Join(err, conn.Close())
}
