package export

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"winnow/core/export/shortened"
	"winnow/core/metric"
	"winnow/core/spell"
)

// The functions here read options as people write them. Their errors say in
// one line what is wrong and what is expected.

// TrainNames lists the policies of what is trained, as the following ones the
// default first.
func TrainNames() []string {
	return []string{"all", string(TrainLast), string(TrainAfterErrors), string(TrainSucceeded), string(TrainEdited)}
}

// TooLongNames lists what may become of a sample that costs too many tokens.
func TooLongNames() []string { return []string{"drop", string(CutLong)} }

// DedupeNames lists which samples may count as the same.
func DedupeNames() []string { return []string{"none", string(DedupeExact), string(DedupeNear)} }

// ParseTrain reads one of TrainNames, "" is the default.
func ParseTrain(text string) (Train, error) { return oneOf[Train](text, TrainNames()) }

// ParseTooLong reads one of TooLongNames, "" is the default.
func ParseTooLong(text string) (TooLong, error) { return oneOf[TooLong](text, TooLongNames()) }

// ParseDedupe reads one of DedupeNames, "" is the default.
func ParseDedupe(text string) (Dedupe, error) { return oneOf[Dedupe](text, DedupeNames()) }

// CompressedNames lists which compressions may be applied.
func CompressedNames() []string { return shortened.Names() }

// ParseCompressed reads one of CompressedNames, "" is the default.
func ParseCompressed(text string) (shortened.Which, error) {
	return oneOf[shortened.Which](text, CompressedNames())
}

// oneOf reads one of some words; the first is the default, which options have
// as "".
func oneOf[T ~string](text string, words []string) (T, error) {
	switch {
	case text == "" || text == words[0]:
		return "", nil
	case slices.Contains(words, text):
		return T(text), nil
	}
	return "", fmt.Errorf("%q: %suse one of %s", text, spell.Meant(text, words), strings.Join(words, ", "))
}

// ParseSystem reads "keep" (or ""), "drop", or the text that takes the place
// of the recorded system message.
func ParseSystem(text string) (System, error) {
	switch text {
	case "", "keep":
		return System{}, nil
	case "drop":
		return System{Drop: true}, nil
	}
	if strings.TrimSpace(text) == "" {
		return System{}, fmt.Errorf("the text is blank: use drop to leave system messages out")
	}
	return System{Text: text}, nil
}

// ParseBalance reads "type=even", "type=100" or "type=code:0.6,qa:0.4". The
// shares need not add up to 1: what counts is their proportion.
func ParseBalance(text string) (Balance, error) {
	if text == "" {
		return Balance{}, nil
	}
	what, how, _ := strings.Cut(text, "=")
	if what != "type" || how == "" {
		return Balance{}, fmt.Errorf("%q: write type=even, type=100 or type=code:0.6,qa:0.4", text)
	}
	if how == "even" {
		return Balance{Even: true}, nil
	}
	if most, err := strconv.Atoi(how); err == nil {
		if most < 1 {
			return Balance{}, fmt.Errorf("%q: at least one of each type must stay", text)
		}
		return Balance{Most: most}, nil
	}
	shares, total := map[string]float64{}, 0.0
	for entry := range strings.SplitSeq(how, ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(entry), ":")
		share, err := parseShare(number)
		if err != nil {
			return Balance{}, fmt.Errorf("%q: the share of %q must be a number above 0", text, name)
		}
		if _, known := metric.ParseTaskType(name); !known {
			return Balance{}, fmt.Errorf("%q: %q is no task type", text, name)
		}
		if _, twice := shares[name]; twice {
			return Balance{}, fmt.Errorf("%q: %s is given twice", text, name)
		}
		shares[name] = share
		total += share
	}
	for name := range shares {
		shares[name] /= total
	}
	return Balance{Shares: shares}, nil
}

// ParseSplits reads "train=0.95,validation=0.05". One entry may lack its share
// and takes what the others leave; else they must add up to 1. Names become
// parts of file names: letters, digits, "-" and "_".
func ParseSplits(text string) ([]Split, error) {
	if text == "" {
		return nil, nil
	}
	var splits []Split
	open, total := -1, 0.0
	for entry := range strings.SplitSeq(text, ",") {
		name, number, given := strings.Cut(strings.TrimSpace(entry), "=")
		if !isSplitName(name) {
			return nil, fmt.Errorf("%q: %q is no name for a part: use letters, digits, - and _", text, name)
		}
		if slices.ContainsFunc(splits, func(s Split) bool { return strings.EqualFold(s.Name, name) }) {
			return nil, fmt.Errorf("%q: %s is given twice", text, name)
		}
		share := 0.0
		if given {
			var err error
			if share, err = parseShare(number); err != nil || share > 1 {
				return nil, fmt.Errorf("%q: the share of %s must be above 0 and at most 1", text, name)
			}
		} else if open >= 0 {
			return nil, fmt.Errorf("%q: only one part may be without a share", text)
		} else {
			open = len(splits)
		}
		total += share
		splits = append(splits, Split{Name: name, Share: share})
	}
	const little = 1e-6 // what decimal fractions lose
	switch {
	case open >= 0 && total < 1-little:
		splits[open].Share = 1 - total
	case open >= 0:
		return nil, fmt.Errorf("%q: the others leave no share for %s", text, splits[open].Name)
	case math.Abs(total-1) > little:
		return nil, fmt.Errorf("%q: the shares add up to %s, not 1", text, strconv.FormatFloat(total, 'g', 4, 64))
	}
	return splits, nil
}

func isSplitName(name string) bool { return isPlainName(name, 40) && name[0] != '-' }

// isPlainName reports whether a name has letters of ASCII, digits, "-" and "_"
// only, at least one and not more than so many.
func isPlainName(name string, most int) bool {
	other := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}
	return name != "" && len(name) <= most && !strings.ContainsFunc(name, other)
}

func parseShare(text string) (float64, error) {
	share, err := strconv.ParseFloat(text, 64)
	if err == nil && !(share > 0 && share <= math.MaxFloat32) {
		err = strconv.ErrRange
	}
	return share, err
}

// ParseSize reads a number of bytes: "500000", "64k", "256M", "1.5GiB". The
// letters stand for powers of 1024.
func ParseSize(text string) (int64, error) {
	number := strings.ToLower(strings.TrimSpace(text))
	number = strings.TrimSuffix(strings.TrimSuffix(number, "b"), "i")
	unit := 1.0
	for i, letter := range "kmg" {
		if rest, found := strings.CutSuffix(number, string(letter)); found {
			number, unit = rest, math.Pow(1024, float64(i+1))
			break
		}
	}
	size, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(size*unit >= 1 && size*unit < math.MaxInt64) {
		return 0, fmt.Errorf("%q: write a size such as 64M or 1G", text)
	}
	return int64(size * unit), nil
}
