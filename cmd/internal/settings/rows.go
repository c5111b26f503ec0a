package settings

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
)

// Help lists all keys with their meanings and defaults.
func Help() string {
	var b strings.Builder
	c := Defaults("")
	for _, k := range Keys {
		v, _ := k.Get(&c)
		fmt.Fprintf(&b, "  %s = %s\n      %s\n", k.Name, TOML(v), k.Doc)
	}
	b.WriteString("  [aliases]\n      other names of projects: \"old name\" = \"name\"\n" +
		"  [views]\n      queries by name, for the desk: \"stale\" = \"due:yes\"\n" +
		"  [commands]\n      commands for the lesson under the cursor, by key: \"ctrl+g\" = \"gh issue create --title {sentence}\"\n" +
		"  [keys]\n      other keys for the desk: undo = \"U\", or several: undo = [\"U\", \"ctrl+y\"]\n")
	return b.String()
}

// Rows returns all settings with their sources, formatted by short. Entries of [aliases],
// [views], [commands] and [keys] are at the end, by name.
func Rows(c *Config, short func(path string) string) []Row {
	rows := make([]Row, 0, len(Keys)+len(c.Aliases))
	for _, k := range Keys {
		v, source := k.Get(c)
		rows = append(rows, Row{k.Name, v, short(source)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Aliases)) {
		rows = append(rows, Row{"aliases." + name, c.Aliases[name], short(c.Path)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Views)) {
		rows = append(rows, Row{"views." + name, c.Views[name], short(c.Path)})
	}
	for _, key := range slices.Sorted(maps.Keys(c.Commands)) {
		rows = append(rows, Row{"commands." + key, c.Commands[key], short(c.Path)})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		rows = append(rows, Row{"keys." + name, c.Keys[name].Keys, short(c.Keys[name].Place)})
	}
	return rows
}

// A Row is one setting: its dotted key, its value, and its source: the default, a file
// and line, or a variable.
type Row struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"`
}

// Answer prints rows.
func Answer(rows []Row) term.List[Row] {
	return term.List[Row]{
		Items: rows, Cells: func(r Row) []string { return []string{r.Key, Plain(r.Value), r.Source} }, Object: func(r Row) any { return r },
		Page: func(p *term.Page) {
			p.Table([]string{"Key", "Value", "From"}, term.Rows(rows, func(r Row) []string {
				// The folder is the same on all lines; the line number matters.
				return []string{r.Key, Plain(r.Value), filepath.Base(r.Source)}
			}), 1)
		},
	}
}
