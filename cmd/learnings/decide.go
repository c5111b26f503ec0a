package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/port"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor/redact"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/pairs"
)

// asNow is the usage of --json for verbs that change lessons.
const asNow = "print the lessons as they are now, one JSON object a line"

func newApprove(a *app) *cobra.Command {
	v := a.verb("approve", needsPerson("approve them"), nil)
	outside := v.Bool("outside", false, "confirm all that came or changed from outside; name no ids")
	yes := v.Bool("yes", false, "with --outside: do not ask")
	reason := v.String("reason", "", "why an active lesson still holds, in a few words")
	v.json(a, asNow)
	return v.Run(func(ctx context.Context, args []string) error {
		switch {
		case *outside && len(args) > 0:
			return term.Usagef("--outside is for all of them; name no ids")
		case *outside:
			return confirmOutside(ctx, a, *yes)
		}
		if err := countArgs(1, -1, idsWanted)(v.Cmd, args); err != nil {
			return err
		}
		ls, err := a.named(args...)
		if err != nil {
			return err
		}
		active := slices.DeleteFunc(slices.Clone(ls), func(l lessons.Lesson) bool { return l.Status != lessons.Approved })
		waiting := slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return l.Status == lessons.Approved })
		if len(waiting) > 0 {
			if sure, err := seenChanged(ctx, a, waiting); err != nil || !sure {
				return err
			}
			if err := decide(ctx, a, curate.Approve, args, waiting); err != nil {
				return err
			}
		}
		if len(active) == 0 {
			return nil
		}
		return decide(ctx, a, curate.Confirm.Because(*reason), args, active)
	})
}

// seenChanged says which proposals another program has changed since this one wrote them, and
// how: a person may have read them before. On a terminal it asks whether to go on.
func seenChanged(ctx context.Context, a *app, ls []lessons.Lesson) (sure bool, err error) {
	changed := 0
	for _, l := range ls {
		if !l.Outside {
			continue
		}
		_, history, err := a.corpus.History(string(l.ID))
		if err != nil {
			return false, err
		}
		for _, ch := range slices.Backward(history) {
			if ch.Op == lessons.OpExternal || ch.After == nil {
				continue
			}
			if was := ch.After; was.Wording != l.Wording {
				a.Warn("another program has changed %s: %s", l.ID, pairs.Marked(was.Content, l.Content))
				changed++
			}
			break
		}
	}
	if changed == 0 || !a.Interactive() {
		return true, nil
	}
	return a.Confirm(ctx, "Approve what it says now?")
}

// confirmOutside asks one question about all lessons that came from outside.
func confirmOutside(ctx context.Context, a *app, yes bool) error {
	ls, err := a.corpus.Outside(ctx)
	if err != nil {
		return err
	}
	if len(ls) == 0 {
		return fmt.Errorf("%w: no lesson came or changed from outside", curate.ErrNothing)
	}
	if !yes {
		if !a.Interactive() {
			return term.Hint(fmt.Errorf("%w: nothing was confirmed, for there is no terminal to ask on", curate.ErrPerson), "`learnings search outside:yes` lists them; --yes does not ask")
		}
		for _, l := range cut(ls, screenful) {
			a.Note("%s  %s  %s", l.ID, l.Title(80), a.corpus.How(l.ID))
		}
		sure, err := a.Confirm(ctx, "Confirm "+term.Plural(len(ls), "lesson")+" that another program wrote or decided on?")
		if err != nil || !sure {
			return err
		}
	}
	b, err := a.corpus.ConfirmOutside(ls)
	render.WarnLeft(a.Console, b.Left)
	if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("confirmed", b.After...)
}

func newReject(a *app) *cobra.Command {
	v := a.verb("reject", needsPerson("reject them"), countArgs(1, -1, idsWanted))
	reason := v.String("reason", "", "why, in a few words")
	fromFile := v.Bool("from-file", false, "take it out of the files in which agents read it, too")
	yes := v.Bool("yes", false, "with --from-file: do not ask")
	v.json(a, asNow)
	return v.Run(func(ctx context.Context, args []string) error {
		ls, err := a.named(args...)
		if err != nil {
			return err
		}
		act := curate.Reject.Because(*reason)
		if !*fromFile {
			return decide(ctx, a, act, args, ls)
		}
		if !*yes && !a.Terminals.In {
			return term.Hint(fmt.Errorf("%w: a file of yours would change, and there is no terminal to ask on", curate.ErrPerson), "add --yes")
		}
		// Lessons that were rejected before may still be in files.
		waiting := slices.DeleteFunc(slices.Clone(ls), func(l lessons.Lesson) bool { return l.Status == lessons.Rejected })
		gone := slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return l.Status != lessons.Rejected })
		var after []lessons.Lesson
		if len(waiting) > 0 {
			if after, err = decided(ctx, a, act, args, waiting); err != nil {
				return err
			}
		}
		return port.TakeOut(ctx, a.Console, a.world(), append(gone, after...), *yes)
	})
}

