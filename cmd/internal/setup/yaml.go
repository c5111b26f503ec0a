package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"learnings/lessons/exchange"
)

// parseYAML returns the mapping at the top of a text; nil if the text says nothing.
func parseYAML(text []byte) (*yaml.Node, error) {
	if len(text) > maxSize {
		return nil, fmt.Errorf("it has %d MB, more than settings have", len(text)>>20)
	}
	if bytes.Contains(text, []byte("\n---")) {
		return nil, errors.New("it may have more than one document")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(bytes.TrimPrefix(text, bom), &doc); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Content == nil || doc.Content[0].Tag == "!!null" {
		return nil, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: a mapping should stand here", root.Line)
	}
	return root, nil
}

func readYAML(text []byte) (tree map[string]any, err error) {
	root, err := parseYAML(text)
	if root != nil && err == nil {
		err = root.Decode(&tree)
	}
	if tree == nil {
		tree = map[string]any{}
	}
	return tree, err
}

func getYAML(text []byte, path ...string) (json.RawMessage, error) {
	tree, err := readYAML(text)
	return valueAt(tree, path), err
}

// yamlPath follows a path of names as far as it exists. It returns the keys and the values
// on the way, which start with the whole file.
func yamlPath(root *yaml.Node, path []string) (keys, in []*yaml.Node) {
	in = []*yaml.Node{root}
	for _, name := range path {
		i := 0
		for m := in[len(in)-1].Content; ; i += 2 {
			if i+1 >= len(m) || in[len(in)-1].Kind != yaml.MappingNode {
				return keys, in
			}
			if m[i].Value == name {
				keys, in = append(keys, m[i]), append(in, m[i+1])
				break
			}
		}
	}
	return keys, in
}

// putYAML adds a value at a path that does not exist yet: first in its mapping, or at the
// end of the file.
func putYAML(text []byte, value any, path ...string) ([]byte, error) {
	root, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	if root == nil {
		root = &yaml.Node{Column: 1}
	}
	keys, in := yamlPath(root, path)
	if len(keys) == len(path) {
		return nil, fmt.Errorf("%s %w", strings.Join(path, "."), errForeign)
	}
	lines, eol := bytes.SplitAfter(text, []byte("\n")), exchange.LineEnd(text)
	at, indent, mapping := len(lines), root.Column-1, in[len(in)-1]
	if n := len(keys); n > 0 {
		at, indent = keys[n-1].Line, keys[n-1].Column+1
		if len(mapping.Content) > 0 {
			indent = mapping.Content[0].Column - 1
		} else if before, end, found := bytes.Cut(lines[at-1], []byte(" {}")); found {
			lines[at-1] = slices.Concat(before, end)
		}
	}
	if last := lines[at-1]; len(last) > 0 && last[len(last)-1] != '\n' {
		lines[at-1] = slices.Concat(last, []byte(eol))
	}
	var ours bytes.Buffer
	for _, name := range path[len(keys):] {
		fmt.Fprintf(&ours, "%*s%s:%s", indent, "", name, eol)
		indent += 2
	}
	for _, line := range assigned(value, ": ") {
		fmt.Fprintf(&ours, "%*s%s%s", indent, "", line, eol)
	}
	out := bytes.Join(slices.Insert(lines, at, ours.Bytes()), nil)
	return proven(readYAML, text, out, value, path, strings.Join(path, "."))
}

// takeYAML removes the value at a path, and the mappings that this leaves empty. Comments
// stay.
func takeYAML(text []byte, path ...string) ([]byte, error) {
	if there, err := getYAML(text, path...); err != nil || there == nil {
		return text, err
	}
	root, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	keys, in := yamlPath(root, path)
	if len(keys) < len(path) { // by an alias
		return nil, fmt.Errorf("%s %w", strings.Join(path, "."), errByHand)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	first, end := len(keys)-1, len(lines)+1 // end is the line of what follows
	for first > 0 && len(in[first].Content) == 2 {
		first--
	}
	for i := len(keys) - 1; i >= 0 && end > len(lines); i-- {
		if m := in[i].Content; m[len(m)-2] != keys[i] {
			end = m[slices.Index(m, keys[i])+2].Line
		}
	}
	line := keys[len(keys)-1].Line
	for ; end > line+1; end-- { // blank lines and comments there belong to what follows
		if said := bytes.TrimSpace(lines[end-2]); len(said) > 0 && said[0] != '#' {
			break
		}
	}
	if end > line {
		lines = slices.Delete(lines, line-1, end-1)
	}
	for _, k := range slices.Backward(keys[first : len(keys)-1]) {
		lines = slices.Delete(lines, k.Line-1, k.Line)
	}
	out := bytes.Join(lines, nil)
	return proven(readYAML, text, out, nil, path, strings.Join(path, "."))
}
