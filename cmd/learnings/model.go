package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

// This file lets a model, in place of the rules, propose lessons and word merges. The
// rules are:
//
//   - A model is asked only when the person named it, on the command line or as
//     learning.model in the configuration. The configuration is enough for
//     `learnings extract`, and for `merge` and `check duplicates` with a bare --model;
//     anything else asks only when learning.model_in_background is set. The person is
//     asked once, by `setup` or the desk, and both are set with a ceiling a day.
//   - Where a configured model cannot be had, the rules read. One that was named on the
//     command line fails.
//   - A run has a cost ceiling even when the person sets none.
//   - Keys come only from the environment and are never written.

// modelOptions say which model to ask and how.
type modelOptions struct {
	flags   verb
	name    string                           // provider:name; "" for the rules
	budget  int                              // tokens of a session's digest
	ceiling float64                          // US dollars of this run
	show    bool                             // print the prompts, and ask no model
	yes     bool                             // ask a model of unknown price without confirmation
	dry     bool                             // record nothing that is sent
	tell    func(format string, args ...any) // prints warnings; nil for none
	lost    func(error)                      // without tell: what the model would not answer
}

// configuredModel is the value of a bare --model.
const configuredModel = "configured"

// model adds the flags of a verb that asks a model only on request.
func (v verb) model(a *app) *modelOptions {
	o := &modelOptions{flags: v, tell: a.Warn}
	v.StringVar(&o.name, "model", "", "ask this model (`provider:name`) for the text; alone: learning.model of the configuration")
	v.Lookup("model").NoOptDefVal = configuredModel
	v.Float64Var(&o.ceiling, "max-usd", settings.DefaultCeiling, "with --model: what this run may cost at most, in US dollars; 0 for no ceiling")
	return o
}

// proposingModel adds the flags of a verb that may ask a model in place of the rules.
func (v verb) proposingModel(a *app) *modelOptions {
	o := v.model(a)
	f := v.Lookup("model")
	f.NoOptDefVal, f.Usage = "", "ask this model (`provider:name`) instead of the rules, or rules; by default learning.model of the configuration. \"learnings stats models\" lists what is at hand"
	v.IntVar(&o.budget, "budget", model.DefaultBudget, "with --model: tokens that one call sends at most, of one session or of several short ones")
	v.BoolVar(&o.show, "show-prompt", false, "with --model and --dry-run: print what would be sent and what it would cost, and ask nobody")
	v.BoolVar(&o.yes, "yes", false, "with --model: do not ask whether a model of unknown price may be asked")
	return o
}

// withModels joins --model and a model after it into one word: pflag would take the value
// of an optional flag for an argument. No id looks like a model.
func withModels(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if args[i] == "--model" && i+1 < len(args) && looksLikeModel(args[i+1]) {
			i++
			out = append(out, "--model="+args[i])
			continue
		}
		out = append(out, args[i])
	}
	return out
}

func looksLikeModel(word string) bool {
	_, err := llm.ParseModel(word)
	return err == nil || word == settings.Rules || strings.Contains(word, ":")
}

// settle fills in options from the settings.
func (o *modelOptions) settle(l settings.Learning) error {
	if !o.flags.Changed("model") || o.name == configuredModel {
		o.name = l.Model.Value
	}
	if settings.IsRules(o.name) {
		o.name = ""
	}
	if o.flags.Lookup("budget") == nil || !o.flags.Changed("budget") {
		o.budget = l.Budget.Value
	}
	if !o.flags.Changed("max-usd") {
		o.ceiling = l.MaxUSDPerRun.Value
	}
	switch {
	case o.show && (o.name == "" || !o.dry):
		return term.Usagef("--show-prompt goes with --model and --dry-run")
	case o.budget < settings.LeastBudget:
		return term.Usagef("--budget must be at least %d tokens", settings.LeastBudget)
	case o.ceiling < 0:
		return term.Usagef("--max-usd must not be negative")
	}
	return nil
}

// pick chooses the model that the person named; without --model, none.
func (o *modelOptions) pick(a *app) error {
	if !o.flags.Changed("model") {
		if o.flags.Changed("max-usd") {
			return term.Usagef("--max-usd goes with --model")
		}
		return nil
	}
	if err := o.settle(a.conf.Learning); err != nil {
		return err
	}
	if o.name == "" {
		return term.Hint(term.Usagef("--model: the rules can write no text, and no other model is named"),
			"name one, as in --model provider:name, or set learning.model in the configuration; `learnings stats models` lists what is at hand")
	}
	return nil
}

