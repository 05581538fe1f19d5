package config

import (
	"errors"
	"strconv"
)

const readerName = "reader"

// readerTable is the table of config.toml with how segments are read.
type readerTable struct {
	Digest *int64 `toml:"digest"`
	Width  *int64 `toml:"width"`
	Edits  *bool  `toml:"edits"`
}

func readerSettings() []Setting {
	return []Setting{
		{Key: "reader.digest", Env: "WINNOW_READER_DIGEST", file: func(f *tomlFile) any { return f.Reader.Digest }, standard: always("40"), check: checkMessages},
		{Key: "reader.width", Env: "WINNOW_READER_WIDTH", standard: always("110"), check: checkColumns, file: func(f *tomlFile) any { return f.Reader.Width }},
		{Key: "reader.edits", Env: "WINNOW_READER_EDITS", standard: always("false"), check: checkBool, file: func(f *tomlFile) any { return f.Reader.Edits }},
	}
}

// checkMessages wants a number of messages.
func checkMessages(_ *Env, s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 0 {
		return errors.New("must be a number of messages; 0 is never")
	}
	return nil
}

// leastColumns is the narrowest text that a curator can ask for: less is easier
// to have by a narrow pane.
const leastColumns = 20

func checkColumns(_ *Env, s string) error {
	if n, err := strconv.Atoi(s); err != nil || n != 0 && n < leastColumns {
		return errors.New("must be a number of 20 or more, or 0 for all there are")
	}
	return nil
}
