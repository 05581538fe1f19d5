package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionInfo is what "version --json" prints.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitzero"` // of the source, if known
	Time     string `json:"time,omitzero"`     // of that revision
	Modified bool   `json:"modified,omitzero"` // the source was changed after it
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// describeVersion joins what the linker was told with what the build recorded.
func describeVersion(linked string, build *debug.BuildInfo) versionInfo {
	v := versionInfo{Version: linked, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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

func (p *cli) versionCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			v := p.version()
			return p.report(v, func() {
				p.out.Printf("winnow %s", v.Version)
				if v.Revision != "" {
					p.out.Printf(" (%s)", v.Revision[:min(12, len(v.Revision))])
				}
				p.out.Printf(" %s %s\n", v.Go, v.Platform)
			})
		},
	}, p.jsonFlag("print as JSON"))
}
