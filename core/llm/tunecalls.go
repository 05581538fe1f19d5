package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"
)

// FindFile returns a file of this name and size, "" as its ID if the server has none.
// Broken ones do not count.
func (c *Client) FindFile(ctx context.Context, name string, size int64) (found File, err error) {
	err = pages(ctx, c, c.list("/files", "purpose", "fine-tune"), func(page []fileTold) (bool, error) {
		for _, told := range page {
			f, err := c.file(told)
			if f.Name == name && f.Size == size && f.Status != "error" && f.Status != "deleted" {
				found = f
				return true, err
			}
		}
		return false, nil
	})
	if err != nil {
		return File{}, err
	}
	return found, nil
}

// Jobs hands over the jobs that train on a file, the newest first, until f says that it
// is enough.
func (c *Client) Jobs(ctx context.Context, file string, f func(Job) (enough bool)) error {
	return pages(ctx, c, c.list("/fine_tuning/jobs"), func(page []jobTold) (bool, error) {
		for _, told := range page {
			if Text(told.Train) != file {
				continue
			}
			if j, err := c.job(told); err != nil || f(j) {
				return true, err
			}
		}
		return false, nil
	})
}

// CreateJob begins a job. It is asked for once: after an error that does not say that
// the server refused, there may be a job, which Jobs finds.
func (c *Client) CreateJob(ctx context.Context, n NewJob) (Job, error) {
	body, err := n.body()
	if err != nil {
		return Job{}, err
	}
	return c.askJob(ctx, false, []statusRule{c.closedRule(true), noBaseRule}, func(ctx context.Context, x *exchange, _ *openai.Client) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.String()+"/fine_tuning/jobs", bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		return c.own(r, x)
	})
}

// Job returns a job as it is now.
func (c *Client) Job(ctx context.Context, id string) (Job, error) {
	return c.knownJob(ctx, id, func(ctx context.Context, _ *exchange, api *openai.Client) error {
		_, err := api.RetrieveFineTuningJob(ctx, id)
		return err
	})
}

// CancelJob has a job cancelled. The server may need a while: the job that it returns
// says whether it has ended.
func (c *Client) CancelJob(ctx context.Context, id string) (Job, error) {
	return c.knownJob(ctx, id, func(ctx context.Context, _ *exchange, api *openai.Client) error {
		_, err := api.CancelFineTuningJob(ctx, id)
		return err
	})
}

func (c *Client) knownJob(ctx context.Context, id string, send sender) (Job, error) {
	if err := c.checkID("job", id); err != nil {
		return Job{}, err
	}
	j, err := c.askJob(ctx, true, []statusRule{goneRule}, send)
	if err == nil && j.ID != id {
		err = &Error{useless: true, text: fmt.Sprintf("%s was asked about job %s and tells of %s", c.where, id, j.ID)}
	}
	return j, err
}

func (c *Client) askJob(ctx context.Context, again bool, rules []statusRule, send sender) (Job, error) {
	var told jobTold
	if err := c.call(ctx, again, rules, send, &told); err != nil {
		return Job{}, err
	}
	return c.job(told)
}

// Events returns what the server said about a job after the event with the ID after, or
// from the beginning, the oldest first. more says that there was too much: some are
// left out.
func (c *Client) Events(ctx context.Context, job, after string) (list []Event, more bool, err error) {
	if err := c.checkID("job", job); err != nil {
		return nil, false, err
	}
	// Servers tell the newest first: all are new until one is known. One that tells the
	// oldest first is read to its end.
	rising := false
	err = pages(ctx, c, eventsOf(job), func(page []eventTold) (bool, error) {
		var events []Event
		for _, told := range page {
			e, err := c.event(told)
			if err != nil {
				return true, err
			}
			events = append(events, e)
		}
		if len(list) == 0 && len(events) > 1 {
			rising = events[0].At.Before(events[len(events)-1].At)
		}
		known := slices.IndexFunc(events, func(e Event) bool { return e.ID == after })
		switch {
		case known < 0:
			list = append(list, events...)
		case rising:
			list = events[known+1:]
		default:
			list = append(list, events[:known]...)
			return true, nil
		}
		return false, nil
	})
	if errors.Is(err, errEndless) {
		more, err = true, nil
	}
	if !rising {
		slices.Reverse(list)
	}
	return list, more, err
}

// body writes the request of a job.
func (n NewJob) body() ([]byte, error) {
	request := map[string]any{"model": n.Base, "training_file": n.Train}
	if n.Validation != "" {
		request["validation_file"] = n.Validation
	}
	params := map[string]any{}
	for name, text := range n.Params {
		if !nameForm.MatchString(name) {
			return nil, &Error{useless: true, text: fmt.Sprintf("%q is no name of a parameter: they are like n_epochs", shorten(name, maxShown))}
		}
		switch value := plain(text); name {
		case "suffix":
			request[name] = text
		case "seed":
			request[name] = value
		default:
			params[name] = value
		}
	}
	if len(params) > 0 {
		request["hyperparameters"] = params
	}
	return json.Marshal(request, json.Deterministic(true))
}

// plain is a text as JSON has it: a number, true and false, or the text.
func plain(text string) any {
	v := jsontext.Value(strings.TrimSpace(text))
	if v.IsValid() && (v.Kind() == '0' || v.Kind() == 't' || v.Kind() == 'f') {
		return v
	}
	return text
}
