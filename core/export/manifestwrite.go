package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/export/lineage"
	"winnow/core/rawjson"
)

// manifestWriter keeps what the manifest says of samples in a file until the
// names of their files are known.
type manifestWriter struct {
	paths  *publicPaths
	shards []*shard // by number
	file   *os.File
	out    *bufio.Writer
}

func newManifestWriter(folder string, paths *publicPaths) (*manifestWriter, error) {
	f, err := os.OpenFile(filepath.Join(folder, "samples"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &manifestWriter{paths: paths, file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

// add notes where the records of a sample are: the number of the file, and the
// rest of what the manifest says.
func (m *manifestWriter) add(at *shard, row int, r *record) error {
	if at.number == len(m.shards) {
		m.shards = append(m.shards, at)
	}
	s := lineage.Sample{Row: row, Rows: r.rows, Record: recordOf(r.lines), Origin: m.public(&r.origin)}
	line, err := json.Marshal(&s, lineage.JSON)
	if err != nil {
		return err
	}
	m.out.WriteString(strconv.Itoa(at.number))
	m.out.Write(line[len(emptyFile):])
	return m.out.WriteByte('\n')
}

// recordOf is the beginning of the sum of the records of a sample.
func recordOf(lines []byte) string {
	sum := sha256.Sum256(lines)
	return hex.EncodeToString(sum[:8])
}

// public returns an origin, and those within it, with paths as they may be published.
func (m *manifestWriter) public(o *lineage.Origin) lineage.Origin {
	own := *o
	own.Source, own.SessionFile = m.paths.of(own.Source), m.paths.of(own.SessionFile)
	if own.Rejected != nil {
		other := m.public(own.Rejected)
		own.Rejected = &other
	}
	own.Also = slices.Clone(own.Also)
	for i := range own.Also {
		own.Also[i] = m.public(&own.Also[i])
	}
	return own
}

// emptyFile is how a sample begins whose file has no name yet.
const emptyFile = `{"file":""`

// complete writes the manifest.
func (m *manifestWriter) complete(path string, head *lineage.Manifest, left []LeftOut) (err error) {
	if err := m.out.Flush(); err != nil {
		return err
	}
	if _, err := m.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<18)
	err = m.writeAll(out, head, left)
	return errors.Join(err, out.Flush(), f.Sync(), f.Close(), m.remove())
}

func (m *manifestWriter) writeAll(out *bufio.Writer, head *lineage.Manifest, left []LeftOut) error {
	text, err := json.Marshal(head, lineage.JSON, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	out.Write(text[:len(text)-len("\n}")])
	out.WriteString(",\n  \"samples\": [")
	if err := m.writeSamples(out); err != nil {
		return err
	}
	out.WriteString("\n  ],\n  \"left_out\": [")
	for i := range left {
		l := left[i]
		l.SessionFile = m.paths.of(l.SessionFile)
		line, err := json.Marshal(&l, lineage.JSON)
		if err != nil {
			return err
		}
		out.WriteString(separator(i))
		out.Write(line)
	}
	_, err = out.WriteString("\n  ]\n}\n")
	return err
}

// writeSamples puts the names of the files in front of what is known of each
// sample.
func (m *manifestWriter) writeSamples(out *bufio.Writer) error {
	in := bufio.NewReaderSize(m.file, 1<<18)
	for i := 0; ; i++ {
		digits, err := in.ReadString(',')
		if errors.Is(err, io.EOF) && digits == "" {
			return nil
		}
		if err != nil {
			return err
		}
		number, err := strconv.Atoi(digits[:len(digits)-1])
		if err != nil {
			return err
		}
		rest, err := in.ReadBytes('\n')
		if err != nil {
			return err
		}
		out.WriteString(separator(i))
		out.WriteString(`{"file":`)
		out.Write(rawjson.AppendString(nil, m.shards[number].name))
		out.WriteByte(',')
		if _, err := out.Write(rest[:len(rest)-1]); err != nil {
			return err
		}
	}
}

// separator stands in front of the i-th entry of a list.
func separator(i int) string {
	if i == 0 {
		return "\n    "
	}
	return ",\n    "
}

func (m *manifestWriter) remove() error {
	return errors.Join(m.file.Close(), os.Remove(m.file.Name()))
}

// abort removes what is unfinished.
func (m *manifestWriter) abort() {
	if m != nil {
		_ = m.remove()
	}
}
