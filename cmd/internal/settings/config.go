// Package settings reads the configuration and finds the program's folders. It gets the
// environment as an argument.
package settings

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
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/lessons/state"
)

// A Setting is a value and where it came from.
type Setting[T any] struct {
	Value  T
	Source string // "default", "system", FILE:LINE, the variable's name or the flag
}

// A Config is the content of config.toml, with defaults for what it leaves out.
type Config struct {
	Path       string
	Name       Setting[string]   // of the person who decides; default: the system's user
	Role       Setting[string]   // of sessions without a role
	TrustEdits Setting[bool]     // give sessions unconfirmed lessons of other programs
	Trust      Setting[[]string] // people whose approvals a sync accepts, besides Name

	TrustPrograms Setting[[]string] // in which a decision counts as the person's
	Aliases       map[string]string
	Publish       map[string]string    // targets: format by file or folder
	Views         map[string]string    // named queries for the desk
	Commands      map[string]string    // of the person, by the key of the desk
	Keys          map[string]KeyChoice // of the desk, by action
	Desk          Desk
	Learning      Learning

	Unconfirmed Trusts // in the file, and without effect before a person confirms it

	Former []string // settings without effect, described for a person
	Broken bool     // the file has an error, so nothing may cost money
}

// Desk is the table [desk]: how the full screen looks.
type Desk struct {
	Theme  Setting[string]
	Glyphs Setting[string]
	Motion Setting[bool]
	Mouse  Setting[bool]

	Clipboard Setting[string]
	Title     Setting[bool]
}

// Learning is the table [learning]. [Keys] describes each key and its values.
type Learning struct {
	Enabled        Setting[bool]
	Backend        Setting[string]
	MaxInject      Setting[int]
	StartTokens    Setting[int]
	Holdout        Setting[float64]
	MinMessages    Setting[int]
	ScriptsAreMine Setting[bool]
	Exclude        Setting[[]string]
	MinChars       Setting[int]
	NotLearned     Setting[[]string]

	Model             Setting[string]
	ModelInBackground Setting[bool]
	Command           Setting[[]string]
	BaseURL           Setting[string]
	Timeout           Setting[int] // seconds
	Budget            Setting[int] // tokens
	MaxUSDPerRun      Setting[float64]
	MaxUSDPerDay      Setting[float64]
	MaxUSDPerMonth    Setting[float64]
	PriceIn           Setting[float64] // US dollars per million tokens
	PriceOut          Setting[float64]

	Store, Retrieve Tool
	Memory          Memory
}

// A Tool is a tool of the memory server, in terms of Octomind's settings.
type Tool struct {
	Name   Setting[string]
	Fields Setting[map[string]string] // the tool's parameter for each of our fields
}

// Memory is the server of the backend "mcp".
type Memory struct {
	Command Setting[[]string]
	URL     Setting[string]
	Headers Setting[map[string]string] // the variable with each header's value
	Timeout Setting[int]               // seconds
	Forget  Setting[string]            // the tool that removes a memory
}

// BackendMCP is the backend that also stores approved lessons in a memory server.
const BackendMCP = "mcp"

// Targets returns what each decision updates: the format of each file and folder, and the
// memory server if it is the backend.
func (c Config) Targets() map[string]string {
	if c.Learning.Backend.Value != BackendMCP {
		return c.Publish
	}
	out := maps.Clone(c.Publish)
	out[BackendMCP] = BackendMCP
	return out
}

const (
	maxConfig        = 1 << 20 // bytes
	DefaultRole      = extractor.DefaultRole
	defaultMaxInject = 5
	mostInject       = 50   // more would not fit any agent's budget
	mostStartTokens  = 2400 // harnesses hide more than 2,500

	// DefaultCeiling is the default limit on the cost of a run, in US dollars: about
	// thirty sessions with a small model.
	DefaultCeiling = 1.00

	// DailyCeiling is the limit that a person is offered for a model that works by itself,
	// in US dollars a day: hundreds of sessions with a small model.
	DailyCeiling = 0.50

	// LeastBudget is the smallest digest, in tokens, that can hold a lesson with its
	// context.
	LeastBudget = 200
)

// Defaults returns the configuration of an empty file at path.
func Defaults(path string) Config {
	c := Config{Path: path, Name: Setting[string]{Source: "system"}, Aliases: map[string]string{}, Publish: map[string]string{}, Views: map[string]string{}, Commands: map[string]string{}, Keys: map[string]KeyChoice{}}
	for _, k := range Keys {
		if k.byDefault != nil {
			k.byDefault(&c)
		}
	}
	return c
}