// decide makes one decision on lessons and prints its consequences.
func decide(ctx context.Context, a *app, act curate.Action, words []string, ls []lessons.Lesson) error {
	after, err := decided(ctx, a, act, words, ls)
	switch {
	case err != nil:
		return err
	case act.Op == lessons.OpApprove:
		render.WarnContradicted(ctx, a.Console, a.corpus, after)
	case act.Op == lessons.OpReject:
		port.NoteStanding(a.Console, after)
	}
	return nil
}

// decided makes one decision on lessons and prints the result. With several lessons, or
// ids from standard input, it leaves out those that need a decision of their own.
func decided(ctx context.Context, a *app, act curate.Action, words []string, ls []lessons.Lesson) ([]lessons.Lesson, error) {
	var b curate.Batch
	var err error
	if len(ls) == 1 && words[0] != "-" {
		b.After = make([]lessons.Lesson, 1)
		b.After[0], err = a.corpus.Decide(act, ls[0])
	} else {
		b, err = a.corpus.DecideMany(act, ls)
	}
	render.WarnLeft(a.Console, b.Left)
	if err != nil {
		return nil, render.Instead(err)
	}
	if len(b.After) > 0 {
		a.follow(ctx)
	}
	return b.After, a.tell(act.Done, b.After...)
}

func newResolve(a *app) *cobra.Command {
	v := a.verb("resolve", needsPerson("resolve them"), countArgs(2, 2, "two ids: the lesson to keep and the one that gives way"))
	reason := v.String("reason", "", "why the other gives way, in a few words")
	when := v.String("both", "", "both hold; say which holds when")
	narrow := v.Bool("narrow", false, "both hold, each where it was said")
	v.json(a, asNow)
	return v.Run(func(ctx context.Context, args []string) error {
		both := v.Changed("both")
		if both && (v.Changed("reason") || *narrow) {
			return term.Usagef("--both says already when each holds; leave out --reason and --narrow")
		}
		ls, err := a.named(args...)
		if err != nil {
			return err
		}
		if len(ls) < 2 {
			return term.Usagef("resolve needs two different lessons")
		}
		s := curate.Settlement{Keep: ls[0], Lose: ls[1], Both: both, Narrow: *narrow, Reason: cmp.Or(*when, *reason)}
		keep, lose, err := a.corpus.Settle(s)
		switch {
		case err != nil && (both || *narrow):
			return term.Hint(err, "learnings resolve %s %s --both \"when each holds\"", s.Keep.ID, s.Lose.ID)
		case errors.As(err, new(*curate.Refused)):
			return term.Hint(err, "`learnings show %s` tells what became of it", s.Lose.ID)
		case err != nil:
			return err
		}
		a.follow(ctx)
		if a.JSON {
			return a.objects([]lessons.Lesson{keep, lose})
		}
		render.Resolved(a.Console, s, keep, lose)
		return nil
	})
}

func newUndo(a *app) *cobra.Command {
	v := a.verb("undo", needsPerson("undo decisions"), countArgs(0, 1, ""))
	redo := v.Bool("redo", false, "do again what was undone")
	v.json(a, "print what became of the lessons as \"learnings history --json\" does")
	return v.Run(func(ctx context.Context, args []string) error {
		n := 1
		if len(args) > 0 {
			var err error
			if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
				return term.Hint(term.Usagef("undo: %q is not a number of steps", args[0]), "%s", usageLine(v.Cmd))
			}
		}
		step, op, done := a.corpus.Undo, "undo", "undone"
		if *redo {
			step, op, done = a.corpus.Redo, "redo", "redone"
		}
		changes, err := step(n)
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			return fmt.Errorf("%w: nothing to %s", curate.ErrNothing, op)
		}
		a.follow(ctx)
		if a.JSON {
			return a.Give(render.Journal{curate.StepOf(changes...)})
		}
		for _, c := range changes {
			a.Say("%s %s", done, render.Change(c))
		}
		return nil
	})
}