// unasked returns the options for the desk, which shows the cost itself, and the worker.
func (a *app) unasked(name string, tell func(format string, args ...any)) *modelOptions {
	l := a.conf.Learning
	return &modelOptions{name: name, budget: l.Budget.Value, ceiling: l.MaxUSDPerRun.Value, tell: tell}
}

// newAsker returns a proposer that asks a model. The model is told the lessons already
// decided on in the session's project, so that it does not propose them again.
func newAsker(a *app, o *modelOptions) (*model.Proposer, error) {
	m, err := llm.ParseModel(o.name)
	if err != nil {
		return nil, term.Hint(term.Usagef("--model: %v", err), "`learnings stats models` lists what is at hand")
	}
	c, err := a.conf.Model(m, a.getenv)
	if err != nil {
		return nil, err
	}
	if a.run == "" { // one run in the cost ledger, however many models are asked
		a.run = a.now().UTC().Format("20060102T150405.000")
	}
	redactor := redact.New()
	var reading sync.Mutex
	known := map[string]model.Known{} // by project; what this run finds is known to the proposer
	c.LLM.Redact, c.Budget, c.PerRun, c.Run, c.State, c.Dry = redactor.Redact, o.budget, o.ceiling, a.run, a.places.State, o.dry
	return model.New(c, model.Options{
		Redact: redactor.Masked, Now: a.now,
		Known: func(ctx context.Context, s transcript.Session) (model.Known, error) {
			reading.Lock()
			defer reading.Unlock()
			project := a.project(s.Dir)
			k, ok := known[project]
			if !ok {
				counting, rejected := a.corpus.Known(ctx, project)
				k = model.Known{Project: project, Lessons: counting, Rejected: rejected}
				known[project] = k
			}
			return k, nil
		},
		Report: func(s transcript.Session, r model.Result) {
			if o.tell == nil {
				if r.GaveUp != nil && o.lost != nil {
					o.lost(fmt.Errorf("%s is read by the rules: %w", s.ID, r.GaveUp))
				}
				return
			}
			if r.GaveUp != nil {
				o.tell("%s: %v; the rules read it instead, and no run pays for it again. `learnings extract --anew --model %s %s` asks once more", s.ID, r.GaveUp, m, s.ID)
			}
			if r.Partial {
				o.tell("%s: the answer of the model breaks off after %s, which were taken; `learnings extract --anew --model %s %s` asks again",
					s.ID, term.Plural(r.Proposed, "proposal"), m, s.ID)
			}
			for why, n := range r.Dropped {
				if n > 0 {
					o.tell("%s: %s of the model left out: %s", s.ID, term.Plural(n, "proposal"), why)
				}
			}
		},
	})
}

// agreedAsker is newAsker for interactive use: when the price is unknown, so that no
// ceiling can hold, it asks the person first.
func agreedAsker(ctx context.Context, a *app, o *modelOptions) (*model.Proposer, error) {
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

// tellSpent prints the cost of a run.
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

// ceilingHint adds a hint to the error of a call that the ceiling prevented.
func ceilingHint(err error) error {
	switch {
	case errors.Is(err, llm.ErrUnpriced):
		return term.Hint(err, "`learnings extract --yes` asks it all the same; or set learning.price_in and learning.price_out in the configuration, or go without ceilings: --max-usd 0, and no learning.max_usd_per_day or learning.max_usd_per_month")
	case errors.Is(err, llm.ErrCeiling):
		return term.Hint(err, "--max-usd (or learning.max_usd_per_run) is the ceiling of a run, learning.max_usd_per_day and learning.max_usd_per_month those of a day and a month; `learnings stats models --spend` shows what was spent")
	}
	return err
}

func newModels(a *app) *cobra.Command {
	v := a.verb("stats models", needsSettings, countArgs(0, 0, ""), "{prices}", llm.PricesAsOf())
	spend := v.Bool("spend", false, "show what models have cost, by month and by run")
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, _ []string) (err error) {
		if !*spend {
			return a.Give(render.Models(found(ctx, a, a.conf)))
		}
		s := &render.Spent{Now: llm.Month(a.now()), Ceiling: a.conf.Learning.MaxUSDPerMonth.Value}
		if s.Months, s.Runs, err = llm.Sums(a.places.State); err != nil {
			return err
		}
		return a.Give(s.Answer())
	})
}

