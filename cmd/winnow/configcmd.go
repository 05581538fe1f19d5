package main

import (
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
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
variables, these over config.toml, that over defaults. OPENAI_BASE_URL counts
where none of them names a server. Of a key it is told whether there is one.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			c, err := p.config()
			if err != nil {
				return err
			}
			rows := p.configRows(c)
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
					r.Value = notSet
				}
				t.Row(r.Key, r.Value, r.From, r.Env)
			}
			t.Flush()
			p.out.Printf("\nconfiguration file: %s\n", c.path)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per value")
	return cmd
}

// notSet stands for a value that is empty, or a key that is not there.
const notSet = "not set"

// configRows lists all values in force. Of a key it tells only whether there
// is one.
func (p *cli) configRows(c *config) []configRow {
	var rows []configRow
	for i := range settings {
		s := &settings[i]
		v := c.values[s.key]
		rows = append(rows, configRow{s.key, s.text(v.text), v.from, s.env})
		table, key, _ := strings.Cut(s.key, ".")
		if key != "api_key_env" {
			continue
		}
		row := configRow{Key: table + ".api_key", Value: notSet, From: "default", Env: v.text}
		if p.keyOf(c, table) != "" {
			row.Value, row.From = "set, not shown", v.text
		}
		rows = append(rows, row)
	}
	return append(rows, c.keyRows()...)
}
