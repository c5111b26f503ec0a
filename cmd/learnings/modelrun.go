package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/tui/desk"
)

// This file tells a person what a model at hand would read, be sent and cost, before
// anything is sent. The rules read unless the person says otherwise.

// modelsAtHand are the models that can be asked here, the first to be offered first.
func modelsAtHand(ctx context.Context, a *app) ([]llm.Candidate, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	c, err := settings.Load(p.Config) // as it is now: the desk writes the choice there
	if err != nil {
		return nil, err
	}
	return c.AtHand(llm.Available(ctx, llm.Surroundings{Env: a.getenv, LookPath: exec.LookPath, Command: c.Learning.Command.Value})), nil
}

var errNoModel = errors.New("no model is at hand: no key, no program of one, no server on this machine; `learnings stats models` says where it looks")

// A modelRun is what a model would be asked about, and has not been.
type modelRun struct {
	llm.Candidate
	asker   *model.Proposer
	files   []transcript.File
	marks   *extractor.Ledger
	opts    extractor.Options
	ceiling float64
	plan    model.Plan
}

// planRun finds what no model has read of some files, and what it would cost to ask
// about it. It asks nobody.
func planRun(ctx context.Context, a *app, m llm.Candidate, files []transcript.File) (*modelRun, error) {
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	r := &modelRun{Candidate: m, files: files, ceiling: c.Learning.MaxUSDPerRun.Value}
	if r.asker, err = newAsker(a, modelOptions{name: m.Model, budget: c.Learning.Budget.Value, ceiling: r.ceiling, quiet: true}); err != nil {
		return nil, err
	}
	if r.marks, err = a.modelMarks(); err != nil {
		return nil, err
	}
	if r.opts, err = extractorOptions(a, nil); err != nil {
		return nil, err
	}
	return r, r.asker.Show(ctx, r.files, r.marks, r.opts, r.plan.Add)
}

// priceOf says in words what asking a model may cost.
func priceOf(m llm.Candidate, cost llm.Cost) string {
	switch {
	case !m.Costs:
		return "free"
	case !cost.Known:
		return "not known here, so no ceiling can be kept"
	}
	return "at most " + cost.String()
}

// mostHinted is how many bytes of transcripts are looked through to say what a model
// would cost: a second's work.
const mostHinted = 40 << 20

// hintModel says after a run of the rules which model is at hand, and what it would
// be sent and cost to ask it about the same sessions.
func hintModel(ctx context.Context, a *app, o extractOptions, files []transcript.File) {
	if o.json || o.dryRun || !a.Terminals.Out || a.agent() != "" {
		return
	}
	at, err := modelsAtHand(ctx, a)
	if err != nil || len(at) == 0 {
		return
	}
	command := "learnings extract --model " + at[0].Model
	for _, w := range append(prefixed("--from ", o.from), o.what...) {
		command += " " + w
	}
	marks, err := a.modelMarks()
	if err != nil {
		return
	}
	var bytes int64
	for _, f := range files {
		if !marks.Fresh(f) {
			bytes += f.Size
		}
	}
	switch {
	case bytes == 0:
		return
	case bytes > mostHinted:
		a.Note("%s is at hand to read what no model has read: `%s --dry-run --show-prompt` says what it would be sent and cost", at[0].Model, command)
		return
	}
	r, err := planRun(ctx, a, at[0], files)
	if err != nil || r.plan.Calls == 0 {
		return
	}
	a.Note("%s is at hand: `%s` has it read %s too, sends about %d tokens; cost: %s", at[0].Model, command, term.Plural(r.plan.Sessions, "session"), r.plan.Tokens, priceOf(r.Candidate, r.plan.Cost()))
}

func prefixed(before string, all []string) (out []string) {
	for _, s := range all {
		out = append(out, before+s)
	}
	return out
}

// deskModel plans for the desk what a model would read: the sessions of some paths,
// or all. The model is that of a name, or the first at hand for "".
func deskModel(ctx context.Context, a *app, where transcript.Places, name string, paths []string) (desk.ModelRun, error) {
	at, err := modelsAtHand(ctx, a)
	if err != nil {
		return desk.ModelRun{}, err
	}
	if len(at) == 0 {
		return desk.ModelRun{}, errNoModel
	}
	m := at[0]
	var names []string
	for _, c := range at {
		names = append(names, c.Model)
		if c.Model == name {
			m = c
		}
	}
	files, err := deskFiles(a, where, paths)
	if err != nil {
		return desk.ModelRun{}, err
	}
	r, err := planRun(ctx, a, m, files)
	if err != nil {
		return desk.ModelRun{}, err
	}
	out := desk.ModelRun{
		Name: m.Model, Where: strings.Trim(m.Where+" · "+m.Note, " ·"), Names: names,
		Sessions: r.plan.Sessions, Calls: r.plan.Calls, Tokens: r.plan.Tokens, Cost: priceOf(r.Candidate, r.plan.Cost()), Text: r.plan.Text(),
		Run: func(ctx context.Context, progress func(desk.Progress)) (desk.Found, error) {
			return r.ask(ctx, a, progress)
		},
	}
	if r.Costs && r.ceiling > 0 && r.plan.Cost().Known {
		out.Ceiling = fmt.Sprintf("$%.2f", r.ceiling)
	}
	return out, nil
}

// deskFiles finds the transcripts of some paths, or all of them.
func deskFiles(a *app, where transcript.Places, paths []string) ([]transcript.File, error) {
	marks, err := a.marks()
	if err != nil {
		return nil, err
	}
	if len(paths) > 0 {
		if where, err = a.transcripts(paths); err != nil {
			return nil, err
		}
	}
	// The list of sessions tells of what cannot be read.
	files, _ := transcript.Choice{Places: where, Known: marks.Recall, Bad: func(error) {}}.Files()
	return files, nil
}

// ask asks the model, stores what it proposes and remembers that it was chosen.
func (r *modelRun) ask(ctx context.Context, a *app, progress func(desk.Progress)) (found desk.Found, err error) {
	unkept := settings.Set(a.places.Config, "learning", "chosen_model", r.Model)
	r.asker.Agree() // where the cost is not known, the desk has said so before
	in, err := keptIntake(a)
	if err != nil {
		return found, err
	}
	opts := r.opts
	opts.Progress = func(p extractor.Progress) {
		progress(desk.Progress{Path: p.Path, File: p.Done, Files: p.Files, Done: p.Read, Total: p.Bytes, Found: desk.Found{Lessons: p.Lessons}})
	}
	err = r.asker.Extract(ctx, r.files, r.marks, opts, func(ctx context.Context, files []transcript.File, o extractor.Options) error {
		for t, err := range in.Run(ctx, files, r.marks, o) {
			if file := (*extractor.FileError)(nil); errors.As(err, &file) {
				continue
			} else if err != nil {
				return err
			}
			found = plus(found, t)
		}
		return nil
	})
	return found, errors.Join(ceilingHint(err), unkept)
}
