package amend

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// wrongJSON says in the words of who writes rows what is wrong with one.
func wrongJSON(err error) error {
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) {
		return fmt.Errorf("is no JSON: %w", err)
	}
	key := wrong.JSONPointer.LastToken()
	switch {
	case errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("%q is no key of an edit: see winnow edit --help", key)
	case wrong.JSONPointer == jsontext.Pointer(""):
		return errors.New(`must be an object, such as {"id":"3f2a91bc","n":8,"text":"…"}`)
	}
	must := "a text"
	if t := wrong.GoType; t != nil {
		switch t.Kind() {
		case reflect.Int, reflect.Pointer:
			must = "a whole number"
		case reflect.Bool:
			must = "true or false"
		}
	}
	return fmt.Errorf("%q must be %s", key, must)
}
