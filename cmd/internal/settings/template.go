package settings

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

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