// Load reads the file at path. An unknown key is an error, because it is usually a typo
// that would silently do nothing. A missing file counts as empty. The Config is valid
// even with an error: wrong keys have their defaults, and all keys do if the file is not
// TOML.
func Load(path string) (Config, error) {
	text, err := read(path)
	if err != nil {
		c := Defaults(path)
		c.Broken = true
		c.excludeAll()
		return c, err
	}
	return parse(path, text)
}

// maySetExclude reports whether a file, which may not be valid TOML, may set
// learning.exclude.
func maySetExclude(text []byte) bool {
	for line := range bytes.Lines(text) {
		code, _, _ := bytes.Cut(line, []byte("#"))
		if bytes.Contains(code, []byte("exclude")) {
			return true
		}
	}
	return false
}

// excludeAll excludes everything, for a file that cannot be parsed: a typo must not make
// excluded sessions readable.
func (c *Config) excludeAll() { c.Learning.Exclude = Setting[[]string]{[]string{"*"}, c.Path} }

// read reads a settings file; a missing one is empty.
func read(path string) (text []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("reading the configuration: %w", err)
		}
	}()
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // opening a pipe would block
		return nil, term.Hint(fmt.Errorf("%s is not a regular file", path), "put a file of text in its place, or nothing: without one the defaults hold")
	case info.Size() > maxConfig:
		return nil, fmt.Errorf("%s is larger than %d KB", path, maxConfig>>10)
	}
	return os.ReadFile(path)
}

func parse(path string, text []byte) (Config, error) {
	c := Defaults(path)
	found, err := readTOML(path, text)
	if err == nil {
		err = errors.Join(c.set(found), c.check())
	}
	if c.Broken = err != nil; c.Broken && maySetExclude(text) && c.Learning.Exclude.Source == "default" {
		c.excludeAll()
	}
	return c, term.Hint(err, "`learnings config` lists the keys and what holds; `learnings config --edit` opens the file")
}

// check finds conflicts between keys that are valid on their own.
func (c Config) check() error {
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
	if len(l.Memory.Command.Value) > 0 && l.Memory.URL.Value != "" {
		say("learning.mcp.command and learning.mcp.url are two servers; leave one of them out")
	}
	m, err := llm.ParseModel(l.Model.Value)
	switch {
	case l.ModelInBackground.Value && IsRules(l.Model.Value):
		say("learning.model_in_background needs a learning.model")
	case l.ModelInBackground.Value && l.MaxUSDPerMonth.Value == 0 && l.MaxUSDPerDay.Value == 0 && !(err == nil && isFree(m)):
		say("learning.model_in_background asks a model that may cost: set learning.max_usd_per_day or learning.max_usd_per_month")
	case m.Provider == llm.Custom && len(l.Command.Value) == 0:
		say("learning.model is %q: set learning.command to the program and its arguments", m)
	}
	if (l.PriceIn.Source == "default") != (l.PriceOut.Source == "default") {
		say("learning.price_in and learning.price_out go together")
	}
	return errors.Join(errs...)
}

// Rules names the rules in place of a model.
const Rules = "rules"

// IsRules reports whether a model's name means the rules.
func IsRules(model string) bool { return model == "" || model == Rules }

// isFree reports whether a model runs on the person's own machine.
func isFree(m llm.Model) bool {
	price, known := llm.PriceOf(m)
	return known && price == llm.Price{}
}

// Background returns the model that hooks, watch and the worker may ask by themselves, or
// "" for the rules.
func (c Config) Background() string {
	if c.Broken || !c.Learning.ModelInBackground.Value || IsRules(c.Learning.Model.Value) {
		return ""
	}
	return c.Learning.Model.Value
}

// Heed applies environment variables that override settings.
func (c *Config) Heed(getenv func(string) string) {
	m, err := llm.ParseModel(c.Learning.Model.Value)
	if err != nil {
		return
	}
	if name := BaseVariables[m.Provider]; name != "" && getenv(name) != "" {
		c.Learning.BaseURL = Setting[string]{getenv(name), name}
	}
}

// BaseVariables are the environment variables with the address of a provider's server.
var BaseVariables = map[llm.Provider]string{llm.Anthropic: "ANTHROPIC_BASE_URL", llm.OpenAI: "OPENAI_BASE_URL"}

// Canonical resolves the aliases of a project name.
func (c Config) Canonical(project string) string {
	for range len(c.Aliases) {
		next, ok := c.Aliases[project]
		if !ok {
			break
		}
		project = next
	}
	return project
}

