package main

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/themes"
)

// userThemes is the folder of the user's own themes, nil without a home.
func (p *cli) userThemes() fs.FS {
	dir := p.configDir()
	if dir == "" {
		return nil
	}
	return os.DirFS(filepath.Join(dir, "themes"))
}

// themeRow is one line of "themes --json".
type themeRow struct {
	Name   string `json:"name"`
	Dark   bool   `json:"dark"`   // made for dark backgrounds
	Chosen bool   `json:"chosen"` // by flag or configuration
}

func (p *cli) themesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "themes",
		Short: "List the colour themes",
		Long: `Lists the themes: the built-in ones and your own, which are TOML files in the
folder "themes" beside config.toml. "auto" follows the terminal's background.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			c, err := p.config()
			if err != nil {
				return err
			}
			user := p.userThemes()
			t := p.out.table(left("THEME"), left("FOR"), left(""))
			for _, name := range themes.Names(user) {
				styles, warnings, err := themes.Load(name, user)
				if err != nil {
					warnings = append(warnings, err.Error())
				}
				for _, w := range warnings {
					p.warn("%s", w)
				}
				if err != nil {
					continue
				}
				row := themeRow{name, styles.Dark, c.text("theme") == name}
				if asJSON {
					if err := p.out.JSON(row); err != nil {
						return err
					}
					continue
				}
				t.row(row.cells()...)
			}
			t.flush()
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per theme")
	return cmd
}

func (r themeRow) cells() []string {
	cells := []string{r.Name, "light terminals", ""}
	if r.Dark {
		cells[1] = "dark terminals"
	}
	if r.Chosen {
		cells[2] = "chosen"
	}
	return cells
}
