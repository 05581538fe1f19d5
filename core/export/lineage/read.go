package lineage

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON writes the same bytes for the same manifest. A path need not be UTF-8.
var JSON = json.JoinOptions(json.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// Read reads a manifest strictly: all that winnow writes, in its order,
// and nothing else. It calls sample and left, if not nil, for each entry, with
// a value that is theirs.
func Read(r io.Reader, sample func(*Sample) error, left func(*LeftOut) error) (*Manifest, error) {
	d := decoder{jsontext.NewDecoder(r, JSON)}
	m, err := d.head()
	if err != nil {
		return nil, err
	}
	if err := list(d, "samples", sample); err != nil {
		return nil, err
	}
	if err := list(d, "left_out", left); err != nil {
		return nil, err
	}
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '}' {
		return nil, errors.Join(err, errors.New("manifest: there is something after what was left out"))
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("manifest: there is something after it")
	}
	return m, nil
}

// ReadFile reads the manifest of an export: path is its folder, or the
// manifest itself.
func ReadFile(path string, sample func(*Sample) error, left func(*LeftOut) error) (*Manifest, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, filepath.FromSlash(ManifestName))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("no manifest of an export: %w", err)
	}
	defer f.Close()
	m, err := Read(bufio.NewReaderSize(f, 1<<18), sample, left)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// ReadHead reads no further than the samples.
func ReadHead(r io.Reader) (*Manifest, error) {
	return decoder{jsontext.NewDecoder(r, JSON)}.head()
}

type decoder struct{ *jsontext.Decoder }

func (d decoder) head() (*Manifest, error) {
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil, errors.Join(errors.New("not a manifest of winnow"), err)
	}
	var m Manifest
	for _, f := range []struct {
		name string
		into any
	}{
		{"manifest", &m.Version}, {"program", &m.Program}, {"emitter", &m.Emitter}, {"options", &m.Options}, {"counts", &m.Counts},
		{"files", &m.Files}, {"beside", &m.Beside},
	} {
		if err := d.key(f.name); err != nil {
			return nil, err
		}
		if err := json.UnmarshalDecode(d.Decoder, f.into, json.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("manifest: %s: %w", f.name, err)
		}
		if m.Version != Version {
			return nil, fmt.Errorf("manifest of version %d: this winnow reads version %d", m.Version, Version)
		}
	}
	return &m, nil
}

func (d decoder) key(name string) error {
	tok, err := d.ReadToken()
	if err != nil {
		return fmt.Errorf("manifest: %s: %w", name, err)
	}
	if tok.Kind() != '"' || tok.String() != name {
		return fmt.Errorf("manifest: %s instead of %s", tok, name)
	}
	return nil
}

// list reads a list of entries one by one.
func list[T any](d decoder, name string, yield func(*T) error) error {
	if err := d.key(name); err != nil {
		return err
	}
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '[' {
		return errors.Join(fmt.Errorf("manifest: %s is no list", name), err)
	}
	for n := 1; d.PeekKind() != ']'; n++ {
		var entry T
		if err := json.UnmarshalDecode(d.Decoder, &entry, json.RejectUnknownMembers(true)); err != nil {
			return fmt.Errorf("manifest: entry %d of %s: %w", n, name, err)
		}
		if yield != nil {
			if err := yield(&entry); err != nil {
				return err
			}
		}
	}
	_, err := d.ReadToken()
	return err
}