// found returns the models on this machine.
func found(ctx context.Context, a *app, c settings.Config) []llm.Candidate {
	return llm.Available(ctx, llm.Surroundings{Env: a.getenv, LookPath: exec.LookPath, Command: c.Learning.Command.Value})
}

// modelsAtHand returns the models that can be asked, best choice first.
func modelsAtHand(ctx context.Context, a *app) ([]llm.Candidate, error) {
	c, err := settings.Load(a.places.Config) // read again: the desk writes the choice there
	if err != nil {
		return nil, err
	}
	at := c.AtHand(found(ctx, a, c))
	if len(at) == 0 {
		return nil, errors.New("no model is at hand: no key, no program of one, no server on this machine; `learnings stats models` says where it looks")
	}
	return at, nil
}

// A modelRun is a planned question to a model.
type modelRun struct {
	llm.Candidate
	asker *model.Proposer
	files []transcript.File
	marks *extractor.Ledger
	opts  extractor.Options
	plan  model.Plan

	gaveUp atomic.Value // the last error about a session that the model would not read
}

// planRun finds the parts of files that no model has read, and estimates the cost. It
// asks no model.
func planRun(ctx context.Context, a *app, m llm.Candidate, files []transcript.File) (r *modelRun, err error) {
	r = &modelRun{Candidate: m, files: files}
	o := a.unasked(m.Model, nil)
	o.lost = func(err error) { r.gaveUp.Store(err) }
	if r.asker, err = newAsker(a, o); err != nil {
		return nil, err
	}
	if r.marks, err = extractor.OpenModelLedger(a.places.State); err != nil {
		return nil, err
	}
	if r.opts, err = extractorOptions(a, nil); err != nil {
		return nil, err
	}
	return r, r.asker.Show(ctx, r.files, r.marks, r.opts, r.plan.Add)
}

// priceOf describes the cost of asking a model.
func priceOf(m llm.Candidate, cost llm.Cost) string {
	switch {
	case !m.Costs:
		return "free"
	case !cost.Known:
		return "not known here, so no ceiling can be kept"
	}
	return "at most " + cost.String()
}

// hintModel says after a run of the rules which model could read the same sessions, if
// none has, and how to preview its prompts and cost.
func hintModel(ctx context.Context, a *app, command string, files []transcript.File) {
	if a.JSON || !a.Terminals.Out || a.agent() != "" {
		return
	}
	at, err := modelsAtHand(ctx, a)
	marks, unknown := extractor.OpenModelLedger(a.places.State)
	if err != nil || unknown != nil || !slices.ContainsFunc(files, func(f transcript.File) bool { return !marks.Fresh(f) }) {
		return
	}
	a.Note("%s is at hand: `learnings extract --model %[1]s%s --dry-run --show-prompt` says what it would be sent and cost", at[0].Model, command)
	if !a.conf.Answered() {
		a.Note("`learnings setup --model %s` has it read by itself from now on, at most $%.2f a day", at[0].Model, settings.DailyCeiling)
	}
}

