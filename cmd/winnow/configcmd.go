package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/print"
)

func (p *cli) configCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the configuration in force and where each value came from",
		Long: `Prints each value in force and where it came from. Flags win over WINNOW_*
variables, these over config.toml, that over defaults. OPENAI_BASE_URL counts
where none of them names a server. Of a key it is told whether there is one.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			c, err := p.config()
			if err != nil {
				return err
			}
			t := p.out.List(asJSON, print.Left("KEY"), print.Left("VALUE"), print.Left("FROM"), print.Left("VARIABLE"))
			for _, r := range c.Rows() {
				if err := t.Put(r, r.Key, cmp.Or(r.Value, config.NotSet), r.From, r.Env); err != nil {
					return err
				}
			}
			if t.Flush(); !asJSON {
				p.out.Printf("\nconfiguration file: %s\n", c.File)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per value")
	return cmd
}
