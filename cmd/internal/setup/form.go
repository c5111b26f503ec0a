package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// A form reads and edits settings in one of the languages that agents use. What it does not
// edit stays, byte for byte.
type form struct {
	get  func(text []byte, path ...string) (json.RawMessage, error) // nil for nothing
	put  func(text []byte, value any, path ...string) ([]byte, error)
	take func(text []byte, path ...string) ([]byte, error)
}

// formOf returns the form of a file.
func formOf(path string) form {
	switch filepath.Ext(path) {
	case ".toml":
		return form{getTOML, putTOML, takeTOML}
	case ".yaml":
		return form{getYAML, putYAML, takeYAML}
	}
	return form{getJSON, putJSON, takeJSON}
}

// errByHand means that a file must be edited by hand.
var errByHand = errors.New("is written in a way that cannot be edited without risk")

// valueAt returns the value at a path of names as JSON, or nil.
func valueAt(tree map[string]any, path []string) json.RawMessage {
	for _, name := range path[:len(path)-1] {
		tree, _ = tree[name].(map[string]any)
	}
	v, ok := tree[path[len(path)-1]]
	if !ok {
		return nil
	}
	if out, err := json.Marshal(v); err == nil {
		return out
	}
	return json.RawMessage("null") // not ours
}

// proven returns out, edited settings, if it has just the value at a path, nil for none, and
// says otherwise what text says. The error names the place as where.
func proven(read func([]byte) (map[string]any, error), text, out []byte, value any, path []string, where string) ([]byte, error) {
	tree, err := read(out)
	got := valueAt(tree, path)
	if err != nil || (got == nil) != (value == nil) || got != nil && !same(got, value) || !sameBut(read, text, out, path) {
		return nil, fmt.Errorf("%s %w", where, errByHand)
	}
	return out, nil
}

// sameBut reports whether two texts say the same except at a path. What is empty without it
// counts as missing.
func sameBut(read func([]byte) (map[string]any, error), x, y []byte, path []string) bool {
	a, errA := read(x)
	b, errB := read(y)
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
	if sub, ok := tree[path[0]].(map[string]any); ok || tree[path[0]] == nil {
		if drop(sub, path[1:]); len(sub) == 0 {
			delete(tree, path[0])
		}
	}
}

// inline formats a value on one line, as JSON, which TOML and YAML take too.
func inline(value any) string {
	var one strings.Builder
	for line := range strings.Lines(quoted(value, " ")) { // strings contain no line feed, so each one is between items or brackets
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, ",") {
			line += " "
		}
		one.WriteString(line)
	}
	return one.String()
}

// quote quotes a text for JSON, JavaScript, TOML and YAML.
func quote(s string) string { return quoted(s, "") }

func quoted(value any, indent string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		panic(err) // what we write consists of texts, numbers, lists and objects
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\x7f", `\u007f`)
}

// assigned returns the members of an object, each with its value on a line.
func assigned(value any, sep string) (lines []string) {
	v, err := hujson.Parse([]byte(inline(value)))
	if err != nil {
		panic(err)
	}
	for _, m := range v.Value.(*hujson.Object).Members {
		lines = append(lines, m.Name.Value.(hujson.Literal).String()+sep+strings.TrimSpace(string(m.Value.Pack())))
	}
	return lines
}
