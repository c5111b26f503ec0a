package settings

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
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
	switch {
	case slices.Contains(tables, name):
		return fmt.Errorf("%s is a table: write [%s]", name, name)
	}
	usual := cmp.Or(otherNames[name], name)
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == usual })
	if i < 0 || strings.Count(name, ".") != len(e.path)-1 {
		return fmt.Errorf("unknown key %q; did you mean %s?", name, NearestKey(name))
	}
	if err := Keys[i].set(c, e.value, fmt.Sprintf("%s:%d", c.Path, e.line)); err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	return nil
}
