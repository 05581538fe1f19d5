package llm

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"
)

const (
	// perPage is how many things a list is asked for at once: the most that servers give.
	perPage = 100
	// maxPages bounds what is read of a list that has no end.
	maxPages = 100
)

// errEndless says that a list has more pages than are read.
var errEndless = &Error{text: "the server's list has no end"}

// sender sends one request, by go-openai's client of x or by x alone.
type sender func(ctx context.Context, x *exchange, api *openai.Client) error

// pager sends the request for the page of a list that begins after an ID, "" the first.
type pager func(after string) sender

// list asks for pages of a list of which go-openai knows no pages. Query are pairs of a
// name and a value.
func (c *Client) list(path string, query ...string) pager {
	return func(after string) sender {
		q := url.Values{"limit": {strconv.Itoa(perPage)}}
		for i := 0; i+1 < len(query); i += 2 {
			q.Set(query[i], query[i+1])
		}
		if after != "" {
			q.Set("after", after)
		}
		return func(ctx context.Context, x *exchange, _ *openai.Client) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String()+path+"?"+q.Encode(), nil)
			if err != nil {
				return err
			}
			return c.own(r, x)
		}
	}
}

// eventsOf asks for the events of a job.
func eventsOf(job string) pager {
	return func(after string) sender {
		with := []openai.ListFineTuningJobEventsParameter{openai.ListFineTuningJobEventsWithLimit(perPage)}
		if after != "" {
			with = append(with, openai.ListFineTuningJobEventsWithAfter(after))
		}
		return func(ctx context.Context, _ *exchange, api *openai.Client) error {
			_, err := api.ListFineTuningJobEvents(ctx, job, with...)
			return err
		}
	}
}

// pages reads a list page by page until f says that it is enough. A server that gives
// the same page again is not asked for more.
func pages[T any](ctx context.Context, c *Client, ask pager, f func(page []T) (enough bool, err error)) error {
	seen := map[string]bool{}
	after := ""
	for range maxPages {
		var told struct {
			Data []jsontext.Value `json:"data"`
			More bool             `json:"has_more"`
		}
		if err := c.call(ctx, true, []statusRule{goneRule}, ask(after), &told); err != nil {
			return err
		}
		var page []T
		last := ""
		for _, v := range told.Data {
			var item T
			if json.Unmarshal(v, &item, Lenient()) == nil {
				page, last = append(page, item), Text(object(v)["id"])
			}
		}
		if enough, err := f(page); enough || err != nil {
			return err
		}
		if !told.More || !isID(last) || seen[last] {
			return nil
		}
		seen[last], after = true, last
	}
	return errEndless
}

// own sends a request that is not go-openai's.
func (c *Client) own(r *http.Request, x *exchange) error {
	if c.config.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.config.Key)
	}
	r.Header.Set("Accept", "application/json")
	_, err := x.Do(r)
	return err
}

// call sends a request and reads its answer. again says that it may be sent twice;
// otherwise only what the server was too busy for is sent again.
func (c *Client) call(ctx context.Context, again bool, rules []statusRule, send sender, into any) error {
	busy := func(e *Error) bool { return e.again && (again || e.Status == http.StatusTooManyRequests) }
	return c.patiently(ctx, busy, func() error { return c.once(ctx, rules, nil, send, into) })
}

// once is call without further attempts; see limited for moved.
func (c *Client) once(ctx context.Context, rules []statusRule, moved func() int64, send sender, into any) error {
	x, api := c.exchange(rules...)
	limited, cancel := c.limited(ctx, moved)
	defer cancel()
	// What go-openai makes of the answer is not used: it leaves out what is wanted, and
	// fails where a server writes a number as a text.
	if err := send(limited, x, api); err != nil && x.body == nil || errors.Is(err, errNoAnswer) {
		return c.failure(ctx, limited, x, err)
	}
	if json.Unmarshal(x.body, into, Lenient()) != nil {
		return c.notJSON(x)
	}
	if fields := object(bytes.TrimSpace(x.body)); fields["id"] == nil && fields["data"] == nil {
		if readSays(x.body, "").failed() {
			return c.statusError(x)
		}
		return c.notJSON(x)
	}
	return nil
}
