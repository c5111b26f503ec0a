package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/index/curate"
	"learnings/lessons"
)

// This file lets a person ask a model for one text of several lessons. A model is
// asked only with --model, and its text is used only when the person agrees.

// configuredModel is the value of --model without one.
const configuredModel = "configured"

// mostAsked is how many groups a model is asked about without --limit.
const mostAsked = 10

// mergeModelFlags registers the flags of a verb that asks a model only on request.
func mergeModelFlags(cmd *cobra.Command, o *modelOptions) {
	cmd.Flags().StringVar(&o.name, "model", "", "ask this model (`provider:name`) for the text; alone: learning.model of the configuration, or the one that you chose on the desk")
	cmd.Flags().Lookup("model").NoOptDefVal = configuredModel
	cmd.Flags().Float64Var(&o.ceiling, "max-usd", settings.DefaultCeiling, "with --model: what this run may cost at most, in US dollars; 0 for no ceiling")
}

// withModels puts --model and the model behind it into one word. Where the
// model may be left out, the parser of flags would take it for an argument; and
// no id looks like one.
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

// pick settles which model the person has named. Without --model it is none.
func (o *modelOptions) pick(a *app, given func(flag string) bool) error {
	if !given("model") {
		if given("max-usd") {
			return term.Usagef("--max-usd goes with --model")
		}
		return nil
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	alone := o.name == configuredModel
	o.settle(func(flag string) bool { return given(flag) && !(alone && flag == "model") }, c.Learning)
	if o.name == "" && !settings.IsRules(c.Learning.ChosenModel.Value) {
		o.name = c.Learning.ChosenModel.Value
	}
	if o.name == "" {
		return term.Hint(term.Usagef("--model: the rules can write no text, and no other model is named"),
			"name one, as in --model provider:name, or set learning.model in the configuration; `learnings stats models` lists what is at hand")
	}
	return o.check(false)
}

// oneTexts asks for the text of each group. What the model has said until an
// error stays.
func oneTexts(ctx context.Context, a *app, p *model.Proposer, groups []render.Group) error {
	defer tellSpent(a, p)
	failed := 0
	for i := range groups {
		c := &groups[i]
		name := strings.Join(c.IDs()[:2], " and ")
		if len(c.Lessons) > model.MostMerged {
			a.Warn("%s and %s more: too many to ask a model about", name, term.Plural(len(c.Lessons)-2, "lesson"))
			continue
		}
		u, err := p.MergeText(ctx, c.Lessons)
		switch {
		case model.EndsAsking(ctx, err):
			return ceilingHint(err)
		case err != nil:
			a.Warn("%s: %v", name, err)
			failed++
		case u.Dropped != "":
			a.Warn("%s: the text of the model is left out: %s", name, u.Why())
		default:
			c.By, c.Different = p.Name(), u.Different
			c.Proposed, c.Detail = u.Wording.Content, u.Wording
		}
	}
	if failed > 0 {
		return fmt.Errorf("the model gave no answer for %s", term.Plural(failed, "group"))
	}
	return nil
}

// wordingBy asks the model for the wording of a merge. A field that it leaves empty
// stays as it is.
func wordingBy(ctx context.Context, a *app, o mergeOptions, into lessons.Lesson, ls []lessons.Lesson) (render.OneText, error) {
	p, err := agreedAsker(ctx, a, o.model)
	if err != nil {
		return render.OneText{}, err
	}
	defer tellSpent(a, p)
	u, err := p.MergeText(ctx, ls)
	switch {
	case err != nil:
		return render.OneText{}, ceilingHint(err)
	case u.Different != "":
		return render.OneText{}, term.Hint(fmt.Errorf("%s says that they are not one lesson: %s", p.Name(), u.Why()),
			"nothing was merged; without --model they are merged as you say, and `learnings resolve ID ID --both \"when each holds\"` keeps both")
	case u.Dropped != "":
		return render.OneText{}, term.Hint(fmt.Errorf("the text of %s is not to be trusted: %s", p.Name(), u.Why()),
			"nothing was merged; ask another model, or say it yourself with --content")
	}
	return render.OneTextOf(p.Name(), into, u.Wording, ls), nil
}

// errDeclined is a person's no.
var errDeclined = errors.New("declined")

// agree shows what a model proposes and lets the person take it, edit it or
// leave it. The draft is that of an edit, to be removed when it is stored.
func agree(ctx context.Context, a *app, c *curate.Corpus, t render.OneText, yes, asJSON bool) (lessons.Lesson, *curate.Draft, error) {
	if !yes || !asJSON {
		if err := a.Give(t, asJSON); err != nil {
			return t.Lesson, nil, err
		}
	}
	if yes {
		return t.Lesson, nil, nil
	}
	if !a.Interactive() {
		return t.Lesson, nil, term.Hint(fmt.Errorf("%w: nothing was merged, for there is no terminal to ask on", curate.ErrPerson), "learnings merge %s --content %s; --yes does not ask", strings.Join(t.All, " "), render.ShellQuote(lessons.Line(t.Lesson.Content)))
	}
	for {
		answer, err := a.Ask(ctx, "Merge with this text? [y]es, [e]dit it, [N]o ")
		if err != nil && !errors.Is(err, io.EOF) {
			return t.Lesson, nil, err
		}
		switch strings.ToLower(answer) {
		case "y", "yes":
			return t.Lesson, nil, nil
		case "e", "edit":
			l, d, err := a.rewrite(ctx, c, t.Lesson)
			if errors.Is(err, curate.ErrUnchanged) {
				continue
			}
			return l, d, err
		}
		a.Say("nothing was merged")
		return t.Lesson, nil, errDeclined
	}
}
