package llm

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"sync/atomic"

	"github.com/sashabaranov/go-openai"
)

// askedFirst is above which size, in bytes, a server is asked whether it takes a file at
// all: who refuses without reading cuts the connection, and its reason is lost.
const askedFirst = 1 << 20

// Upload sends a file to tune with, as it is read: go-openai would hold it in memory.
// It is sent once: after an error that does not say that the server refused, it may be
// there, which FindFile tells.
func (c *Client) Upload(ctx context.Context, b Body) (File, error) {
	var told fileTold
	rules := []statusRule{c.closedRule(false), tooLargeRule}
	busy := func(e *Error) bool { return e.Status == http.StatusTooManyRequests && e.again }
	err := c.patiently(ctx, busy, func() error {
		file, err := b.Open()
		if err != nil {
			return err
		}
		part := &part{r: io.LimitReader(file, b.Size), left: b.Size}
		err = c.once(ctx, rules, part.sent.Load, func(ctx context.Context, x *exchange, _ *openai.Client) error {
			r, err := c.upload(ctx, b, part, file)
			if err != nil {
				return err
			}
			return c.own(r, x)
		}, &told)
		if broken := part.broken.Load(); broken != nil && ctx.Err() == nil {
			return fmt.Errorf("%s cannot be read to its end: %w", b.Name, *broken)
		}
		return err
	})
	if err != nil {
		return File{}, err
	}
	f, err := c.file(told)
	if err == nil && f.Size != 0 && f.Size != b.Size {
		err = &Error{useless: true, text: fmt.Sprintf("%s has %d bytes of %s, which has %d: it is not used", c.where, f.Size, b.Name, b.Size)}
	}
	return f, err
}

// upload makes the request: a form of the purpose and the file. Its length is told
// beforehand, as there are servers that want to know it.
func (c *Client) upload(ctx context.Context, b Body, part io.Reader, file io.Closer) (*http.Request, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	_ = w.WriteField("purpose", string(openai.PurposeFineTune)) // a buffer takes everything
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="file"; filename=%q`, b.Name))
	header.Set("Content-Type", "application/jsonl")
	_, _ = w.CreatePart(header)
	head := bytes.Clone(form.Bytes())
	form.Reset()
	_ = w.Close()
	body := struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), part, bytes.NewReader(form.Bytes())), file}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+"/files", body)
	if err != nil {
		file.Close()
		return nil, err
	}
	r.ContentLength = int64(len(head)+form.Len()) + b.Size
	r.Header.Set("Content-Type", w.FormDataContentType())
	if b.Size > askedFirst {
		r.Header.Set("Expect", "100-continue")
	}
	return r, nil
}

// part is a file while it is sent. What is wrong with reading it is kept: the network
// calls it a broken connection.
type part struct {
	r      io.Reader
	left   int64
	sent   atomic.Int64
	broken atomic.Pointer[error]
}

func (p *part) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.sent.Add(int64(n))
	p.left -= int64(n)
	if err == io.EOF && p.left > 0 {
		err = io.ErrUnexpectedEOF // it became shorter
	}
	if err != nil && err != io.EOF {
		p.broken.Store(&err)
	}
	return n, err
}
