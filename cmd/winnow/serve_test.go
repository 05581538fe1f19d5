//go:build unix

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServeOnASocket checks a socket that belongs to the user, what the service manager
// is told, a second server of the same inbox, and the end.
func TestServeOnASocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "w") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	told, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "n"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	told.SetReadDeadline(time.Now().Add(time.Minute))
	t.Setenv("NOTIFY_SOCKET", filepath.Join(dir, "n"))
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), ""}
	socket := filepath.Join(dir, "s")
	s := v.serve("--listen", "unix:"+socket)
	state := func(want string) {
		t.Helper()
		b := make([]byte, 64)
		if n, err := told.Read(b); err != nil || string(b[:n]) != want {
			t.Errorf("%q, %v", b[:n], err)
		}
	}
	state("READY=1")
	if info, err := os.Stat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	web := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
	res, err := web.Post("http://winnow/ingest?agent_id=a&session=s", "", strings.NewReader(`{"role":"user","content":"x"}`+"\n"))
	if err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", res, err)
	}
	if out, err := v.command("serve", "--listen", "127.0.0.1:0").CombinedOutput(); err == nil || !strings.Contains(string(out), "another winnow serve has this inbox") {
		t.Errorf("a second server: %v, %s", err, out)
	}
	if out, err := v.command("serve", "--inbox", filepath.Join(dir, "other"), "--listen", "unix:"+socket).CombinedOutput(); err == nil || !strings.Contains(string(out), "another program listens there") {
		t.Errorf("a second server: %v, %s", err, out)
	}
	if err := s.end(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	state("STOPPING=1")
	if _, err := os.Lstat(socket); err == nil {
		t.Error("the socket is still there")
	}
	if messages, sessions := v.stored(); messages != 1 || sessions != 1 {
		t.Errorf("%d messages in %d sessions", messages, sessions)
	}
	v.serve("--listen", "unix:"+socket).kill()
	if err := v.serve("--listen", "unix:"+socket).end(); err != nil { // in the place of what was killed
		t.Errorf("the server ends with %v", err)
	}
}

// TestServeWithACertificate checks TLS, and what is printed for people.
func TestServeWithACertificate(t *testing.T) {
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"hub.example"}}
	cert, err := x509.CreateCertificate(rand.Reader, &made, &made, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"c.pem": {Type: "CERTIFICATE", Bytes: cert}, "k.pem": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := &victim{t, build(t), filepath.Join(dir, "w.db"), ""}
	s := v.serve("--tls-cert", filepath.Join(dir, "c.pem"), "--tls-key", filepath.Join(dir, "k.pem"), "--host", "hub.example")
	if !strings.HasPrefix(s.url, "https://127.0.0.1:") {
		t.Fatalf("listening on %s", s.url)
	}
	known, err := x509.ParseCertificate(cert)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(known)
	web := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	for name, want := range map[string]int{"": http.StatusOK, "hub.example": http.StatusOK, "evil.example": http.StatusForbidden} {
		r, err := http.NewRequest("POST", s.url+"/ingest?agent_id=a&session=s", strings.NewReader(`{"role":"user","content":"x"}`+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = name
		r.Header.Set("Authorization", "Bearer "+s.token)
		res, err := web.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		if res.StatusCode != want || res.ProtoMajor != 2 {
			t.Errorf("%q: %s %s", name, res.Status, text)
		}
	}
	if err := s.end(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
}

// TestServeEnds checks that an upload that is under way when the server is to end comes
// to its end, is answered, and is imported at the next start.
func TestServeEnds(t *testing.T) {
	v := &victim{t, build(t), filepath.Join(t.TempDir(), "w.db"), ""}
	s := v.serve()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	text := `{"role":"user","content":"x"}` + "\n"
	fmt.Fprintf(conn, "POST /ingest?agent_id=a&session=s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", s.token, len(text))
	r := bufio.NewReader(conn)
	if line, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") {
		t.Fatalf("%q, %v", line, err)
	}
	_, _ = r.ReadString('\n')
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	for status := 1; status != 0; {
		status, _ = s.ask("GET", "/healthz", nil)
	}
	_, _ = io.WriteString(conn, text)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusOK && res.StatusCode != http.StatusAccepted {
		t.Errorf("%v, %v", res, err)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("the server ends with %v", err)
	}
	s = v.serve()
	s.idle()
	if err := s.end(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	if messages, _ := v.stored(); messages != 1 {
		t.Errorf("%d messages", messages)
	}
}

// TestServeWithinItsMemory sends 4 GiB in 4 MB.
func TestServeWithinItsMemory(t *testing.T) {
	v := &victim{t, build(t), filepath.Join(t.TempDir(), "w.db"), ""}
	s := v.serve("--max-body", bombLimit)
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, _ = z.Write(make([]byte, 64<<20))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest("POST", s.url+"/ingest?agent_id=a", bytes.NewReader(bytes.Repeat(member.Bytes(), 64)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Encoding", "gzip")
	r.Header.Set("Expect", "100-continue")
	res, err := http.DefaultClient.Do(r)
	if err != nil || res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%v, %v", res, err)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err == nil { // else the system does not tell
		kib := 0
		if _, most, ok := strings.Cut(string(status), "VmHWM:"); ok {
			_, _ = fmt.Sscan(most, &kib)
		}
		if kib == 0 || kib > 160<<10 {
			t.Errorf("%d KiB of memory", kib)
		}
	}
	if err := s.end(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
}
