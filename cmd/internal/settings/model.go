package settings

import (
	"fmt"
	"slices"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
)

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
	l := c.Learning
	var out []llm.Candidate
	add := func(m llm.Candidate) {
		known := slices.ContainsFunc(out, func(o llm.Candidate) bool { return o.Model == m.Model })
		if m.Model != "" && !known {
			out = append(out, m)
		}
	}
	if !IsRules(l.Model.Value) {
		add(llm.Candidate{Model: l.Model.Value, Where: "learning.model", Costs: true})
	}
	for _, m := range found {
		add(m)
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
