package setup

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"learnings/lessons/exchange"
)

// errByHand means that a file must be edited by hand.
var errByHand = errors.New("is written in a way that cannot be edited without risk")

// getTOML returns the table at a path of names, or nil.
func getTOML(text []byte, path ...string) (map[string]any, error) {
	tree, err := readTOML(text)
	if err != nil {
		return nil, err
	}
	for _, name := range path {
		tree, _ = tree[name].(map[string]any)
	}
	return tree, nil
}

// addTOML appends a table at a path that does not exist yet. The body is `name = value`
// lines with line ends.
func addTOML(text []byte, body string, path ...string) ([]byte, error) {
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
	add := strings.ReplaceAll(sep+"["+strings.Join(path, ".")+"]\n"+body, "\n", exchange.LineEnd(text))
	out := slices.Concat(text, []byte(add))
	var want map[string]any
	if err := toml.Unmarshal([]byte(body), &want); err != nil {
		return nil, err
	}
	if got, err := getTOML(out, path...); err != nil || !reflect.DeepEqual(got, want) || !sameBut(text, out, path) {
		return nil, fmt.Errorf("[%s] %w", strings.Join(path, "."), errByHand)
	}
	return out, nil
}

// removeTOML removes the table at a path, its subtables, and the blank line before it.
// Comments before the next table belong to that one and stay.
func removeTOML(text []byte, path ...string) ([]byte, error) {
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
	if there, err := getTOML(left, path...); err != nil || there != nil || !sameBut(text, left, path) {
		return nil, fmt.Errorf("[%s] %w", strings.Join(path, "."), errByHand)
	}
	return left, nil
}

// sameBut reports whether two texts are equal except for the table at a path. A table
// that is empty without it counts as missing.
func sameBut(x, y []byte, path []string) bool {
	a, errA := readTOML(x)
	b, errB := readTOML(y)
	if errA != nil || errB != nil {
		return false
	}
	drop(a, path)
	drop(b, path)
	return reflect.DeepEqual(a, b)
}

func drop(tree map[string]any, path []string) {
	if len(path) == 1 {
		delete(tree, path[0])
		return
	}
	if sub, ok := tree[path[0]].(map[string]any); ok {
		if drop(sub, path[1:]); len(sub) == 0 {
			delete(tree, path[0])
		}
	}
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
