package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/term"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/lessons"
)

// A Key is one key of config.toml: its name, its valid values, and its field in [Config].
type Key struct {
	Name      string // dotted
	Doc       string // one sentence
	byDefault func(*Config)
	set       func(c *Config, value any, source string) error // errors describe valid values, without naming the key
	Get       func(*Config) (value any, source string)
}

// Keys are all keys except those of [aliases], in display order. Do not modify it.
var Keys = []Key{
	textKey("name", "who decides, as the record has it; by default the system's user", "", anyText, func(c *Config) *Setting[string] { return &c.Name }),
	textKey("role", "of sessions whose transcript names none", DefaultRole, someText, func(c *Config) *Setting[string] { return &c.Role }),

	flagKey("trust_edits", "whether lessons that an editor, git or another program has written are given to sessions before you confirm them", false, func(c *Config) *Setting[bool] { return &c.TrustEdits }),
	namesKey("trust_programs", "programs, by name or path, in which what is decided counts as yours at once, beside terminals, logins and editors of the system's, such as [\"zellij\"]; \"*\" is every program, for a machine without people", func(c *Config) *Setting[[]string] { return &c.TrustPrograms }),
	namesKey("sync.trust", "keys of machines whose approvals count here when `sync` or `import team` takes them in, each with a name after it if you like; what no such key has signed arrives as a proposal", func(c *Config) *Setting[[]string] { return &c.Trust }),

	textKey("desk.theme", "how the review desk looks: auto (by the terminal's background), dark, light, contrast, none (no colour) or terminal (its sixteen colours); NO_COLOR means none", "auto", oneOf("auto", "dark", "light", "contrast", "none", "terminal"), func(c *Config) *Setting[string] { return &c.Desk.Theme }),
	textKey("desk.glyphs", `the signs of the desk: "unicode", or "ascii" for a terminal or font without them`, "unicode", oneOf("unicode", "ascii"), func(c *Config) *Setting[string] { return &c.Desk.Glyphs }),
	flagKey("desk.motion", "whether what is under way turns on the desk; a word stands for it otherwise", true, func(c *Config) *Setting[bool] { return &c.Desk.Motion }),
	flagKey("desk.mouse", "whether the desk takes the mouse: the wheel scrolls and a click chooses; `M` turns it off and on", true, func(c *Config) *Setting[bool] { return &c.Desk.Mouse }),

	textKey("desk.clipboard", "how the desk copies: auto (by the terminal, OSC 52, and by the system's own or tmux), terminal alone, or none", "auto", oneOf("auto", "terminal", "none"), func(c *Config) *Setting[string] { return &c.Desk.Clipboard }),
	flagKey("desk.title", "whether the desk sets the title of the window, and the progress bar of terminals that have one (OSC 9;4)", true, func(c *Config) *Setting[bool] { return &c.Desk.Title }),

	flagKey("learning.enabled", "whether hooks and watch propose lessons by themselves", true, func(c *Config) *Setting[bool] { return &c.Learning.Enabled }),
	textKey("learning.backend", `"file", or "mcp" to store what you approve in the memory server of learning.mcp too`, "file", oneOf("file", BackendMCP), func(c *Config) *Setting[string] { return &c.Learning.Backend }),
	wholeKey("learning.max_inject", "lessons that a prompt or an error brings at most; 0 gives none, also at the start", defaultMaxInject, 0, mostInject, func(c *Config) *Setting[int] { return &c.Learning.MaxInject }),
	wholeKey("learning.start_tokens", "tokens of the rules that a session starts with", hook.StartTokens, 100, mostStartTokens, func(c *Config) *Setting[int] { return &c.Learning.StartTokens }),
	amountKey("learning.holdout", "the share of sessions that do not get a lesson they would be given, so that `stats outcomes` can compare, such as 0.1; pinned ones are always given", 0, 0, 1, func(c *Config) *Setting[float64] { return &c.Learning.Holdout }),
	wholeKey("learning.min_messages_for_intermediate", "messages of a person before a compaction is a reason to extract", 3, 0, 10000, func(c *Config) *Setting[int] { return &c.Learning.MinMessages }),
	patternsKey("learning.exclude", "sessions that are never read: names of projects, and folders in which sessions began or transcripts lie; with * and ?", func(c *Config) *Setting[[]string] { return &c.Learning.Exclude }),
	flagKey("learning.scripts_are_mine", "whether prompts that a program gives (claude -p, codex exec) count as the person's words", false, func(c *Config) *Setting[bool] { return &c.Learning.ScriptsAreMine }),
	wholeKey("learning.min_transcript_chars", "characters, of all that was said and done, below which a session that nobody names is left until it has grown", 1000, 0, 1_000_000, func(c *Config) *Setting[int] { return &c.Learning.MinChars }),
	namesKey("learning.not_learned", "habits in rejecting, as `stats --extraction` names them, that are not to move proposals to maybe", func(c *Config) *Setting[[]string] { return &c.Learning.NotLearned }),

	textKey("learning.model", `"provider:name" of the model that extract and the desk ask instead of the rules; "rules" for none`, Rules, aModel, func(c *Config) *Setting[string] { return &c.Learning.Model }),
	flagKey("learning.model_in_background", "whether hooks and watch ask that model too", false, func(c *Config) *Setting[bool] { return &c.Learning.ModelInBackground }),
	commandKey("learning.command", `program and arguments of the model "command"`, func(c *Config) *Setting[[]string] { return &c.Learning.Command }),
	textKey("learning.base_url", "address of the server of learning.model, if not the provider's own", "", httpURL, func(c *Config) *Setting[string] { return &c.Learning.BaseURL }),
	wholeKey("learning.timeout", "seconds that one call of a model may take with its retries", 300, 1, 86400, func(c *Config) *Setting[int] { return &c.Learning.Timeout }),
	wholeKey("learning.budget", "tokens that a model is sent in one call at most, of one session or of several short ones", model.DefaultBudget, LeastBudget, 1_000_000, func(c *Config) *Setting[int] { return &c.Learning.Budget }),
	amountKey("learning.max_usd_per_run", "US dollars that one run may cost; 0 sets no ceiling", DefaultCeiling, 0, 1e6, func(c *Config) *Setting[float64] { return &c.Learning.MaxUSDPerRun }),
	amountKey("learning.max_usd_per_day", "US dollars that a day (UTC) may cost; 0 sets no ceiling", 0, 0, 1e6, func(c *Config) *Setting[float64] { return &c.Learning.MaxUSDPerDay }),
	amountKey("learning.max_usd_per_month", "US dollars that a calendar month (UTC) may cost; 0 sets no ceiling", 0, 0, 1e6, func(c *Config) *Setting[float64] { return &c.Learning.MaxUSDPerMonth }),
	amountKey("learning.price_in", "US dollars for a million tokens read, of a model whose price is not known here", 0, 0, 1e6, func(c *Config) *Setting[float64] { return &c.Learning.PriceIn }),
	amountKey("learning.price_out", "the same for tokens written", 0, 0, 1e6, func(c *Config) *Setting[float64] { return &c.Learning.PriceOut }),

	textKey("learning.store.tool", `the tool of the memory server that stores, such as "memorize"`, "", anyText, func(c *Config) *Setting[string] { return &c.Learning.Store.Name }),
	tableKey("learning.store.field_map", "its parameter for each of content, title, memory_type, importance, confidence, tags, source, role, project, scope, global and created; what is missing is not sent", func(c *Config) *Setting[map[string]string] { return &c.Learning.Store.Fields }),
	textKey("learning.retrieve.tool", `the tool of the memory server that is asked, such as "remember"`, "", anyText, func(c *Config) *Setting[string] { return &c.Learning.Retrieve.Name }),
	tableKey("learning.retrieve.field_map", "its parameter for each of query, role, project, scope, limit and memory_type", func(c *Config) *Setting[map[string]string] { return &c.Learning.Retrieve.Fields }),
	commandKey("learning.mcp.command", "program and arguments of the memory server, as in [\"octobrain\", \"mcp\"]", func(c *Config) *Setting[[]string] { return &c.Learning.Memory.Command }),
	textKey("learning.mcp.url", "address of the memory server, if it is not a program to be run", "", httpURL, func(c *Config) *Setting[string] { return &c.Learning.Memory.URL }),
	tableKey("learning.mcp.headers", "headers for that address, each with the name of the environment variable that holds all of its value", func(c *Config) *Setting[map[string]string] { return &c.Learning.Memory.Headers }),
	wholeKey("learning.mcp.timeout", "seconds that the memory server may take for an answer", 30, 1, 3600, func(c *Config) *Setting[int] { return &c.Learning.Memory.Timeout }),
	textKey("learning.mcp.forget", `the tool of the memory server that takes a memory out by its memory_id, such as "forget"; without one nothing is taken out there`, "", anyText, func(c *Config) *Setting[string] { return &c.Learning.Memory.Forget }),
}

