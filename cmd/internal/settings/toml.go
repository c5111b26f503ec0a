package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"learnings/cmd/internal/term"
)

// An entry is one key of the file with its value. Known tables are split into entries;
// any other table is a value.
type entry struct {
	path  []string
	value any
	line  int
}

func (e entry) name() string { return strings.Join(e.path, ".") }

// readTOML returns the entries of a file, in order.
func readTOML(path string, text []byte) ([]entry, error) {
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			row, col := bad.Position()
			return nil, fmt.Errorf("%s:%d:%d: %v", path, row, col, bad)
		}
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	lines := linesOf(text)
	var out []entry
	var visit func(path []string, value any)
	visit = func(path []string, value any) {
		table, ok := value.(map[string]any)
		if len(path) > 0 && !(ok && slices.Contains(tables, strings.Join(path, "."))) {
			out = append(out, entry{path, value, lines[pathKey(path)]})
			return
		}
		for name, v := range table {
			visit(append(slices.Clip(path), name), v)
		}
	}
	visit(nil, tree)
	slices.SortFunc(out, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.line, b.line), slices.Compare(a.path, b.path))
	})
	return out, nil
}

// pathKey returns a map key for a key's path; its names may contain dots.
func pathKey(path []string) string { return strings.Join(path, "\x00") }

// linesOf returns the first line of each key and table in a valid TOML file.
func linesOf(text []byte) map[string]int {
	lines := make(map[string]int)
	var p unstable.Parser
	p.Reset(text)
	// names appends a dotted key to its table's path and records its line.
	names := func(path []string, it unstable.Iterator) []string {
		path = slices.Clip(path)
		for it.Next() {
			path = append(path, string(it.Node().Data))
			if k := pathKey(path); lines[k] == 0 {
				lines[k] = p.Shape(it.Node().Raw).Start.Line
			}
		}
		return path
	}
	var pair func(path []string, n *unstable.Node)
	pair = func(path []string, n *unstable.Node) {
		path = names(path, n.Key())
		if v := n.Value(); v.Kind == unstable.InlineTable {
			for it := v.Children(); it.Next(); {
				pair(path, it.Node())
			}
		}
	}
	var table []string
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = names(nil, n.Key())
		case unstable.KeyValue:
			pair(table, n)
		}
	}
	return lines
}

// set applies the entries of a file. Each error names its line and leaves the setting
// unchanged.
func (c *Config) set(found []entry) error {
	var errs []error
	for _, e := range found {
		if err := c.takeOne(e); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", c.Path, e.line, err))
		}
	}
	return errors.Join(errs...)
}

// textTables are the tables with free keys.
var textTables = []string{"aliases", "publish", "views", "commands"}

// texts returns the entries of a table with free keys, or nil for other tables, and the
// error for values that are not strings.
func (c *Config) texts(table string) (entries map[string]string, wrong string) {
	switch table {
	case "aliases":
		return c.Aliases, "the alias %q must name a project in quotes"
	case "publish":
		return c.Publish, "the target %q must name a format in quotes"
	case "views":
		return c.Views, "the view %q must be a query in quotes"
	case "commands":
		return c.Commands, "the command of %q must be a line for the shell in quotes"
	}
	return nil, ""
}

func (c *Config) takeOne(e entry) error {
	name := e.name()
	if now, ok := former[name]; ok {
		c.Former = append(c.Former, fmt.Sprintf("%s:%d: %s has no effect any more: %s", c.Path, e.line, name, now))
		return nil
	}
	if e.path[0] == "keys" && len(e.path) == 2 {
		return c.takeKey(e)
	}
	if entries, wrong := c.texts(e.path[0]); len(e.path) == 2 && entries != nil {
		text, ok := e.value.(string)
		if !ok {
			return fmt.Errorf(wrong, e.path[1])
		}
		entries[e.path[1]] = text
		return nil
	}
	if slices.Contains(tables, name) {
		return fmt.Errorf("%s is a table: write [%s]", name, name)
	}
	usual := cmp.Or(otherNames[name], name)
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == usual })
	if i < 0 || strings.Count(name, ".") != len(e.path)-1 {
		return Unknown(name)
	}
	if err := Keys[i].set(c, e.value, fmt.Sprintf("%s:%d", c.Path, e.line)); err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	return nil
}

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

// Rows returns all settings with their sources, formatted by short. Entries of the
// other tables are at the end, by name.
func Rows(c *Config, short func(path string) string) []Row {
	rows := make([]Row, 0, len(Keys)+len(c.Aliases))
	for _, k := range Keys {
		v, source := k.Get(c)
		rows = append(rows, Row{k.Name, v, short(source)})
	}
	for _, table := range textTables {
		entries, _ := c.texts(table)
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			rows = append(rows, Row{table + "." + name, entries[name], short(c.Path)})
		}
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
			p.Table([]string{"Key", "Value", "From"}, term.Map(rows, func(r Row) []string {
				// The folder is the same on all lines; the line number matters.
				return []string{r.Key, Plain(r.Value), filepath.Base(r.Source)}
			}), 1)
		},
	}
}

// Plain formats a value for scripts: strings without quotes.
func Plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return TOML(v)
}

// TOML formats a value for config.toml.
func TOML(v any) string {
	switch v := v.(type) {
	case string:
		return tomlString(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []string:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = tomlString(w)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case map[string]string:
		words := make([]string, 0, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			words = append(words, tomlString(k)+" = "+tomlString(v[k]))
		}
		return "{" + strings.Join(words, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// Template returns a file with every key commented out.
func Template() []byte {
	var b bytes.Buffer
	b.WriteString("# Settings of learnings. Each line that is commented out shows the default;\n# `learnings config` prints what holds.\n\n")
	c := Defaults("")
	table := ""
	for _, k := range Keys {
		name := k.Name
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			if name[:i] != table {
				table = name[:i]
				fmt.Fprintf(&b, "[%s]\n", table)
			}
			name = name[i+1:]
		}
		v, _ := k.Get(&c)
		fmt.Fprintf(&b, "# %s\n# %s = %s\n\n", k.Doc, name, TOML(v))
	}
	b.WriteString("# Other names of projects.\n[aliases]\n# \"old name\" = \"name\"\n\n# Queries by name, for the desk.\n[views]\n# \"old and unused\" = \"age:>60d used:0\"\n\n# Commands for the lesson under the cursor of the desk, by key.\n[commands]\n# \"ctrl+g\" = \"gh issue create --title {sentence} --body {why}\"\n\n# Other keys for actions of the desk, by the names in `learnings help config`.\n[keys]\n# \"undo\" = [\"u\", \"ctrl+y\"]\n")
	return b.Bytes()
}
