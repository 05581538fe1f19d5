package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/config"
	"winnow/cmd/winnow/print"
)

func (p *cli) configCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "config",
		Short: "Print the configuration and where each value comes from",
		Long: `Prints each setting, its value, and where the value comes from. A flag wins over
a WINNOW_* variable, a variable over config.toml, and config.toml over the
default. OPENAI_BASE_URL is used if none of them names a server. For an API key
it prints only whether one is set, never the key.`,
		RunE: func(*cobra.Command, []string) error {
			c, err := p.config()
			if err != nil {
				return err
			}
			t := p.out.List(p.asJSON, print.Left("KEY"), print.Left("VALUE"), print.Left("FROM"), print.Left("VARIABLE"))
			for _, r := range c.Rows() {
				if err := t.Put(r, r.Key, cmp.Or(r.Value, config.NotSet), r.From, r.Env); err != nil {
					return err
				}
			}
			if t.Flush(); !p.asJSON {
				p.out.Printf("\nconfiguration file: %s\n", c.File)
			}
			return nil
		},
	}, p.jsonFlag("print one JSON object per value"))
}
