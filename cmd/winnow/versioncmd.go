package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"winnow/store"
)

// versionInfo is what "version --json" prints.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitzero"` // of the source, if known
	Time     string `json:"time,omitzero"`     // of that revision
	Modified bool   `json:"modified,omitzero"` // the source was changed after it
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Schema   int    `json:"schema"` // of the databases it writes
}

// describeVersion joins what the linker was told with what the build recorded.
func describeVersion(linked string, build *debug.BuildInfo) versionInfo {
	v := versionInfo{Version: linked, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Schema: store.Schema()}
	if build != nil {
		if v.Version == "" && build.Main.Version != "(devel)" {
			v.Version = build.Main.Version
		}
		for _, s := range build.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Revision = s.Value
			case "vcs.time":
				v.Time = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	if v.Version == "" {
		v.Version = "devel"
	}
	return v
}

// version describes this program.
func (p *cli) version() versionInfo {
	build, _ := debug.ReadBuildInfo()
	return describeVersion(p.env.version, build)
}

// printVersion prints the version for people, in one line.
func (p *cli) printVersion() {
	v := p.version()
	p.out.Printf("winnow %s", v.Version)
	if v.Revision != "" {
		changed := ""
		if v.Modified {
			changed = ", changed"
		}
		p.out.Printf(" (%s%s)", v.Revision[:min(12, len(v.Revision))], changed)
	}
	p.out.Printf(" %s %s, schema %d\n", v.Go, v.Platform, v.Schema)
}

func (p *cli) versionCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			return p.report(p.version(), p.printVersion)
		},
	}, p.jsonFlag("print as JSON"))
}
