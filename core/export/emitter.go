package export

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/export/table"
	"winnow/core/rawjson"
	"winnow/core/review"
	"winnow/core/spell"
)

// Emitter writes samples in one trainer's format. Its functions keep no
// state: all that a record says comes from its sample.
type Emitter struct {
	Name        string
	Description string // what reads the format, in one line
	// Losses is what the format cannot carry beside NoneCarries, in one line.
	Losses string

	// verdicts are those of the segments it takes; approved ones only if
	// empty.
	verdicts []review.Verdict
	// uniform says that all records of a file must have the same keys.
	uniform bool
	// perMessage says that records mark each message that is trained, or train one
	// each, and hold all else as it was: answers can be trained once in an export.
	perMessage bool
	// unmarked says that records have no place for training marks: trainers
	// train every assistant message of them.
	unmarked bool
	// apart keeps adjacent assistant messages apart.
	apart bool
	// positional says that calls have no ids: results answer them in order.
	positional bool
	// asRecorded says that the format can hold whatever was recorded: a
	// conversion to it repairs nothing but the order of results.
	asRecorded bool
	reserved   reserved
	// skips names checks that the format has no use for, such as those about
	// messages that it leaves out.
	skips []string
	// own are the format's rules after those that all share: a repair brings
	// the sample into the form that encode writes.
	own []Check
	// repeats says that each record of a sample holds what comes before it
	// once more.
	repeats bool
	// completes says that each record trains its completion and nothing else.
	completes bool
	// labels says that each record tells whether its completion is wanted: of an
	// answer that a curator rewrote there are both.
	labels bool
	// reasoned leaves out samples without any reasoning, unless
	// Options.KeepNoReasoning.
	reasoned bool
	// lacks are the keys that not every record has. Loaders fix the columns of
	// a file by its beginning: records that lack the same ones have a file of
	// their own.
	lacks []lack
	// folderNames are the names of files in a folder, such as
	// "trajectory_samples", and folderOf the one that a sample belongs to; none:
	// files are named after what the data is split into.
	folderNames []string
	folderOf    func(*Sample) int
	// encode appends the records of a sample that has passed all checks,
	// each a line of JSON, and returns their number; nil for a format of pairs.
	encode func(dst []byte, s *Sample) (lines []byte, rows int)
	// pair writes preference pairs in place of samples; nil: none.
	pair *pairForm
	// tree writes what sessions share as nodes once; nil: each sample stands alone.
	tree *treeForm
	// columns are those of a record in a table, in its order; none: the format
	// has no such form.
	columns []table.Column
	// finish rewrites the records of one sample once all samples are known: its
	// place among those written, from 0, and the tools that these count, sorted;
	// nil: they stay as encode wrote them.
	finish func(dst, lines []byte, index int, tools []string) []byte
	// beside makes the small files that belong beside a target, such as the
	// description a trainer looks for; nil: none. Paths of files are given as
	// seen from there, with slashes.
	beside func(files []File) []SideFile
	// decode sets the messages of a sample that Read reads back; nil for a format
	// of pairs.
	decode func(*Sample, *wire) error
	// same compares a record with what encode writes for the sample that was
	// read of it; nil: every byte must be the same.
	same func(record jsontext.Value, s *Sample) error
}

// NoneCarries is what no format can carry.
const NoneCarries = "the times, native ids and error marks of messages"

// finisher returns what finishes one sample after the other, nil if that is to be
// left out.
func (e *Emitter) finisher(tools []string) func(dst, lines []byte) []byte {
	if e.finish == nil {
		return nil
	}
	index := -1
	return func(dst, lines []byte) []byte {
		index++
		return e.finish(dst, lines, index, tools)
	}
}

// SideFile is a small file beside the records.
type SideFile struct {
	Name string // in the folder of the target, without folders
	Data []byte
}

// emitters is the registry; the first is the default.
var emitters = [...]Emitter{hf, openai, sharegpt, trajectories, batchRuns, sft, llamafactory, swift, twinkle, steps, kto,
	messageGraph,
	dpo, llamafactoryDPO, swiftDPO, twinkleDPO, openaiDPO}

// ApprovedOnly reports whether all that the format writes are samples of approved segments.
func (e *Emitter) ApprovedOnly() bool { return len(e.verdicts) == 0 && !e.Tree() }

// Emitters lists all formats, the default first.
func Emitters() []Emitter { return emitters[:] }

// Names returns the names of the emitters.
func Names() []string {
	names := make([]string, len(emitters))
	for i := range emitters {
		names[i] = emitters[i].Name
	}
	return names
}

// ErrNoEmitter is returned for the name of a format that is not there.
var ErrNoEmitter = errors.New("unknown export format")

// Find returns an emitter by name; "" is the default. The error lists the
// names there are.
func Find(name string) (*Emitter, error) {
	if name == "" {
		return &emitters[0], nil
	}
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil, fmt.Errorf("%w %q: %suse one of %s", ErrNoEmitter, name, spell.Meant(name, Names()), strings.Join(Names(), ", "))
	}
	return &emitters[i], nil
}

// Marking lists the formats that can say of a message that it is not trained.
func Marking() (names []string) {
	for i := range emitters {
		if !emitters[i].unmarked && emitters[i].Converts() == nil {
			names = append(names, emitters[i].Name)
		}
	}
	return names
}

// appendComma appends a comma, unless a list or an object begins there.
func appendComma(dst []byte) []byte {
	switch dst[len(dst)-1] {
	case '[', '{':
		return dst
	}
	return append(dst, ',')
}

// appendKey appends a key, with a comma where one belongs. Keys are plain
// ASCII.
func appendKey(dst []byte, key string) []byte {
	dst = append(appendComma(dst), '"')
	dst = append(dst, key...)
	return append(dst, '"', ':')
}

// appendField appends a key and a text.
func appendField(dst []byte, key, text string) []byte {
	return rawjson.AppendString(appendKey(dst, key), text)
}

// appendList appends a key and a list of n entries.
func appendList(dst []byte, key string, n int, entry func(dst []byte, i int) []byte) []byte {
	dst = append(appendKey(dst, key), '[')
	for i := range n {
		dst = entry(appendComma(dst), i)
	}
	return append(dst, ']')
}

// appendObject embeds a recorded JSON object as it is, on one line: line
// breaks can only be white space in valid JSON.
func appendObject(dst []byte, object string) []byte {
	if !strings.ContainsAny(object, "\r\n") {
		return append(dst, strings.Trim(object, " \t")...)
	}
	v := jsontext.Value(object).Clone()
	if err := v.Compact(); err != nil {
		return append(dst, "{}"...) // the checks let only valid objects through
	}
	return append(dst, v...)
}