// otherNames are accepted alternative spellings.
var otherNames = map[string]string{"max_inject": "learning.max_inject", "holdout": "learning.holdout"}

// former maps keys of earlier versions to their replacements.
var former = map[string]string{
	"embedding":           "lessons are found by the word vectors that are built in",
	"learning.ask_at_end": "what you teach an agent is proposed when its session has ended",
	"learning.rule_packs": "the rules that are built in propose what those of Gimli did",

	"learning.chosen_model": "the desk asks once which model may read, and keeps it as learning.model",

	"keys.hold": "esc stops an extraction, and X goes on later",

	"learning.min_message_length": "messages below 10 characters teach the rules nothing",
	"learning.max_per_turn":       "the rules propose at most 3 lessons of one message",
	"learning.praise":             "the rules also propose what a person praised, as maybe",
	"learning.min_confidence":     "the rules propose what is sure enough by their own measure",
	"learning.min_level":          "a model has to be clear about what it proposes",
	"learning.max_lessons":        "a model is asked for at most 15 lessons of one session",
}

// tables are the tables of config.toml.
var tables = append([]string{"keys", "sync", "desk", "learning", "learning.store", "learning.retrieve", "learning.mcp"}, textTables...)

// Unknown says that there is no such key, and which one was probably meant; nil for a
// table. The right name in the wrong table is nearer than another name in the right one.
func Unknown(typed string) error {
	if slices.Contains(tables, typed) {
		return nil
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	names := append([]string{"keys"}, textTables...)
	for _, k := range Keys {
		names = append(names, k.Name)
	}
	far := func(name string) int {
		return min(2*lessons.Distance(typed, name), 2*lessons.Distance(last(typed), last(name))+1)
	}
	near := slices.MinFunc(names, func(a, b string) int { return far(a) - far(b) })
	if far(near) > len(last(typed)) {
		return fmt.Errorf("unknown key %q", typed)
	}
	return fmt.Errorf("unknown key %q; did you mean %s?", typed, near)
}

// errMust means that a list's value is not what the key's text must says.
var errMust = errors.New("must")

// newKey makes a key of type T. must describes its valid values; check returns what is
// wrong with one.
func newKey[T any](name, doc, must string, byDefault T, check func(T) error, at func(*Config) *Setting[T]) Key {
	source := "default"
	if name == "name" {
		source = "system"
	}
	return Key{
		Name: name, Doc: doc,
		byDefault: func(c *Config) { *at(c) = Setting[T]{byDefault, source} },
		set: func(c *Config, value any, source string) error {
			v, ok := convert[T](value)
			if ok {
				if err := check(v); !errors.Is(err, errMust) {
					if err == nil {
						*at(c) = Setting[T]{v, source}
					}
					return err
				}
			}
			return errors.New("must be " + must)
		},
		Get: func(c *Config) (any, string) { return at(c).Value, at(c).Source },
	}
}

// convert converts a value of the TOML decoder to T.
func convert[T any](v any) (out T, ok bool) {
	switch to := any(&out).(type) {
	case *int:
		n, whole := v.(int64)
		*to, ok = int(n), whole
	case *float64:
		if n, whole := v.(int64); whole {
			v = float64(n)
		}
		*to, ok = v.(float64)
	case *[]string:
		var list []any
		list, ok = v.([]any)
		*to = make([]string, len(list))
		for i, w := range list {
			text, is := w.(string)
			(*to)[i], ok = text, ok && is
		}
	case *map[string]string:
		var table map[string]any
		table, ok = v.(map[string]any)
		*to = map[string]string{}
		for k, w := range table {
			text, is := w.(string)
			(*to)[k], ok = text, ok && is
		}
	default: // string or bool
		out, ok = v.(T)
	}
	return out, ok
}

func textKey(name, doc, byDefault string, check func(string) error, at func(*Config) *Setting[string]) Key {
	return newKey(name, doc, "a text in quotes", byDefault, check, at)
}

func flagKey(name, doc string, byDefault bool, at func(*Config) *Setting[bool]) Key {
	return newKey(name, doc, "true or false", byDefault, func(bool) error { return nil }, at)
}

func wholeKey(name, doc string, byDefault, least, most int, at func(*Config) *Setting[int]) Key {
	return numberKey(name, doc, "a whole number", byDefault, least, most, at)
}

func amountKey(name, doc string, byDefault, least, most float64, at func(*Config) *Setting[float64]) Key {
	return numberKey(name, doc, "a number", byDefault, least, most, at)
}

func numberKey[T int | float64](name, doc, what string, byDefault, least, most T, at func(*Config) *Setting[T]) Key {
	return newKey(name, fmt.Sprintf("%s (%s–%s)", doc, TOML(least), TOML(most)), fmt.Sprintf("%s from %s to %s", what, TOML(least), TOML(most)), byDefault, func(n T) error {
		if n >= least && n <= most {
			return nil
		}
		return fmt.Errorf("is %s; it must be from %s to %s", TOML(n), TOML(least), TOML(most)) // NaN too
	}, at)
}

// listKey makes a key for a list of strings; fine checks each.
func listKey(name, doc, must string, at func(*Config) *Setting[[]string], fine func(s string) bool) Key {
	return newKey(name, doc, "an array of "+must, []string{}, func(list []string) error {
		for _, s := range list {
			if !fine(s) {
				return errMust
			}
		}
		return nil
	}, at)
}

func commandKey(name, doc string, at func(*Config) *Setting[[]string]) Key {
	return newKey(name, doc, `an array of texts, the program first: ["llm", "-m", "small"]`, []string{}, func(list []string) error {
		if len(list) == 0 || strings.TrimSpace(list[0]) == "" || strings.ContainsRune(strings.Join(list, ""), 0) {
			return errMust
		}
		return nil
	}, at)
}

func namesKey(name, doc string, at func(*Config) *Setting[[]string]) Key {
	return listKey(name, doc, `names: ["ada", "bob"]`, at, func(s string) bool { return strings.TrimSpace(s) != "" })
}

func patternsKey(name, doc string, at func(*Config) *Setting[[]string]) Key {
	return listKey(name, doc, `projects and folders: ["diary", "~/clients/*"]`, at, func(s string) bool {
		_, err := path.Match(s, "")
		return strings.TrimSpace(s) != "" && err == nil
	})
}

func tableKey(name, doc string, at func(*Config) *Setting[map[string]string]) Key {
	return newKey(name, doc, `a table of texts: { content = "text" }`, map[string]string{}, func(map[string]string) error { return nil }, at)
}

func anyText(string) error { return nil }

func someText(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("is empty; remove the line for the default")
	}
	return nil
}

