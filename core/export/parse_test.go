package export

import (
	"fmt"
	"reflect"
	"testing"
)

func TestParseOptions(t *testing.T) {
	train := func(s string) (any, error) { v, err := ParseTrain(s); return v, err }
	long := func(s string) (any, error) { v, err := ParseTooLong(s); return v, err }
	dedupe := func(s string) (any, error) { v, err := ParseDedupe(s); return v, err }
	system := func(s string) (any, error) { v, err := ParseSystem(s); return v, err }
	balance := func(s string) (any, error) { v, err := ParseBalance(s); return v, err }
	splits := func(s string) (any, error) { v, err := ParseSplits(s); return v, err }
	size := func(s string) (any, error) { v, err := ParseSize(s); return v, err }
	for _, c := range []struct {
		parse func(string) (any, error)
		text  string
		want  any // a string is the error
	}{
		{train, "", TrainAll}, {train, "all", TrainAll}, {train, "last", TrainLast}, {train, "after-errors", TrainAfterErrors},
		{train, "first", `"first": use one of all, last, after-errors, succeeded, edited`},
		{long, "drop", DropLong}, {long, "cut", CutLong}, {long, "x", `"x": use one of drop, cut`},
		{dedupe, "none", DedupeNone}, {dedupe, "near", DedupeNear}, {dedupe, "fuzzy", `"fuzzy": use one of none, exact, near`},
		{system, "keep", System{}}, {system, "drop", System{Drop: true}}, {system, "Be brief.", System{Text: "Be brief."}},
		{system, " ", "the text is blank: use drop to leave system messages out"},
		{balance, "", Balance{}}, {balance, "type=even", Balance{Even: true}}, {balance, "type=100", Balance{Most: 100}},
		{balance, "type=code:3,qa:1", Balance{Shares: map[string]float64{"code": 0.75, "qa": 0.25}}},
		{balance, "even", `"even": write type=even, type=100 or type=code:0.6,qa:0.4`},
		{balance, "type=0", `"type=0": at least one of each type must stay`},
		{balance, "type=code:x", `"type=code:x": the share of "code" must be a number above 0`},
		{balance, "type=code:NaN", `"type=code:NaN": the share of "code" must be a number above 0`},
		{balance, "type=codes:1", `"type=codes:1": "codes" is no task type`},
		{balance, "type=qa:1,qa:2", `"type=qa:1,qa:2": qa is given twice`},
		{splits, "train=0.95,validation=0.05", []Split{{Name: "train", Share: 0.95}, {Name: "validation", Share: 0.05}}},
		{splits, "train, test=0.25", []Split{{Name: "train", Share: 0.75}, {Name: "test", Share: 0.25}}},
		{splits, "a=0.7,b=0.2,c=0.1", []Split{{Name: "a", Share: 0.7}, {Name: "b", Share: 0.2}, {Name: "c", Share: 0.1}}},
		{splits, "train=0.9", `"train=0.9": the shares add up to 0.9, not 1`},
		{splits, "a=1,b", `"a=1,b": the others leave no share for b`},
		{splits, "a,b", `"a,b": only one part may be without a share`},
		{splits, "a=0.5,A=0.5", `"a=0.5,A=0.5": A is given twice`},
		{splits, "../x=1", `"../x=1": "../x" is no name for a part: use letters, digits, - and _`},
		{splits, "a=2", `"a=2": the share of a must be above 0 and at most 1`},
		{size, "500000", int64(500000)}, {size, "64k", int64(64 << 10)}, {size, "1.5GiB", int64(3 << 29)}, {size, "256 MB", int64(256 << 20)},
		{size, "0", `"0": write a size such as 64M or 1G`}, {size, "big", `"big": write a size such as 64M or 1G`}, {size, "1e300", `"1e300": write a size such as 64M or 1G`},
	} {
		got, err := c.parse(c.text)
		if want, isError := c.want.(string); isError {
			if fmt.Sprint(err) != want {
				t.Errorf("%q: %v, %v; want error %s", c.text, got, err, want)
			}
		} else if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}
