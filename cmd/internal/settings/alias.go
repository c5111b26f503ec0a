package settings

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"learnings/cmd/internal/term"
)

// entryLine is one `name = "value"` of a table, with what follows it.
var entryLine = regexp.MustCompile(`^(\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|true|false)(\s*(?:#.*)?)$`)

// SetAlias writes one alias of a project into the file at path, which need not
// exist, and leaves the rest of the file as it is, comments and order included. It
// fails, and writes nothing, if the alias would lead in a circle.
func SetAlias(path, name, canonical string) error {
	return change(path, "aliases", name, tomlString(canonical), func(c *Config) error {
		c.Aliases = maps.Clone(c.Aliases)
		c.Aliases[name] = canonical
		return c.check()
	})
}

// change sets one entry of a table to a value, as TOML has it, or takes it out where that
// is ""; want is what that means.
func change(path, table, name, value string, want func(*Config) error) error {
	text, err := read(path)
	if err != nil {
		return err
	}
	wanted, err := parse(path, text)
	if err != nil {
		return err
	}
	if err := want(&wanted); err != nil {
		return err
	}
	// The file is edited as text, so what it says now is read back before it
	// counts: tables can be written in more ways than a line editor knows.
	edit := splice
	if value == "" {
		edit = func(text []byte, table, name, _ string) []byte { return unsplice(text, table, name) }
	}
	edited := edit(text, table, name, value)
	after, err := parse(path, edited)
	if err != nil || !sameSettings(wanted, after) {
		return term.Hint(fmt.Errorf("%s: its table [%s] is written in a way that cannot be edited without risk", path, table),
			"change the line %s = %s in it yourself", name, value)
	}
	return ReplaceFile(path, edited)
}

// SetPublish writes that a file or folder is kept in step in a format, in the manner of
// [SetAlias]; a format "" takes the entry out.
func SetPublish(path, target, format string) error {
	return setEntry(path, "publish", target, format, func(c *Config) *map[string]string { return &c.Publish })
}

// SetView writes a query under the name by which the desk shows what it finds, in the
// manner of [SetAlias]; a query "" takes the view out. Whether it can be read is for the
// caller to know.
func SetView(path, name, query string) error {
	return setEntry(path, "views", name, query, func(c *Config) *map[string]string { return &c.Views })
}

// setEntry writes one entry of a table of texts, or takes it out where the value is "".
func setEntry(path, table, name, value string, of func(*Config) *map[string]string) error {
	written := ""
	if value != "" {
		written = tomlString(value)
	}
	return change(path, table, name, written, func(c *Config) error {
		entries := maps.Clone(*of(c))
		if delete(entries, name); value != "" {
			entries[name] = value
		}
		*of(c) = entries
		return nil
	})
}

// unsplice gives a text of TOML without one entry of a table.
func unsplice(text []byte, table, name string) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	within := false
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "[") {
			within = strings.HasPrefix(strings.ReplaceAll(bare, " ", ""), "["+table+"]")
		}
		var one map[string]any
		if within && entryLine.MatchString(strings.TrimRight(line, "\r\n")) && toml.Unmarshal([]byte(bare), &one) == nil && one[name] != nil {
			lines[i] = ""
		}
	}
	return []byte(strings.Join(lines, ""))
}

// sameSettings reports that two configurations hold the same.
func sameSettings(x, y Config) bool {
	if !maps.Equal(x.Aliases, y.Aliases) || !maps.Equal(x.Publish, y.Publish) || !maps.Equal(x.Views, y.Views) || !reflect.DeepEqual(keysOf(x), keysOf(y)) {
		return false
	}
	for _, k := range Keys {
		a, _ := k.Get(&x)
		b, _ := k.Get(&y)
		if !reflect.DeepEqual(a, b) {
			return false
		}
	}
	return true
}

// SetModel writes which model the person has chosen into the file at path, in the
// manner of [SetAlias].
func SetModel(path, model string) error {
	return setLearning(path, "chosen_model", model, func(l *Learning) { l.ChosenModel.Value = model })
}

// setLearning writes one key of [learning]; set is what it means.
func setLearning(path, key string, value any, set func(*Learning)) error {
	return change(path, "learning", key, TOML(value), func(c *Config) error {
		set(&c.Learning)
		return nil
	})
}

// splice gives a text of TOML with one entry of a table set to a value, as TOML has it.
func splice(text []byte, table, name, value string) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	start, end := -1, len(lines)
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case start < 0 && strings.HasPrefix(strings.ReplaceAll(trimmed, " ", ""), "["+table+"]"):
			start = i
		case start >= 0 && strings.HasPrefix(trimmed, "["):
			end = i
		}
		if end < len(lines) {
			break
		}
	}
	key := name
	if table != "learning" {
		key = tomlString(name) // of any letters
	}
	entry := key + " = " + value + "\n"
	if start < 0 {
		sep := ""
		if len(text) > 0 {
			sep = "\n"
			if !bytes.HasSuffix(text, []byte("\n")) {
				sep = "\n\n"
			}
		}
		return []byte(string(text) + sep + "[" + table + "]\n" + entry)
	}
	last := start
	for i := start + 1; i < end; i++ {
		bare := strings.TrimRight(lines[i], "\r\n")
		if strings.TrimSpace(bare) != "" {
			last = i
		}
		var one map[string]any
		if m := entryLine.FindStringSubmatch(bare); m != nil && toml.Unmarshal([]byte(bare), &one) == nil && one[name] != nil {
			lines[i] = m[1] + value + m[3] + "\n"
			return []byte(strings.Join(lines, ""))
		}
	}
	if !strings.HasSuffix(lines[last], "\n") {
		entry = "\n" + entry
	}
	lines[last] += entry
	return []byte(strings.Join(lines, ""))
}

// tomlString quotes as a basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