func newForget(a *app) *cobra.Command {
	v := a.verb("forget", needsPerson("forget them"), countArgs(1, -1, idsWanted))
	yes := v.Bool("yes", false, "do not ask")
	v.json(a, "print what was erased, one JSON object a line, with its id")
	return v.Run(func(ctx context.Context, args []string) error {
		if !*yes && !a.Terminals.In {
			return term.Hint(fmt.Errorf("%w: forgetting cannot be undone, and there is no terminal to ask on", curate.ErrPerson), "add --yes")
		}
		c := a.corpus
		ids, again, err := toForget(a, args)
		if err != nil { // a call that was killed may have erased all but the words in the index
			return errors.Join(err, synced(context.WithoutCancel(ctx), &c.Library))
		}
		if !*yes && !again {
			for _, id := range ids {
				l, _ := c.Store.Get(id)
				a.Say("%s", strings.TrimRight(string(id)+"  "+l.Title(80), " "))
			}
			sure, err := a.Confirm(ctx, "Erase "+term.Plural(len(ids), "lesson")+" for good? This cannot be undone.")
			if err != nil {
				return err
			}
			if !sure {
				a.Say("nothing was erased")
				return nil
			}
		}
		if err := c.Forget(ids); err != nil {
			if left, _ := c.Store.Unforgotten(); len(left) > 0 {
				err = term.Hint(err, "what is erased stays erased; the same command finishes it, as does the next write")
			}
			return err
		}
		// Wait for this one: the index still has the erased lessons.
		if err := synced(context.WithoutCancel(ctx), &c.Library); err != nil {
			a.Warn("the index will catch up with the next call: %v", err)
		}
		if !a.JSON {
			a.Say("forgot %s", term.Plural(len(ids), "lesson"))
			return nil
		}
		for _, id := range ids {
			if err := term.WriteJSON(a.Out, term.Object(nil, "id", id, "op", lessons.OpForget)); err != nil {
				return err
			}
		}
		return nil
	})
}

// toForget returns the lessons to erase. For those that a call before this one began to
// erase, again is true: their files may be gone.
func toForget(a *app, args []string) (ids []lessons.ID, again bool, err error) {
	begun, err := a.corpus.Store.Unforgotten()
	if err != nil {
		return nil, false, err
	}
	if len(begun) > 0 && !slices.ContainsFunc(args, func(arg string) bool { return !slices.Contains(begun, lessons.ID(arg)) }) {
		return begun, true, nil
	}
	ids, err = a.ids(args) // only the ids: a file may be unreadable
	if err == nil {
		ids, err = a.corpus.WithMerged(ids)
	}
	return ids, false, err
}

// reactions are the values of --outcome, best first.
var reactions = []string{"completed", "acted", "snoozed", "dismissed", "ignored"}

// Limits on the text of a report, in bytes.
const (
	maxSession = 100
	maxNote    = 500
)

func newFeedback(a *app) *cobra.Command {
	var from *string
	v := a.verb("feedback", needsCorpus, func(cmd *cobra.Command, args []string) error {
		if *from != "" {
			return countArgs(0, 0, "")(cmd, args)
		}
		return countArgs(1, -1, idsWanted)(cmd, args)
	})
	from = v.String("from", "", "propose what a file of outcomes of reminders teaches")
	helpful := v.Bool("helpful", false, "it helped")
	harmful := v.Bool("harmful", false, "it did harm, or is wrong")
	outcome := v.String("outcome", "", "what was done with it: "+strings.Join(reactions, ", "))
	session := v.String("session", "", "the session in which it was given")
	note := v.String("note", "", "why, in a few words")
	back := v.String("take-back", "", "take back the report that made this version of the history")
	v.json(a, asNow)
	return v.Run(func(ctx context.Context, args []string) error {
		if *from != "" {
			return importFrom(ctx, a, importOptions{what: *from, from: formats.Reminders})
		}
		said := *outcome
		if *helpful {
			said += "helpful"
		}
		if *harmful {
			said += "harmful"
		}
		if v.Changed("take-back") {
			if len(args) != 1 || said != "" {
				return term.Usagef("--take-back wants one id and no outcome")
			}
			return takeBack(ctx, a, args[0], *back)
		}
		r := curate.Report{Name: said, Session: *session, Note: redact.New().Redact(*note)}
		var ok bool
		switch r.Outcome, ok = lessons.Reactions[said]; {
		case said == "helpful":
			r.Outcome = lessons.Helpful
		case said == "harmful":
			r.Outcome = lessons.Harmful
		case said == "" || *outcome != "" && said != *outcome || *helpful && *harmful:
			return term.Hint(term.Usagef("feedback needs one of --helpful, --harmful and --outcome"), "learnings feedback ID --helpful")
		case !ok:
			return term.Hint(term.Usagef("there is no outcome %q", said), "%s", strings.Join(reactions, ", "))
		}
		return report(ctx, a, r, args)
	})
}

