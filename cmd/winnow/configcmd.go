package main

import (
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
			rows := c.Rows()
			if asJSON {
				for i := range rows {
					if err := p.out.JSON(rows[i]); err != nil {
						return err
					}
				}
				return nil
			}
			t := p.out.Table(print.Left("KEY"), print.Left("VALUE"), print.Left("FROM"), print.Left("VARIABLE"))
			for _, r := range rows {
				if r.Value == "" {
					r.Value = config.NotSet
				}
				t.Row(r.Key, r.Value, r.From, r.Env)
			}
			t.Flush()
			p.out.Printf("\nconfiguration file: %s\n", c.File)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per value")
	return cmd
}
