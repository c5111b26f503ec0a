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

// aliasLine is one `name = "value"` of the alias table, with what follows it.
var aliasLine = regexp.MustCompile(`^(\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')(\s*(?:#.*)?)$`)

// SetAlias writes one alias of a project into the file at path, which need not
// exist, and leaves the rest of the file as it is, comments and order included. It
// fails, and writes nothing, if the alias would lead in a circle.
func SetAlias(path, name, canonical string) error {
	text, err := read(path)
	if err != nil {
		return err
	}
	before, err := parse(path, text)
	if err != nil {
		return err
	}
	wanted := before
	wanted.Aliases = maps.Clone(before.Aliases)
	wanted.Aliases[name] = canonical
	if err := wanted.check(); err != nil {
		return err
	}
	// The file is edited as text, so what it says now is read back before it
	// counts: tables can be written in more ways than a line editor knows.
	edited := spliceAlias(text, name, canonical)
	after, err := parse(path, edited)
	if err != nil || !maps.Equal(after.Aliases, wanted.Aliases) || !sameSettings(before, after) {
		return term.Hint(fmt.Errorf("%s: its table of aliases is written in a way that cannot be edited without risk", path),
			"add the line %s = %s to it yourself", tomlString(name), tomlString(canonical))
	}
	return ReplaceFile(path, edited)
}

// sameSettings reports that two configurations hold the same but for aliases.
func sameSettings(x, y Config) bool {
	for _, k := range Keys {
		a, _ := k.Get(&x)
		b, _ := k.Get(&y)
		if !reflect.DeepEqual(a, b) {
			return false
		}
	}
	return true
}

func spliceAlias(text []byte, name, canonical string) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	start, end := -1, len(lines)
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case start < 0 && strings.HasPrefix(strings.ReplaceAll(trimmed, " ", ""), "[aliases]"):
			start = i
		case start >= 0 && strings.HasPrefix(trimmed, "["):
			end = i
		}
		if end < len(lines) {
			break
		}
	}
	entry := tomlString(name) + " = " + tomlString(canonical) + "\n"
	if start < 0 {
		sep := ""
		if len(text) > 0 {
			sep = "\n"
			if !bytes.HasSuffix(text, []byte("\n")) {
				sep = "\n\n"
			}
		}
		return []byte(string(text) + sep + "[aliases]\n" + entry)
	}
	last := start
	for i := start + 1; i < end; i++ {
		bare := strings.TrimRight(lines[i], "\r\n")
		if strings.TrimSpace(bare) != "" {
			last = i
		}
		var one map[string]string
		if m := aliasLine.FindStringSubmatch(bare); m != nil && toml.Unmarshal([]byte(bare), &one) == nil && one[name] != "" {
			lines[i] = m[1] + tomlString(canonical) + m[3] + "\n"
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