// report records the outcome of lessons.
func report(ctx context.Context, a *app, r curate.Report, words []string) error {
	if a.corpus.Agent == "" {
		if err := a.sign(); err != nil {
			return err
		}
	} else if r.Session == "" {
		r.Session = curate.AgentSession(a.getenv)
	}
	r.Session, r.Note = clipped(r.Session, maxSession), clipped(r.Note, maxNote)
	ids, err := a.ids(words)
	if err != nil {
		return err
	}
	noted, err := a.corpus.Report(r, ids)
	if err != nil {
		return err
	}
	if len(noted) > 0 {
		a.follow(ctx)
	}
	for _, id := range ids {
		if !a.JSON && !slices.ContainsFunc(noted, func(l lessons.Lesson) bool { return l.ID == id }) {
			a.Say("unchanged %s  agents have said of it what they may for now", id)
		}
	}
	return a.tell("noted", noted...)
}

// clipped returns s on one line, cut to n bytes.
func clipped(s string, n int) string {
	s = lessons.Line(s)
	return strings.ToValidUTF8(s[:min(n, len(s))], "")
}

// takeBack withdraws the report that made one version of a lesson.
func takeBack(ctx context.Context, a *app, id, version string) error {
	if err := a.person("take back feedback"); err != nil {
		return err
	}
	n, _ := strconv.Atoi(version) // there is no version 0
	l, err := a.corpus.TakeBack(id, n)
	switch {
	case errors.Is(err, curate.ErrNothing):
		return term.Hint(term.Usagef("there is no version %q of %s", version, id), "`learnings history %s` numbers them", id)
	case errors.Is(err, curate.ErrNoReport):
		return term.Hint(term.Usagef("%v", err), "`learnings history %s` shows the versions", id)
	case err != nil:
		return err
	}
	a.follow(ctx)
	return a.tell("taken back on", l)
}

func newGuard(a *app) *cobra.Command {
	v := a.verb("guard", needsCorpus, countArgs(0, 1, "the id of a lesson"))
	var o render.GuardWish
	v.StringArrayVar(&o.Commands, "command", nil, "stop this command, such as 'npm install'; repeat it for more")
	v.StringArrayVar(&o.Paths, "path", nil, "stop changes of these files, such as 'gen/**'; repeat it for more")
	v.StringArrayVar(&o.Flags, "flag", nil, "stop this flag, of the command or of any; repeat it for flags that come together")
	v.BoolVar(&o.Deny, "deny", false, "stop the call instead of asking")
	v.BoolVar(&o.Off, "off", false, "take the guard off")
	v.BoolVar(&o.Yes, "yes", false, "do not ask")
	from := v.from()
	v.json(a, "one JSON object, or one a line")
	return v.Run(func(ctx context.Context, args []string) error {
		c := a.corpus
		if len(args) == 0 {
			if err := render.ListGuards(a.Console, guards(a.places.State), c.Store.All()); err != nil {
				return err
			}
			_, err := unheard(a, c.Store.All())
			return err
		}
		if err := a.person("guard them"); err != nil {
			return err
		}
		ls, err := a.named(args...)
		if k := guards(a.places.State); o.Off && errors.Is(err, lessons.ErrNotFound) && slices.Contains(k.Of(), lessons.ID(args[0])) {
			return k.Drop(lessons.ID(args[0]))
		}
		if err != nil {
			return err
		}
		changed, err := render.SwitchGuard(ctx, a.Console, c, guards(a.places.State), ls[0], o, pastSessions(a, *from))
		if !changed {
			return err
		}
		a.follow(ctx)
		if err != nil || o.Off {
			return err
		}
		return heard(ctx, a, !o.Yes && !a.JSON)
	})
}

// unheard says which agents enforce no guard, if any guard is on, and returns the names
// of those that setup would wire.
func unheard(a *app, all iter.Seq2[lessons.Lesson, error]) ([]string, error) {
	items, err := render.Guards(guards(a.places.State), all)
	if err != nil || a.sample || !slices.ContainsFunc(items, func(i render.Guarded) bool { return i.Off == "" }) {
		return nil, err
	}
	lines, names := render.Unheard(a.machine(), a.cwd)
	for _, line := range lines {
		a.Warn("%s", line)
	}
	return names, nil
}

// heard does the same for a guard that was just switched on, and offers to wire the hook
// when it can ask.
func heard(ctx context.Context, a *app, ask bool) error {
	names, err := unheard(a, a.corpus.Store.All())
	if err != nil || len(names) == 0 || !ask || !a.Interactive() {
		return err
	}
	o := setup.Options{Short: a.short, Dir: a.cwd}
	w, err := setup.Here(a.machine(), o)
	if err != nil {
		return nil // the guard is on, and the person has been told what to type
	}
	w.Guard = true
	return setup.Run(ctx, a.Console, filepath.Dir(a.places.State), w, names, o)
}
