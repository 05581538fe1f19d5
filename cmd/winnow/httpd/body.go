package httpd

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"winnow/tui/draw"
)

// wire is a body as it comes over the connection. Who waits for it holds no slot, so
// that slow clients do not keep others from being served.
type wire struct {
	s    *Server
	body io.Reader
	ctl  *http.ResponseController
	all  int64 // bytes that were announced, -1 if none were
	came int64
	sum  hash.Hash // nil if nobody asks
	err  error     // that ended it, but for io.EOF
}

func (w *wire) Read(p []byte) (int, error) {
	<-w.s.slots
	_ = w.ctl.SetReadDeadline(time.Now().Add(w.s.Limits.Idle)) // tests without connections have none
	n, err := w.body.Read(p)
	w.s.slots <- struct{}{}
	w.came += int64(n)
	if w.sum != nil {
		w.sum.Write(p[:n])
	}
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// body is the text of a request: what came over the wire, decompressed, up to a limit.
type body struct {
	*wire
	encoding string
	text     io.Reader
	left     int64 // bytes that may still come
	failed   error // that ended it, but for io.EOF
	close    func()
	digest   []byte // what Content-Digest says, nil for nothing
}

var errTooLarge = errors.New("too large")

// maxWindow is how far back zstd may refer: what RFC 9659 allows in HTTP.
const maxWindow = 8 << 20

// newBody begins to read a body. It holds a slot until done is called.
func (s *Server) newBody(w http.ResponseWriter, r *http.Request) (*body, *refusal) {
	in := &wire{s: s, body: r.Body, ctl: http.NewResponseController(w), all: r.ContentLength}
	b := &body{wire: in, left: s.Limits.Body, close: func() {}}
	var no *refusal
	if b.digest, no = contentDigest(r.Header.Values("Content-Digest")); no != nil {
		return nil, no
	}
	if b.digest != nil {
		in.sum = sha256.New()
	}
	named := strings.Join(r.Header.Values("Content-Encoding"), ", ")
	switch b.encoding = strings.ToLower(strings.TrimSpace(named)); b.encoding {
	case "", "identity":
		if b.encoding = ""; r.ContentLength > s.Limits.Body {
			return nil, s.tooLarge()
		}
	case "gzip", "x-gzip":
		b.encoding = "gzip"
	case "zstd":
	default:
		return nil, &refusal{status: http.StatusUnsupportedMediaType, code: "encoding", text: fmt.Sprintf("Content-Encoding %q is not known: gzip, zstd or none", named)}
	}
	s.slots <- struct{}{}
	return b, nil
}

// done gives the slot back. The connection may be quiet again for as long as it likes.
func (b *body) done() {
	b.close()
	<-b.s.slots
	_ = b.ctl.SetReadDeadline(time.Time{})
}

// begin sets the decompressor up, which reads the first bytes.
func (b *body) begin() error {
	switch b.encoding {
	case "gzip":
		z, err := gzip.NewReader(b.wire)
		if err != nil {
			return err
		}
		b.text = z
	case "zstd":
		z, err := zstd.NewReader(b.wire, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
		b.text, b.close = z, z.Close
	default:
		b.text = b.wire
	}
	return nil
}

func (b *body) Read(p []byte) (n int, err error) {
	if b.text == nil {
		if err = b.begin(); err != nil {
			b.failed = err
			return 0, unexpected(err)
		}
	}
	if n, err = b.text.Read(p); int64(n) > b.left {
		n, err = 0, errTooLarge
	}
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		b.failed = err
	}
	return n, err
}

// unexpected is an error of which nobody thinks that all is there.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// finish reads what is left and compares the digest.
func (b *body) finish() *refusal {
	_, err := io.Copy(io.Discard, b)
	if err == nil {
		_, err = io.Copy(io.Discard, b.wire)
	}
	if err != nil {
		return b.refusal(err)
	}
	if b.digest != nil && !bytes.Equal(b.digest, b.sum.Sum(nil)) {
		return &refusal{status: http.StatusBadRequest, code: "digest", text: "what came is not what Content-Digest says: nothing was stored"}
	}
	return nil
}

// refusal says why a body could not be read to its end.
func (b *body) refusal(err error) *refusal {
	switch {
	case errors.Is(b.wire.err, os.ErrDeadlineExceeded):
		return &refusal{status: http.StatusRequestTimeout, code: "idle", text: fmt.Sprintf("nothing came for %g s: nothing was stored", b.s.Limits.Idle.Seconds())}
	case errors.Is(b.failed, errTooLarge):
		return b.s.tooLarge()
	case b.wire.err != nil, errors.Is(b.failed, io.ErrUnexpectedEOF), b.failed == nil && errors.Is(err, io.ErrUnexpectedEOF):
		much := grouped(b.came) + " came"
		if b.all >= 0 && b.wire.err != nil {
			much = draw.Grouped(int(b.came)) + " of " + grouped(b.all)
		}
		return &refusal{status: http.StatusBadRequest, code: "cut_short", text: "the body ended early (" + much + "): nothing was stored, send it again"}
	case errors.Is(b.failed, zstd.ErrWindowSizeExceeded), errors.Is(b.failed, zstd.ErrDecoderSizeExceeded):
		return &refusal{status: http.StatusUnsupportedMediaType, code: "encoding", text: fmt.Sprintf("the zstd frame needs a window of more than %s: compress without --long and --ultra", round(maxWindow))}
	case b.failed != nil:
		return &refusal{status: http.StatusBadRequest, code: "encoding", text: fmt.Sprintf("the body is not %s, or is damaged: nothing was stored", b.encoding)}
	}
	return &refusal{status: http.StatusBadRequest, code: "form", text: fmt.Sprintf("the form cannot be read (%v): nothing was stored", err)}
}

func (s *Server) tooLarge() *refusal {
	return &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large", text: "more than " + round(s.Limits.Body) + " after decompression: --max-body allows more"}
}

// contentDigest returns the SHA-256 in a Content-Digest header, nil if there is none.
// Other sums are not looked at.
func contentDigest(values []string) ([]byte, *refusal) {
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		if !strings.EqualFold(name, "sha-256") {
			continue
		}
		sum, err := base64.StdEncoding.DecodeString(strings.Trim(value, ":"))
		if err != nil || len(sum) != sha256.Size || !strings.HasPrefix(value, ":") || !strings.HasSuffix(value, ":") {
			return nil, wrongParameter("Content-Digest: must be sha-256=:BASE64: with the SHA-256 of what is sent")
		}
		return sum, nil
	}
	return nil, nil
}
