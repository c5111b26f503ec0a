package report

import (
	"io"

	"learnings/cmd/internal/term"
	"learnings/extractor/model/llm"
)

// Models are models at hand.
type Models []llm.Candidate

func (c Models) Terminal(p *term.Page) {
	p.Line("rules  (built in: no key, no network; the default)")
	for _, m := range c {
		p.Line("%s  (%s%s)", m.Model, m.Where, costs(m))
		if m.Note != "" {
			p.Line("    %s", m.Note)
		}
	}
	if len(c) == 0 {
		p.Line("no key, program or local server of a model was found")
	}
}

func costs(m llm.Candidate) string {
	if m.Costs {
		return "; costs"
	}
	return ""
}

func (c Models) Plain(w io.Writer) {
	term.TSV(w, "rules", "built in", "free", "")
	for _, m := range c {
		price := "free"
		if m.Costs {
			price = "costs"
		}
		term.TSV(w, m.Model, m.Where, price, m.Note)
	}
}

func (c Models) Objects() []any {
	type object struct {
		Model  string   `json:"model"`
		Where  string   `json:"where"`
		Costs  bool     `json:"costs"`
		Note   string   `json:"note,omitempty"`
		Models []string `json:"models,omitempty"`
	}
	out := []any{object{Model: "rules", Where: "built in"}}
	for _, m := range c {
		out = append(out, object(m))
	}
	return out
}