// ReplaceFile writes a file atomically. It follows a symbolic link, because people keep
// their configuration in a repository of dotfiles.
func ReplaceFile(path string, text []byte) error {
	path = RealPath(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return state.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Model returns the configuration of a model: its server, timeout and monthly limit. Keys
// only come from the environment.
func (c Config) Model(m llm.Model, getenv func(string) string) (model.Config, error) {
	l := c.Learning
	base, err := l.server(m, getenv)
	if err != nil {
		return model.Config{}, err
	}
	out := model.Config{
		LLM: llm.Config{
			Model: m, BaseURL: base, Command: l.Command.Value, Timeout: time.Duration(l.Timeout.Value) * time.Second,
			Key: llm.Secret(getenv(m.Provider.KeyVariable())), AuthToken: llm.Secret(getenv("ANTHROPIC_AUTH_TOKEN")),
		},
		PerDay: l.MaxUSDPerDay.Value, PerMonth: l.MaxUSDPerMonth.Value,
	}
	if l.PriceIn.Source != "default" && l.sameProvider(m) {
		out.Price = &llm.Price{In: l.PriceIn.Value, Out: l.PriceOut.Value, CacheRead: l.PriceIn.Value, CacheWrite: l.PriceIn.Value}
	}
	return out, nil
}

// Chosen returns the configuration of the chosen model, with overrides from the
// environment; nil for the rules or on an error.
func (c Config) Chosen(getenv func(string) string) (*llm.Config, error) {
	c.Heed(getenv)
	if IsRules(c.Learning.Model.Value) {
		return nil, nil
	}
	m, err := llm.ParseModel(c.Learning.Model.Value)
	if err != nil {
		return nil, err
	}
	how, err := c.Model(m, getenv)
	return &how.LLM, err
}

// Agree records in the file at path which model may read sessions by itself from now on,
// up to a ceiling a day; [Rules] for none. It asks nobody: call it when the person has
// answered. A model whose price is not known, and that does not tell what it costs,
// counts as the dearest one that is known, so that the ceiling holds.
func Agree(path, name string, perDay float64) error {
	if IsRules(name) {
		return SetAll(path, "learning", Entry{"model", Rules}, Entry{"model_in_background", false})
	}
	m, err := llm.ParseModel(name)
	if err != nil {
		return err
	}
	entries := []Entry{{"model", m.String()}, {"model_in_background", true}}
	if !isFree(m) {
		entries = append(entries, Entry{"max_usd_per_day", perDay})
	}
	c, err := Load(path)
	if err != nil {
		return err
	}
	if _, known := llm.PriceOf(m); !known && m.Provider != llm.Claude && c.Learning.PriceIn.Source == "default" {
		dear := llm.Dearest()
		entries = append(entries, Entry{"price_in", dear.In}, Entry{"price_out", dear.Out})
	}
	return SetAll(path, "learning", entries...)
}

// Answered reports whether the person has said which model, or none, may read sessions.
func (c Config) Answered() bool { return c.Learning.Model.Source != "default" }

// AtHand returns the usable models of those found in the order for a person: the
// configured one, then the others.
func (c Config) AtHand(found []llm.Candidate) []llm.Candidate {
	if name := c.Learning.Model.Value; !IsRules(name) {
		found = append([]llm.Candidate{{Model: name, Where: "learning.model", Costs: true}}, found...)
	}
	var out []llm.Candidate
	for _, m := range found {
		if m.Model != "" && !slices.ContainsFunc(out, func(o llm.Candidate) bool { return o.Model == m.Model }) {
			out = append(out, m)
		}
	}
	return out
}

// server returns the address of a model's server, or "" for the provider's own. The
// configured address belongs to the configured model. If no model is configured it
// returns an error: sessions meant for another server must not go to the provider's.
func (l Learning) server(m llm.Model, getenv func(string) string) (string, error) {
	if name := BaseVariables[m.Provider]; name != "" && getenv(name) != "" {
		return getenv(name), nil
	}
	if l.sameProvider(m) {
		return l.BaseURL.Value, nil
	}
	if _, err := llm.ParseModel(l.Model.Value); err != nil && l.BaseURL.Value != "" && m.Provider.KeyVariable() != "" {
		return "", term.Hint(fmt.Errorf("learning.base_url (%s) is the address of the model of learning.model, which is %q: it is not said whether %s is to be asked there", l.BaseURL.Source, l.Model.Value, m),
			"set learning.model = %q beside it, or remove it", m)
	}
	return "", nil
}

// sameProvider reports whether the configured model has the provider of m.
func (l Learning) sameProvider(m llm.Model) bool {
	c, err := llm.ParseModel(l.Model.Value)
	return err == nil && c.Provider == m.Provider
}
