package settings

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
)

// entryLine matches one `name = "value"` of a table, with the rest of its line.
var entryLine = regexp.MustCompile(`^(\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|true|false|[0-9.]+)(\s*(?:#.*)?)$`)

// Set sets one entry of a table in the file at path, which may be missing. It preserves
// everything else, comments and order included. The value "" removes the entry. It writes
// nothing if the value is invalid.
func Set(path, table, name string, value any) error {
	return SetAll(path, table, Entry{name, value})
}

// An Entry is a key of a table, by its name there, and its value.
type Entry struct {
	Name  string
	Value any
}

// SetAll is [Set] for several entries: all of them are written, or none.
func SetAll(path, table string, entries ...Entry) error {
	text, err := read(path)
	if err != nil {
		return err
	}
	wanted, err := parse(path, text)
	if err != nil {
		return err
	}
	texts, _ := wanted.texts(table)
	edited, lines := text, []string{}
	for _, e := range entries {
		key, written := e.Name, TOML(e.Value)
		if texts != nil {
			key = tomlString(e.Name) // may contain any characters
		}
		if texts != nil && e.Value == "" {
			written = ""
			delete(texts, e.Name)
		} else if err := wanted.takeOne(entry{path: []string{table, e.Name}, value: e.Value}); err != nil {
			return err
		}
		edited, lines = splice(edited, table, e.Name, key, written), append(lines, e.Name+" = "+written)
	}
	if err := wanted.check(); err != nil {
		return err
	}
	// Parse the edited text before writing it: TOML can express tables in more ways than
	// a line editor handles.
	after, err := parse(path, edited)
	if err != nil || !sameSettings(wanted, after) {
		return term.Hint(fmt.Errorf("%s: its table [%s] is written in a way that cannot be edited without risk", path, table),
			"change the line %s in it yourself", strings.Join(lines, ", "))
	}
	return ReplaceFile(path, edited)
}

// SetDesk sets a key of [desk], given by its dotted name, to a value given as text.
func SetDesk(path, name, value string) error {
	short, ok := strings.CutPrefix(name, "desk.")
	if !ok {
		return fmt.Errorf("%s is no setting of the desk", name)
	}
	if value == "true" || value == "false" {
		return Set(path, "desk", short, value == "true")
	}
	return Set(path, "desk", short, value)
}

// sameSettings reports whether two configurations are equal.
func sameSettings(x, y Config) bool {
	short := func(path string) string { return path }
	return slices.EqualFunc(Rows(&x, short), Rows(&y, short), func(a, b Row) bool { return a.Key == b.Key && reflect.DeepEqual(a.Value, b.Value) })
}

// splice sets one entry of a table in a TOML text; key and value are TOML, and "" removes
// the entry. It returns forms that it cannot edit unchanged.
func splice(text []byte, table, name, key, value string) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	if at := linesOf(text)[pathKey([]string{table, name})]; at > 0 {
		m := entryLine.FindStringSubmatch(strings.TrimRight(lines[at-1], "\r\n"))
		switch {
		case m == nil:
		case value == "":
			lines[at-1] = ""
		default:
			lines[at-1] = m[1] + value + m[3] + "\n"
		}
		return []byte(strings.Join(lines, ""))
	}
	if value == "" {
		return text
	}
	entry, within, last := key+" = "+value+"\n", false, -1
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "[") {
			within = strings.HasPrefix(strings.ReplaceAll(bare, " ", ""), "["+table+"]")
		}
		if within && bare != "" {
			last = i
		}
	}
	if last < 0 {
		entry = "[" + table + "]\n" + entry
		if last = len(lines) - 1; len(text) > 0 {
			entry = "\n" + entry
		}
	}
	if lines[last] != "" && !strings.HasSuffix(lines[last], "\n") {
		entry = "\n" + entry
	}
	lines[last] += entry
	return []byte(strings.Join(lines, ""))
}

// tomlString quotes s as a TOML basic string, of which a JSON string is one.
func tomlString(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // encoding a string cannot fail
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\x7f", `\u007f`)
}
