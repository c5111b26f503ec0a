package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file lets a person have a model propose lessons in place of the rules.
// The rules are:
//
//   - A model is asked only when the person named it, on the command line or as
//     learning.model in the configuration. The configuration alone is enough for
//     `learnings extract`, and for `merge` and `check duplicates` with a bare --model;
//     anything else asks only when learning.model_in_background is set.
//   - A call has a ceiling of cost even when the person gives none.
//   - Keys come from the environment alone and are written nowhere.

// modelOptions say which model to ask, and what for.
type modelOptions struct {
	name    string  // provider:name; "" for the rules
	budget  int     // tokens of a session's digest
	ceiling float64 // US dollars of this run
	show    bool    // print what would be sent, and ask nobody
	yes     bool    // do not ask whether a model of unknown price may be asked
	dry     bool    // remember nothing of what is sent
	quiet   bool    // there is no place for warnings
}

// settle completes what the command line leaves open by the configuration.
func (o *modelOptions) settle(given func(flag string) bool, l settings.Learning) {
	if !given("model") {
		o.name = l.Model.Value
	}
	if settings.IsRules(o.name) {
		o.name = ""
	}
	if !given("budget") {
		o.budget = l.Budget.Value
	}
	if !given("max-usd") {
		o.ceiling = l.MaxUSDPerRun.Value
	}
}

func modelFlags(cmd *cobra.Command, o *modelOptions) {
	cmd.Flags().StringVar(&o.name, "model", "", "ask this model (`provider:name`) instead of the rules, or rules; by default learning.model of the configuration. \"learnings stats models\" lists what is at hand")
	cmd.Flags().IntVar(&o.budget, "budget", model.DefaultBudget, "with --model: tokens that one call sends at most, of one session or of several short ones")
	cmd.Flags().Float64Var(&o.ceiling, "max-usd", settings.DefaultCeiling, "with --model: what this run may cost at most, in US dollars; 0 for no ceiling")
	cmd.Flags().BoolVar(&o.show, "show-prompt", false, "with --model and --dry-run: print what would be sent and what it would cost, and ask nobody")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "with --model: do not ask whether a model of unknown price may be asked")
}

// check says what does not go together.
func (o modelOptions) check(dryRun bool) error {
	switch {
	case o.show && (o.name == "" || !dryRun):
		return term.Usagef("--show-prompt goes with --model and --dry-run")
	case o.budget < settings.LeastBudget:
		return term.Usagef("--budget must be at least %d tokens", settings.LeastBudget)
	case o.ceiling < 0:
		return term.Usagef("--max-usd must not be negative")
	}
	return nil
}

// newAsker makes the proposer that asks a model. What the person has decided on in
// the session's project is told to it, so that it is not proposed again.
func newAsker(a *app, o modelOptions) (*model.Proposer, error) {
	m, err := llm.ParseModel(o.name)
	if err != nil {
		return nil, term.Hint(term.Usagef("--model: %v", err), "`learnings stats models` lists what is at hand")
	}
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	conf, err := a.configuration()
	if err != nil {
		return nil, err
	}
	c, err := conf.Model(m, a.getenv)
	if err != nil {
		return nil, err
	}
	redactor := redact.New()
	c.LLM.Redact, c.Budget, c.PerRun, c.Ledger, c.Run = redactor.Redact, o.budget, o.ceiling, p.Spend(), runName(a)
	c.Sent, c.Dry = filepath.Join(p.State, "sent-1.txt"), o.dry
	return model.New(c, model.Options{
		Redact: redactor.Redact, Known: func(ctx context.Context, s transcript.Session) (model.Known, error) { return decidedOn(ctx, a, s) }, Now: a.now,
		Report: func(s transcript.Session, r model.Result) {
			if o.quiet {
				return
			}
			if r.Partial {
				a.Warn("%s: the answer of the model breaks off after %s, which were taken; `learnings extract --anew --model %s %s` asks again",
					s.ID, term.Plural(r.Proposed, "proposal"), m, s.ID)
			}
			for why, n := range r.Dropped {
				if n > 0 {
					a.Warn("%s: %s of the model left out: %s", s.ID, term.Plural(n, "proposal"), why)
				}
			}
		},
	})
}

