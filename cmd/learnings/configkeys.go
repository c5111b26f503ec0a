package main

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"

	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/extractor/rules"
)

// A configKey is one key of config.toml: what it is called, what it may be and
// where its value is kept.
type configKey struct {
	name      string // dotted
	doc       string // one sentence
	byDefault func(*config)
	set       func(c *config, value any, source string) error // says what the value must be, without naming the key
	get       func(*config) (value any, source string)
}

// configKeys are all of them but [aliases], in the order in which they are
// shown.
var configKeys = []configKey{
	textKey("name", "who decides, as the record has it; by default the system's user", "", anyText, func(c *config) *setting[string] { return &c.Name }),
	textKey("role", "of sessions whose transcript names none", defaultRole, someText, func(c *config) *setting[string] { return &c.Role }),

	flagKey("learning.enabled", "whether hooks and watch propose lessons by themselves", true, func(c *config) *setting[bool] { return &c.Learning.Enabled }),
	textKey("learning.backend", `where lessons are kept; "file" is all there is`, "file", fileBackend, func(c *config) *setting[string] { return &c.Learning.Backend }),
	wholeKey("learning.max_inject", "lessons that a session is given at most; 0 gives none", defaultMaxInject, 0, mostInject, func(c *config) *setting[int] { return &c.Learning.MaxInject }),
	wholeKey("learning.min_messages_for_intermediate", "messages of a person before a compaction is a reason to extract", 3, 0, 10000, func(c *config) *setting[int] { return &c.Learning.MinMessages }),
	wholeKey("learning.min_message_length", "characters below which a message teaches the rules nothing; wide ones count twice", 10, 0, 10000, func(c *config) *setting[int] { return &c.Learning.MinMessageLength }),
	wholeKey("learning.max_per_turn", "lessons that the rules propose of one message at most", 3, 1, 100, func(c *config) *setting[int] { return &c.Learning.MaxPerTurn }),
	wholeKey("learning.min_transcript_chars", "characters, of all that was said and done, below which a session that nobody names is left until it has grown", 1000, 0, 1_000_000, func(c *config) *setting[int] { return &c.Learning.MinChars }),
	amountKey("learning.min_confidence", "below which nothing is proposed; by default 0.47 by the rules and 0.75 by a model", rules.DefaultMinConfidence, 0.01, 1, func(c *config) *setting[float64] { return &c.Learning.MinConfidence }),

	textKey("learning.model", `"provider:name" of the model that extract asks instead of the rules`, rulesModel, aModel, func(c *config) *setting[string] { return &c.Learning.Model }),
	flagKey("learning.model_in_background", "whether hooks and watch ask that model too", false, func(c *config) *setting[bool] { return &c.Learning.ModelInBackground }),
	wordsKey("learning.command", `program and arguments of the model "command"`, func(c *config) *setting[[]string] { return &c.Learning.Command }),
	textKey("learning.base_url", "address of the server of learning.model, if not the provider's own", "", httpURL, func(c *config) *setting[string] { return &c.Learning.BaseURL }),
	wholeKey("learning.timeout", "seconds that one call of a model may take with its retries", 300, 1, 86400, func(c *config) *setting[int] { return &c.Learning.Timeout }),
	wholeKey("learning.budget", "tokens of a session that a model is sent at most", model.DefaultBudget, leastBudget, 1_000_000, func(c *config) *setting[int] { return &c.Learning.Budget }),
	wholeKey("learning.max_lessons", "lessons that a model is asked for in one session at most", model.DefaultMaxLessons, 1, 200, func(c *config) *setting[int] { return &c.Learning.MaxLessons }),
	amountKey("learning.max_usd_per_run", "US dollars that one run may cost; 0 sets no ceiling", defaultCeiling, 0, 1e6, func(c *config) *setting[float64] { return &c.Learning.MaxUSDPerRun }),
	amountKey("learning.max_usd_per_month", "US dollars that a calendar month (UTC) may cost; 0 sets no ceiling", 0, 0, 1e6, func(c *config) *setting[float64] { return &c.Learning.MaxUSDPerMonth }),
	amountKey("learning.price_in", "US dollars for a million tokens read, of a model whose price is not known here", 0, 0, 1e6, func(c *config) *setting[float64] { return &c.Learning.PriceIn }),
	amountKey("learning.price_out", "the same for tokens written", 0, 0, 1e6, func(c *config) *setting[float64] { return &c.Learning.PriceOut }),
}

// otherNames are spellings that are accepted beside the usual one.
var otherNames = map[string]string{"max_inject": "learning.max_inject"}

// configTables are the tables; the last two are Octomind's.
var configTables = []string{"aliases", "learning", "learning.store", "learning.retrieve"}