// offerModel asks the person, once on each machine, which model may read sessions by
// itself.
func offerModel(ctx context.Context, a *app) error {
	c, err := settings.Load(a.places.Config)
	if err != nil || c.Answered() || !a.Interactive() || a.JSON || a.sample {
		return err
	}
	at := c.AtHand(found(ctx, a, c))
	if len(at) == 0 {
		return nil
	}
	a.Note("\nA model can read your sessions too: the rules alone find a quarter of what you teach, a model most of it.")
	for i, m := range at {
		a.Note("  %d  %s: %s", i+1, lessons.Line(m.Model), lessons.Line(m.Note))
	}
	a.Note("It is sent what you said, what the agent was about to do, and errors with their cures: about 2,900 tokens a session, without secrets;\n"+
		"and at the end of a run the proposals of each project, to compare them.\n"+
		"`learnings extract --model %s --dry-run --show-prompt` shows it. Nothing is sent before you answer.", lessons.Line(at[0].Model))
	answer, err := a.Ask(ctx, fmt.Sprintf("Which one may read them by itself from now on, at most $%.2f a day? [1-%d, n for none, enter: ask me later] ", settings.DailyCeiling, len(at)))
	if errors.Is(err, io.EOF) || err == nil && strings.TrimSpace(answer) == "" {
		return nil
	}
	if err != nil {
		return err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	if answer == "n" || answer == "no" {
		return letRead(a, settings.Rules)
	}
	n, err := strconv.Atoi(answer)
	if err != nil || n < 1 || n > len(at) {
		return term.Hint(term.Usagef("%q is none of them: nothing was chosen", answer), "`learnings setup --model provider:name` chooses one")
	}
	return letRead(a, at[n-1].Model)
}

// chooseModel is letRead for a model that the person typed.
func chooseModel(a *app, name string) error {
	if _, err := llm.ParseModel(name); err != nil && !settings.IsRules(name) {
		return term.Hint(term.Usagef("--model: %v", err), "`learnings stats models` lists what is at hand")
	}
	return letRead(a, name)
}

// letRead records the person's answer, and says what follows from it.
func letRead(a *app, name string) error {
	if err := a.person("let a model read sessions"); err != nil {
		return err
	}
	if err := settings.Agree(a.places.Config, name, settings.DailyCeiling); err != nil {
		return err
	}
	if settings.IsRules(name) {
		a.Note("no model reads your sessions; the rules do")
		return nil
	}
	a.Note("%s reads your sessions from now on: hooks, `learnings extract` and the desk ask it; `learnings config --edit` changes that", lessons.Line(name))
	return nil
}

// mostWaiting is how many of the proposals of a project that wait are looked at.
const mostWaiting = 500

// compare has a model look, once for each project in which a run has found proposals, at
// those and the ones that wait. It returns what was found as it is now, or as it would be
// in a dry run, and all proposals with a remark. The error says what was not compared,
// and why; nothing is changed for it.
func compare(ctx context.Context, a *app, p *model.Proposer, found []lessons.Lesson, dry bool) (now, advised []lessons.Lesson, _ error) {
	var projects []string
	of := make(map[string][]lessons.Lesson)
	for _, l := range found {
		if len(of[l.Scope.Project]) == 0 {
			projects = append(projects, l.Scope.Project)
		}
		of[l.Scope.Project] = append(of[l.Scope.Project], l)
	}
	var errs []error
	for _, project := range projects {
		ls, err := compareIn(ctx, a, p, project, of[project], dry)
		if advised = append(advised, ls...); err != nil {
			errs = append(errs, fmt.Errorf("comparing the proposals of %s: %w", lessons.Line(project), ceilingHint(err)))
		}
	}
	now = slices.Clone(found)
	for i, l := range now {
		if k := slices.IndexFunc(advised, func(o lessons.Lesson) bool { return o.ID == l.ID }); k >= 0 {
			now[i] = advised[k]
		}
	}
	return now, advised, errors.Join(errs...)
}

func compareIn(ctx context.Context, a *app, p *model.Proposer, project string, fresh []lessons.Lesson, dry bool) (advised []lessons.Lesson, err error) {
	page, err := curate.Ask(ctx, &a.corpus.Library, func(ctx context.Context, x *index.Index) (index.Page, error) {
		return x.Search(ctx, index.Query{Limit: mostWaiting, Sort: index.Confirmed}.Where(index.Status, string(lessons.Pending)).Where(index.Project, project))
	})
	if err != nil {
		return nil, err
	}
	excluded := a.exclusion().Of
	waiting := slices.DeleteFunc(page.Shown(), func(l lessons.Lesson) bool { // no model sees these unless it is asked about one
		return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return excluded("", e.Path) != "" })
	})
	c, err := p.Compare(ctx, project, fresh, waiting)
	if err != nil {
		return nil, err
	}
	says, lower := make(map[lessons.ID][]string), make(map[lessons.ID]bool)
	for _, r := range c.Remarks {
		says[r.On], lower[r.On] = append(says[r.On], r.Says), lower[r.On] || r.Lower
	}
	for _, l := range slices.Concat(fresh, waiting) {
		if len(says[l.ID]) == 0 || slices.ContainsFunc(advised, func(o lessons.Lesson) bool { return o.ID == l.ID }) {
			continue
		}
		if dry {
			l = intake.Advised(l, says[l.ID], lower[l.ID])
		} else if l, err = intake.Advise(a.corpus.Store, l.ID, says[l.ID], lower[l.ID]); err != nil {
			return advised, err
		}
		advised = append(advised, l)
	}
	if more := page.Total - len(page.Hits); c.Left+more > 0 {
		err = fmt.Errorf("%s had no room in the call", term.Plural(c.Left+more, "proposal"))
	}
	if c.Ignored > 0 {
		err = errors.Join(err, fmt.Errorf("%s of the model left out: they name no two proposals, or what cannot be so", term.Plural(c.Ignored, "remark")))
	}
	return advised, err
}
