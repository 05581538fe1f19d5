package main

import (
	"github.com/spf13/cobra"
)

// configRow is one line of "config --json".
type configRow struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
	Env   string `json:"env"`
}

func (p *cli) configCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the configuration in force and where each value came from",
		Long: `Prints each value in force and where it came from. Flags win over WINNOW_*
variables, these over config.toml, that over defaults.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			c, err := p.config()
			if err != nil {
				return err
			}
			if asJSON {
				for i := range settings {
					v := c.values[settings[i].key]
					if err := p.out.JSON(configRow{settings[i].key, v.text, v.from, settings[i].env}); err != nil {
						return err
					}
				}
				return nil
			}
			t := p.out.table(left("KEY"), left("VALUE"), left("FROM"), left("VARIABLE"))
			for i := range settings {
				v := c.values[settings[i].key]
				t.row(settings[i].key, v.text, v.from, settings[i].env)
			}
			t.flush()
			p.out.printf("\nconfiguration file: %s\n", c.path)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per value")
	return cmd
}
