package config

import (
	"errors"
	"strconv"
)

// readerTable is the table of config.toml with how segments are read.
type readerTable struct {
	Digest *int64 `toml:"digest"`
}

func readerSettings() []Setting {
	return []Setting{
		{Key: "reader.digest", Env: "WINNOW_READER_DIGEST", file: func(f *tomlFile) any { return f.Reader.Digest }, standard: always("40"), check: checkMessages},
	}
}

// checkMessages wants a number of messages.
func checkMessages(_ *Env, s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 0 {
		return errors.New("must be a number of messages; 0 is never")
	}
	return nil
}
