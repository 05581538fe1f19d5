package llmtest

import (
	"net/http"
	"slices"
)

// act does what a request of a route asks for.
func (t *Tuning) act(route, id string, r *http.Request, body []byte, sent *Stored) (int, map[string]any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	job := slices.IndexFunc(t.jobs, func(j *Tuned) bool { return j.ID == id })
	file := slices.IndexFunc(t.files, func(f Stored) bool { return f.ID == id })
	missing := id != "" && job < 0 && file < 0
	switch {
	case missing:
	case route == Upload:
		sent.ID = t.ids("file", len(t.files)+1)
		t.files = append(t.files, *sent)
		return http.StatusOK, t.file(*sent)
	case route == ListFiles:
		var list []map[string]any
		for _, f := range slices.Backward(t.files) {
			list = append(list, t.file(f))
		}
		return http.StatusOK, t.paged(r, list)
	case route == GetFile && file >= 0:
		return http.StatusOK, t.file(t.files[file])
	case route == CreateJob:
		return t.create(body)
	case route == ListJobs:
		var list []map[string]any
		for _, j := range slices.Backward(t.jobs) {
			list = append(list, t.job(j))
		}
		return http.StatusOK, t.paged(r, list)
	case job < 0:
	case route == GetJob:
		t.advance(t.jobs[job])
		return http.StatusOK, t.job(t.jobs[job])
	case route == Events:
		list := slices.Clone(t.jobs[job].events)
		if !t.rising {
			slices.Reverse(list)
		}
		return http.StatusOK, t.paged(r, list)
	case route == CancelJob:
		return t.cancel(t.jobs[job])
	}
	return http.StatusNotFound, failure("No such thing: " + id)
}

func failure(message string) map[string]any {
	return map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": nil, "code": nil}}
}

func (t *Tuning) create(body []byte) (int, map[string]any) {
	request := decodeJob(body)
	if !slices.ContainsFunc(t.files, func(f Stored) bool { return f.ID == request["training_file"] }) {
		return http.StatusBadRequest, failure("invalid training_file")
	}
	j := &Tuned{ID: t.ids("ftjob", len(t.jobs)+1), Request: request, Stage: -1, Status: "validating_files", created: t.clock}
	t.jobs = append(t.jobs, j)
	t.advance(j)
	return http.StatusOK, t.job(j)
}

// advance takes a job to the next stage of the script, unless it has ended.
func (t *Tuning) advance(j *Tuned) {
	if j.Status == "cancelled" || j.Stage+1 >= len(t.script) {
		return
	}
	j.Stage++
	stage := t.script[j.Stage]
	j.Status = stage.Status
	for _, e := range stage.Events {
		t.say(j, e)
	}
}

// say adds an event to a job. Times go up by a second each.
func (t *Tuning) say(j *Tuned, e Event) {
	id := e.ID
	if id == "" {
		id = t.ids("ftevent", len(j.events)+1)
	}
	m := map[string]any{"object": "fine_tuning.job.event", "id": id, "created_at": j.created + int64(len(j.events)), "level": "info", "message": e.Message, "type": "message", "data": nil}
	if e.Level != "" {
		m["level"] = e.Level
	}
	if e.Data != nil {
		m["type"], m["data"] = "metrics", e.Data
	}
	j.events = append(j.events, m)
}

func (t *Tuning) cancel(j *Tuned) (int, map[string]any) {
	switch j.Status {
	case "succeeded", "failed", "cancelled":
		return http.StatusBadRequest, failure("Job has already completed: " + j.ID)
	}
	j.Status = "cancelled"
	t.say(j, Event{Message: "The job was cancelled"})
	return http.StatusOK, t.job(j)
}

func (t *Tuning) file(f Stored) map[string]any {
	return map[string]any{"object": "file", "id": f.ID, "filename": f.Name, "bytes": f.Size, "purpose": f.Purpose,
		"created_at": t.clock, "status": "processed", "status_details": nil}
}

func (t *Tuning) job(j *Tuned) map[string]any {
	var stage Stage
	if j.Stage >= 0 {
		stage = t.script[min(j.Stage, len(t.script)-1)]
	}
	m := map[string]any{"object": "fine_tuning.job", "id": j.ID, "status": j.Status, "created_at": j.created,
		"model": j.Request["model"], "training_file": j.Request["training_file"], "validation_file": j.Request["validation_file"],
		"hyperparameters": j.Request["hyperparameters"], "fine_tuned_model": nil, "trained_tokens": nil, "finished_at": nil,
		"error": nil, "result_files": []any{}, "organization_id": "org-1"}
	switch j.Status {
	case "succeeded":
		m["fine_tuned_model"], m["trained_tokens"], m["finished_at"] = stage.Model, stage.Tokens, j.created+60
	case "failed":
		m["error"], m["finished_at"] = stage.Error, j.created+60
	}
	return m
}
