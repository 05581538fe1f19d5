//go:build ignore

// Renew copies the rules of a version of gitleaks, and their licence, into the
// folder gitleaks: go run renew.go VERSION.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if err := renew(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func renew(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: go run renew.go VERSION")
	}
	out, err := exec.Command("go", "mod", "download", "-json", "github.com/zricethezav/gitleaks/v8@"+args[0]).Output()
	if err != nil {
		return fmt.Errorf("gitleaks %s cannot be downloaded: %w: %s", args[0], err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", filepath.Join("config", "gitleaks.toml")} {
		data, err := os.ReadFile(filepath.Join(module.Dir, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join("gitleaks", filepath.Base(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