// oneOf returns a check for one of these values.
func oneOf(values ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(values, s) {
			return nil
		}
		return fmt.Errorf("is %q; it must be %s", s, strings.Join(values, ", "))
	}
}

func aModel(s string) error {
	if IsRules(s) {
		return nil
	}
	if _, err := llm.ParseModel(s); err != nil {
		return fmt.Errorf("is no model: %w; `learnings stats models` lists what is at hand", err)
	}
	return nil
}

func httpURL(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return errors.New("must be an http address without a key in it, as in http://localhost:11434/v1")
	}
	return nil
}

// A KeyChoice is the keys chosen for an action of the desk, and where they are set.
type KeyChoice = struct {
	Keys  []string
	Place string
}

// takeKey reads one entry of [keys]. Only the desk knows which actions and keys exist.
func (c *Config) takeKey(e entry) error {
	list, ok := e.value.([]any)
	if one, text := e.value.(string); text {
		list, ok = []any{one}, true
	}
	choice := KeyChoice{Place: fmt.Sprintf("%s:%d", c.Path, e.line)}
	for _, v := range list {
		k, text := v.(string)
		ok = ok && text
		choice.Keys = append(choice.Keys, k)
	}
	if !ok {
		return fmt.Errorf(`keys.%s must be a key in quotes, or an array of such: ["U", "ctrl+y"]`, e.path[1])
	}
	c.Keys[e.path[1]] = choice
	return nil
}

