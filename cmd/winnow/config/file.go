package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"winnow/core/review"
	"winnow/core/spell"
)

// readConfigFile reads config.toml; a missing one is empty. Errors name the
// file, the line and the key.
func readConfigFile(path string) (*tomlFile, error) {
	f := &tomlFile{whys: review.Whys()}
	data, err := readTOML(path, f, "configuration", unknownText, decodeText)
	if err != nil || data == nil {
		return f, err
	}
	if err := cmp.Or(f.checkWeights(), f.checkQuotas(), f.checkCommands()); err != nil {
		return nil, Wrong("%s: %w", path, err)
	}
	if err := cmp.Or(f.checkWhys(data), f.checkKeys(data)); err != nil {
		return nil, Wrong("%s%w", path, err)
	}
	return f, nil
}

// readTOML reads a file into a value, and returns what it read; a missing file, and
// "", is nothing. Errors name the file and the line, or what could not be opened;
// unknown says what is wrong with a key that there is not, mistyped with a value.
func readTOML(path string, into any, what string, unknown func(key []string) string, mistyped func(*toml.DecodeError) string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	err = toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(into)
	var missing *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case err == nil:
		return data, nil
	case errors.As(err, &missing) && len(missing.Errors) > 0:
		row, _ := missing.Errors[0].Position()
		return nil, Wrong("%s:%d: %s", path, row, unknown(missing.Errors[0].Key()))
	case errors.As(err, &bad):
		row, column := bad.Position()
		return nil, Wrong("%s:%d:%d: %s", path, row, column, mistyped(bad))
	}
	return nil, Wrong("%s: %w", path, err)
}

// decodeText says what is wrong with the file. A value of another type than its
// key wants is told in our words: the decoder's are about Go.
func decodeText(bad *toml.DecodeError) string {
	text := plainText(bad)
	if !strings.Contains(text, "cannot decode") && !strings.Contains(text, "cannot store") {
		return text
	}
	key := strings.Join(bad.Key(), ".")
	if slices.Contains(modelTables, key) || key == "score" || key == readerName || key == runName || key == trainName || key == weightsTable || key == quotasTable || key == whyTable || key == keysTable {
		return key + " must be a table: [" + key + "] on a line of its own, its settings below"
	}
	if table, name, _ := cutLast(key); table == trainName && slices.Contains(commandKeys, name) {
		return key + ` must be a program and its arguments, as in ["swift", "sft"]: no shell reads them`
	}
	for i := range settings {
		if s := &settings[i]; s.Key == key {
			return s.Key + " must be " + wanted(s.file(&tomlFile{}))
		}
	}
	return "not the kind of value that is wanted here"
}

// plainText is an error as the decoder tells it.
func plainText(bad *toml.DecodeError) string { return strings.TrimPrefix(bad.Error(), "toml: ") }

// wanted says what a field of the file takes.
func wanted(field any) string {
	switch field.(type) {
	case *bool:
		return "true or false"
	case *int64:
		return "a whole number"
	case *float64:
		return "a number"
	}
	return `a text in quotes, as in "text"`
}

// unknownText says of a key that there is none of this name, and which there
// are beside it.
func unknownText(key []string) string {
	name := strings.Join(key, ".")
	if len(key) == 2 && key[1] == "api_key" && slices.Contains(modelTables, key[0]) {
		return "unknown key " + name + ": keys do not belong into files: name the variable that holds it with api_key_env"
	}
	table := ""
	if len(key) > 1 && (slices.Contains(modelTables, key[0]) || key[0] == "score" || key[0] == readerName || key[0] == runName || key[0] == trainName) {
		table = key[0]
	}
	known := settingKeys(table)
	typed := name
	if table == "" {
		typed = key[0]
	}
	// Tables stand in brackets, which nobody mistypes.
	bare := make([]string, len(known))
	for i := range known {
		bare[i] = strings.Trim(known[i], "[]")
	}
	meant := ""
	if near := spell.Nearest(typed, bare); near != "" {
		meant = "did you mean " + known[slices.Index(bare, near)] + "? "
	}
	return "unknown key " + name + ": " + meant + "known are " + strings.Join(known, ", ")
}

// settingKeys lists the keys in a table of the file; "" is the file itself,
// which has the tables, too.
func settingKeys(table string) []string {
	var keys []string
	for i := range settings {
		in, _, nested := cutLast(settings[i].Key)
		if nested && in == table || !nested && table == "" {
			keys = append(keys, settings[i].Key)
		}
	}
	switch table {
	case "":
		for _, name := range slices.Concat(modelTables, []string{"score", readerName, runName, trainName, quotasTable, whyTable, keysTable}) {
			keys = append(keys, "["+name+"]")
		}
	case "score":
		keys = append(keys, "["+weightsTable+"]")
	case trainName:
		for _, name := range commandKeys {
			keys = append(keys, trainName+"."+name)
		}
	}
	return keys
}

// cutLast splits a key of a setting into table and key; nested is false for one
// that is in no table.
func cutLast(key string) (table, name string, nested bool) {
	i := strings.LastIndexByte(key, '.')
	if i < 0 {
		return "", key, false
	}
	return key[:i], key[i+1:], true
}
