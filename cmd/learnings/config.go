package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"learnings/extractor"
)

// A setting is a value and where it came from, so that whoever wonders about
// one can be told.
type setting[T any] struct {
	Value  T
	Source string // "default", "system", the path of the file
}

// A config is what config.toml says. A missing file is all defaults.
type config struct {
	Path      string
	Name      setting[string] // who decides; the system's user by default
	Role      setting[string] // of sessions whose transcript names none
	MaxInject setting[int]    // lessons that a session gets at most
	Aliases   map[string]string
}

// file is the form of config.toml. Pointers tell what is absent.
type file struct {
	Name      *string           `toml:"name"`
	Role      *string           `toml:"role"`
	MaxInject *int              `toml:"max_inject"`
	Aliases   map[string]string `toml:"aliases"`
}

var configKeys = []string{"name", "role", "max_inject", "aliases"}

const (
	maxConfig        = 1 << 20 // bytes
	defaultRole      = extractor.DefaultRole
	defaultMaxInject = 5
	mostInject       = 50 // more would not fit the budget of any agent
)

func defaults(path string) config {
	return config{
		Path: path, Name: setting[string]{Source: "system"}, Role: setting[string]{defaultRole, "default"},
		MaxInject: setting[int]{defaultMaxInject, "default"}, Aliases: map[string]string{},
	}
}

// loadConfig reads the file strictly: a key that we do not know is an error,
// because it is most often a slip that would silently do nothing.
func loadConfig(path string) (config, error) {
	text, err := readConfig(path)
	if err != nil {
		return defaults(path), err
	}
	return parseConfig(path, text)
}

func readConfig(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	if len(text) > maxConfig {
		return nil, fmt.Errorf("reading the configuration: %s is larger than %d KB", path, maxConfig>>10)
	}
	return text, nil
}

func parseConfig(path string, text []byte) (config, error) {
	c := defaults(path)
	var in file
	dec := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return c, tomlError(path, err)
	}
	if in.Name != nil {
		c.Name = setting[string]{*in.Name, path}
	}
	if in.Role != nil {
		c.Role = setting[string]{*in.Role, path}
	}
	if in.MaxInject != nil {
		c.MaxInject = setting[int]{*in.MaxInject, path}
	}
	maps.Copy(c.Aliases, in.Aliases)
	return c, c.check()
}

func (c config) check() error {
	if n := c.MaxInject.Value; n < 0 || n > mostInject {
		return fmt.Errorf("%s: max_inject is %d; it must be from 0 (nothing) to %d", c.Path, n, mostInject)
	}
	if strings.TrimSpace(c.Role.Value) == "" {
		return hint(fmt.Errorf("%s: role is empty", c.Path), "remove the line for the default, %q", defaultRole)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Aliases)) {
		seen := map[string]bool{name: true}
		for next, ok := c.Aliases[name]; ok; next, ok = c.Aliases[next] {
			if next == "" || seen[next] {
				return fmt.Errorf("%s: the alias %q leads in a circle or to nothing", c.Path, name)
			}
			seen[next] = true
		}
	}
	return nil
}

// tomlError says where in the file, and for an unknown key which one was
// probably meant.
func tomlError(path string, err error) error {
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) && len(missing.Errors) > 0 {
		first := missing.Errors[0]
		key := strings.Join(first.Key(), ".")
		row, _ := first.Position()
		return hint(fmt.Errorf("%s:%d: unknown key %q", path, row, key),
			"did you mean %s? The keys are %s", nearest(key, configKeys), strings.Join(configKeys, ", "))
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		row, col := bad.Position()
		return fmt.Errorf("%s:%d:%d: %v", path, row, col, bad)
	}
	return fmt.Errorf("%s: %v", path, err)
}

// canonical follows the aliases of a project name.
func (c config) canonical(project string) string {
	for range len(c.Aliases) {
		next, ok := c.Aliases[project]
		if !ok {
			break
		}
		project = next
	}
	return project
}

// replaceFile writes a file of which nobody ever sees half. A symbolic link
// stays one: people keep their configuration in a repository of dotfiles.
func replaceFile(path string, text []byte) (err error) {
	path = realPath(path)
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if _, err := tmp.Write(text); err != nil {
		return err
	}
	if err := tmp.Chmod(mode); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// nearest is the word of a list with the fewest changes to what was typed.
func nearest(typed string, words []string) string {
	best, least := "", 1<<30
	for _, w := range words {
		if d := distance(typed, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance is Levenshtein's.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diag := row[0]
		row[0] = i + 1
		for j, s := range y {
			cost := diag
			if r != s {
				cost++
			}
			diag, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
