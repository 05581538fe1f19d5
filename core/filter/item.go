package filter

import "strings"

var (
	intoItem = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`)
	fromItem = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
)

// ListItem returns a name as it stands in a list that is kept as one text, "\na\nb\n":
// without line feeds and tabs.
func ListItem(name string) string { return intoItem.Replace(name) }

// ItemName undoes ListItem.
func ItemName(item string) string { return fromItem.Replace(item) }