// agreedAsker is newAsker for what a person waits for: where no ceiling can be kept
// because nobody knows what the model costs, it asks them.
func agreedAsker(ctx context.Context, a *app, o modelOptions) (*model.Proposer, error) {
	p, err := newAsker(a, o)
	if err != nil || !p.Unpriced() {
		return p, err
	}
	ok := o.yes
	if !ok && a.Interactive() {
		if ok, err = a.Confirm(ctx, fmt.Sprintf("What %s costs is not known here, so no ceiling can be kept. Ask it all the same?", lessons.Line(o.name))); err != nil {
			return nil, err
		}
	}
	if ok {
		p.Agree()
	}
	return p, nil
}

// runName names this run in the ledger of costs, however many models it asks.
func runName(a *app) string {
	if a.run == "" {
		a.run = a.now().UTC().Format("20060102T150405.000")
	}
	return a.run
}

// decidedOn gives the lessons of a session's project that were decided on or wait
// for it. Without an index nothing is known, and proposals are compared later.
func decidedOn(ctx context.Context, a *app, s transcript.Session) (model.Known, error) {
	c, err := a.curated()
	if err != nil {
		return model.Known{}, nil
	}
	counting, rejected := c.Known(ctx, a.project(s.Dir))
	return model.Known{Lessons: counting, Rejected: rejected}, nil
}

// showPrompts prints what would be sent, call by call, and asks nobody.
func showPrompts(ctx context.Context, a *app, o extractOptions, files []transcript.File, marks *extractor.Ledger, opts extractor.Options) error {
	asker, err := newAsker(a, o.model)
	if err != nil {
		return err
	}
	var plan model.Plan
	err = asker.Show(ctx, files, marks, opts, func(c model.Call) error {
		fmt.Fprintf(a.Out, "=== %s: about %d tokens of digest, at most %s\n%s\n", lessons.Line(strings.Join(c.Sessions(), " ")), c.Tokens(), c.Estimate, c.Text())
		return plan.Add(c)
	})
	if err != nil {
		return err
	}
	a.Note("%s, at most %s in %s with %s; nobody was asked", term.Plural(plan.Sessions, "session"), plan.Cost(), term.Plural(plan.Calls, "call"), lessons.Line(o.model.name))
	return nil
}

func newModels(a *app) *cobra.Command {
	var asJSON, spend bool
	cmd := &cobra.Command{
		Use: "models", Short: "List the models at hand that could propose lessons",
		Long: "Models looks for keys in the environment, for claude, codex, gemini and ollama on\n" +
			"the path, for learning.command, and for servers on this machine. None is used\n" +
			"unless `learnings extract --model NAME` or learning.model of the configuration\n" +
			"names it; the built-in rules need none. Prices are those of " + llm.PricesAsOf() + ". With\n" +
			"--spend it shows what was spent, by month and by run.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if spend {
				s, err := readSpent(a)
				if err != nil {
					return err
				}
				return a.Give(s.Answer(), asJSON)
			}
			c, err := a.configuration()
			if err != nil {
				return err
			}
			return a.Give(render.Models(llm.Available(cmd.Context(), llm.Surroundings{Env: a.getenv, LookPath: exec.LookPath, Command: c.Learning.Command.Value})), asJSON)
		},
	}
	cmd.Flags().BoolVar(&spend, "spend", false, "show what models have cost, by month and by run")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// tellSpent says what a run has cost.
func tellSpent(a *app, p *model.Proposer) {
	run, month, err := p.Spent()
	if err != nil {
		a.Warn("what it cost is not known: %v", err)
		return
	}
	if run.Calls == 0 && month.Calls == 0 {
		return
	}
	cost := func(t llm.Total) string {
		if t.Calls == 0 {
			return "nothing"
		}
		return t.Cost.String()
	}
	a.Note("%s: %s, %s; this month %s", lessons.Line(p.Name()), term.Plural(run.Calls, "call"), cost(run), cost(month))
}

// ceilingHint says what to do about a call that was not made.
func ceilingHint(err error) error {
	switch {
	case errors.Is(err, llm.ErrUnpriced):
		return term.Hint(err, "`learnings extract --yes` asks it all the same; or set learning.price_in and learning.price_out in the configuration, or go without ceilings: --max-usd 0, and no learning.max_usd_per_month")
	case errors.Is(err, llm.ErrCeiling):
		return term.Hint(err, "--max-usd (or learning.max_usd_per_run) is the ceiling of a run, learning.max_usd_per_month that of a month; `learnings stats models --spend` shows what was spent")
	}
	return err
}