// Misfits joins errors in the desk's keys and adds a hint.
func Misfits(errs []error) error {
	return term.Hint(errors.Join(errs...), "`learnings help config` lists the actions and their keys; what is wrong has its own key meanwhile")
}

// A DeskAction is a verb in the palette of the desk.
type DeskAction struct {
	Name, About string
	Off         string
	Do          func(context.Context) (string, error)
}

// DeskActions returns the verbs that need no screen. Each runs as its own process and
// returns its output.
func DeskActions(p Places, sample bool) []DeskAction {
	verb := func(about, off string, args ...string) DeskAction {
		if sample {
			off = "the sample keeps to itself"
		}
		return DeskAction{Name: strings.Join(args, " "), About: about, Off: off, Do: func(ctx context.Context) (string, error) {
			exe, err := os.Executable()
			if err != nil {
				return "", err
			}
			text, err := exec.CommandContext(ctx, exe, args...).CombinedOutput()
			said := strings.TrimSpace(string(text))
			if failed := new(exec.ExitError); errors.As(err, &failed) {
				first, _, _ := strings.Cut(said, "\n")
				return said, errors.New(cmp.Or(first, failed.String()))
			}
			return said, err
		}}
	}
	remote := ""
	if _, err := os.Lstat(filepath.Join(p.Corpus, ".git")); err != nil {
		remote = "no remote is set: `learnings sync init REMOTE`"
	}
	return []DeskAction{
		verb("Makes this corpus and its git remote the same. What others approved comes in as proposals.", remote, "sync"),
		verb("Looks at agents, hooks, index, journal and settings, and says what to type where something is wrong.", "", "doctor"),
		verb("Whether hooks and the worker propose lessons now, and what waits.", "", "status"),
		verb("Every setting with its value, and where that comes from.", "", "config"),
	}
}
