package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/model/llm"
)

// A setting is a value and where it came from, so that whoever wonders about
// one can be told.
type setting[T any] struct {
	Value  T
	Source string // "default", "system", FILE:LINE, the variable's name or the flag
}

// A config is what config.toml says. A missing file is all defaults.
type config struct {
	Path     string
	Name     setting[string] // who decides; the system's user by default
	Role     setting[string] // of sessions whose transcript names none
	Aliases  map[string]string
	Learning learning

	broken bool // the file has an error: nothing is asked on its word that costs
}

// A learning is the table of that name. What each key means and may be is in
// [configKeys].
type learning struct {
	Enabled          setting[bool]
	Backend          setting[string]
	MaxInject        setting[int]
	MinMessages      setting[int]
	MinMessageLength setting[int]
	MaxPerTurn       setting[int]
	MinChars         setting[int]
	MinConfidence    setting[float64]

	Model             setting[string]
	ModelInBackground setting[bool]
	Command           setting[[]string]
	BaseURL           setting[string]
	Timeout           setting[int] // seconds
	Budget            setting[int] // tokens
	MaxLessons        setting[int]
	MaxUSDPerRun      setting[float64]
	MaxUSDPerMonth    setting[float64]
	PriceIn           setting[float64] // US dollars for a million tokens
	PriceOut          setting[float64]
}

const (
	maxConfig        = 1 << 20 // bytes
	defaultRole      = extractor.DefaultRole
	defaultMaxInject = 5
	mostInject       = 50 // more would not fit the budget of any agent
)

func defaults(path string) config {
	c := config{Path: path, Name: setting[string]{Source: "system"}, Aliases: map[string]string{}}
	for _, k := range configKeys {
		if k.byDefault != nil {
			k.byDefault(&c)
		}
	}
	return c
}

// loadConfig reads the file strictly: a key that we do not know is an error,
// because it is most often a slip that would silently do nothing. The config
// that comes with an error has the default for each key that is wrong, and for
// all of them when the file is not TOML; a hook goes on with that.
func loadConfig(path string) (config, error) {
	text, err := readConfig(path)
	if err != nil {
		c := defaults(path)
		c.broken = true
		return c, err
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
	found, err := readTOML(path, text)
	if err == nil {
		err = errors.Join(c.take(found), c.check())
	}
	c.broken = err != nil
	return c, term.Hint(err, "`learnings config` lists the keys and what holds; `learnings config --edit` opens the file")
}

// check is for what no key can tell alone.
func (c config) check() error {
	var errs []error
	say := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %s", c.Path, fmt.Sprintf(format, args...)))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Aliases)) {
		seen := map[string]bool{name: true}
		for next, ok := c.Aliases[name]; ok; next, ok = c.Aliases[next] {
			if next == "" || seen[next] {
				say("the alias %q leads in a circle or to nothing", name)
				break
			}
			seen[next] = true
		}
	}
	l := c.Learning
	m, err := llm.ParseModel(l.Model.Value)
	switch {
	case l.ModelInBackground.Value && isRules(l.Model.Value):
		say("learning.model_in_background needs a learning.model")
	case l.ModelInBackground.Value && l.MaxUSDPerMonth.Value == 0 && !(err == nil && isFree(m)):
		say("learning.model_in_background asks a model that may cost: set learning.max_usd_per_month")
	case m.Provider == llm.Custom && len(l.Command.Value) == 0:
		say("learning.model is %q: set learning.command to the program and its arguments", m)
	}
	if (l.PriceIn.Source == "default") != (l.PriceOut.Source == "default") {
		say("learning.price_in and learning.price_out go together")
	}
	return errors.Join(errs...)
}

// rulesModel is the name of the rules where a model can be named.
const rulesModel = "rules"

func isRules(model string) bool { return model == "" || model == rulesModel }

// isFree reports that a model runs on the person's own machine.
func isFree(m llm.Model) bool {
	price, known := llm.PriceOf(m)
	return known && price == llm.Price{}
}

// background is the model that may be asked when nobody does: by a hook, a
// watch or a worker of them. "" is none, and the rules do it.
func (c config) background() string {
	if c.broken || !c.Learning.ModelInBackground.Value || isRules(c.Learning.Model.Value) {
		return ""
	}
	return c.Learning.Model.Value
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

// distance counts the letters that were left out, put in, exchanged or swapped
// with their neighbour (the optimal string alignment distance).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}
