package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"learnings/lessons/exchange"
)

func getTOML(text []byte, path ...string) (json.RawMessage, error) {
	tree, err := readTOML(text)
	return valueAt(tree, path), err
}

// putTOML appends a table at a path that does not exist yet.
func putTOML(text []byte, value any, path ...string) ([]byte, error) {
	if t, err := getTOML(text, path...); err != nil {
		return nil, err
	} else if t != nil {
		return nil, fmt.Errorf("[%s] %w", strings.Join(path, "."), errForeign)
	}
	sep := ""
	if len(bytes.TrimPrefix(text, bom)) > 0 {
		sep = "\n"
		if !bytes.HasSuffix(text, []byte("\n")) {
			sep = "\n\n"
		}
	}
	add := sep + "[" + strings.Join(path, ".") + "]\n" + strings.Join(assigned(value, " = "), "\n") + "\n"
	out := slices.Concat(text, []byte(strings.ReplaceAll(add, "\n", exchange.LineEnd(text))))
	return proven(readTOML, text, out, value, path, "["+strings.Join(path, ".")+"]")
}

// takeTOML removes the table at a path, its subtables, and the blank line before it.
// Comments before the next table belong to that one and stay.
func takeTOML(text []byte, path ...string) ([]byte, error) {
	if there, err := getTOML(text, path...); err != nil || there == nil {
		return text, err
	}
	ours := regexp.MustCompile(`^\s*\[\s*` + strings.Join(path, `\s*\.\s*`) + `\s*[].]`)
	var out, idle [][]byte // idle lines belong to the next table
	in := false
	rest := bytes.TrimPrefix(text, bom)
	for _, line := range bytes.SplitAfter(rest, []byte("\n")) {
		said := bytes.TrimSpace(line)
		switch {
		case len(said) == 0 || said[0] == '#':
			idle = append(idle, line)
			continue
		case ours.Match(line):
			if n := len(idle); n > 0 && len(bytes.TrimSpace(idle[n-1])) == 0 {
				idle = idle[:n-1]
			}
			out, idle, in = append(out, idle...), nil, true
		case said[0] == '[':
			in = false
		}
		if in {
			idle = nil
		} else {
			out, idle = append(append(out, idle...), line), nil
		}
	}
	left := slices.Concat(text[:len(text)-len(rest)], bytes.Join(append(out, idle...), nil))
	return proven(readTOML, text, left, nil, path, "["+strings.Join(path, ".")+"]")
}

func readTOML(text []byte) (map[string]any, error) {
	if len(text) > maxSize {
		return nil, fmt.Errorf("it has %d MB, more than settings have", len(text)>>20)
	}
	tree := map[string]any{}
	if err := toml.Unmarshal(bytes.TrimPrefix(text, bom), &tree); err != nil {
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			row, _ := bad.Position()
			return nil, fmt.Errorf("line %d: %v", row, bad)
		}
		return nil, err
	}
	return tree, nil
}