// nearestKey is the key that was probably meant. Right in the wrong table is
// nearer than another word in the right one.
func nearestKey(typed string) string {
	last := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	best, least := "", math.MaxInt
	try := func(name string) {
		if d := min(2*distance(typed, name), 2*distance(last(typed), last(name))+1); d < least {
			best, least = name, d
		}
	}
	for _, k := range configKeys {
		try(k.name)
	}
	try("aliases")
	return best
}

func textKey(name, doc, byDefault string, check func(string) error, at func(*config) *setting[string]) configKey {
	return configKey{
		name: name, doc: doc,
		byDefault: func(c *config) {
			source := "default"
			if name == "name" {
				source = "system"
			}
			*at(c) = setting[string]{byDefault, source}
		},
		set: func(c *config, v any, source string) error {
			s, ok := v.(string)
			if !ok {
				return errors.New("must be a text in quotes")
			}
			if err := check(s); err != nil {
				return err
			}
			*at(c) = setting[string]{s, source}
			return nil
		},
		get: func(c *config) (any, string) { return at(c).Value, at(c).Source },
	}
}

func flagKey(name, doc string, byDefault bool, at func(*config) *setting[bool]) configKey {
	return configKey{
		name: name, doc: doc,
		byDefault: func(c *config) { *at(c) = setting[bool]{byDefault, "default"} },
		set: func(c *config, v any, source string) error {
			b, ok := v.(bool)
			if !ok {
				return errors.New("must be true or false")
			}
			*at(c) = setting[bool]{b, source}
			return nil
		},
		get: func(c *config) (any, string) { return at(c).Value, at(c).Source },
	}
}

func wholeKey(name, doc string, byDefault, least, most int, at func(*config) *setting[int]) configKey {
	return configKey{
		name: name, doc: fmt.Sprintf("%s (%d–%d)", doc, least, most),
		byDefault: func(c *config) { *at(c) = setting[int]{byDefault, "default"} },
		set: func(c *config, v any, source string) error {
			n, ok := v.(int64)
			if !ok {
				return fmt.Errorf("must be a whole number from %d to %d", least, most)
			}
			if n < int64(least) || n > int64(most) {
				return fmt.Errorf("is %d; it must be from %d to %d", n, least, most)
			}
			*at(c) = setting[int]{int(n), source}
			return nil
		},
		get: func(c *config) (any, string) { return at(c).Value, at(c).Source },
	}
}

func amountKey(name, doc string, byDefault, least, most float64, at func(*config) *setting[float64]) configKey {
	return configKey{
		name: name, doc: fmt.Sprintf("%s (%v–%.0f)", doc, least, most),
		byDefault: func(c *config) { *at(c) = setting[float64]{byDefault, "default"} },
		set: func(c *config, v any, source string) error {
			var x float64
			switch v := v.(type) {
			case int64:
				x = float64(v)
			case float64:
				x = v
			default:
				return fmt.Errorf("must be a number from %v to %.0f", least, most)
			}
			if !(x >= least && x <= most) { // also what is no number
				return fmt.Errorf("is %v; it must be from %v to %.0f", x, least, most)
			}
			*at(c) = setting[float64]{x, source}
			return nil
		},
		get: func(c *config) (any, string) { return at(c).Value, at(c).Source },
	}
}

func wordsKey(name, doc string, at func(*config) *setting[[]string]) configKey {
	return configKey{
		name: name, doc: doc,
		byDefault: func(c *config) { *at(c) = setting[[]string]{[]string{}, "default"} },
		set: func(c *config, v any, source string) error {
			must := errors.New(`must be an array of texts, the program first: ["llm", "-m", "small"]`)
			list, ok := v.([]any)
			if !ok || len(list) == 0 {
				return must
			}
			words := make([]string, len(list))
			for i, w := range list {
				if words[i], ok = w.(string); !ok || i == 0 && strings.TrimSpace(words[0]) == "" || strings.ContainsRune(words[i], 0) {
					return must
				}
			}
			*at(c) = setting[[]string]{words, source}
			return nil
		},
		get: func(c *config) (any, string) { return at(c).Value, at(c).Source },
	}
}

func anyText(string) error { return nil }

func someText(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("is empty; remove the line for the default")
	}
	return nil
}

func fileBackend(s string) error {
	if s != "file" {
		return fmt.Errorf(`is %q; only "file" is supported: lessons are kept as files, so remove the line`, s)
	}
	return nil
}

func aModel(s string) error {
	if isRules(s) {
		return nil
	}
	if _, err := llm.ParseModel(s); err != nil {
		return fmt.Errorf("is no model: %w; `learnings models` lists what is at hand", err)
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
