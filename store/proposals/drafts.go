package proposals

import "winnow/store/sqlite"

const (
	draftSQL    = "SELECT text FROM drafts WHERE key = ?"
	putDraftSQL = "INSERT OR REPLACE INTO drafts (key, model, text, at) VALUES (?, ?, ?, ?)"
)

// Draft returns what a model answered to a request.
func Draft(ask Asks, key string) (text string, ok bool, err error) {
	var data []byte
	if ok, err = ask(draftSQL, key).Maybe(&data); ok && err == nil {
		text, err = unpack(data)
	}
	return text, ok && err == nil, err
}

// PutDraft keeps what a model answered, at a time as it is kept.
func PutDraft(t *sqlite.Tx, key, model, text, at string) error {
	_, err := t.Exec(putDraftSQL, key, model, pack(text), at)
	return err
}
