package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor/redact"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
)

type feedbackOptions struct {
	ids      []string
	from     string // a file of outcomes of reminders
	helpful  bool
	harmful  bool
	outcome  string
	session  string
	note     string
	takeBack string // a version of the lesson's history
	json     bool
}

// reactions are the outcomes that --outcome knows, the best first.
var reactions = []string{"completed", "acted", "snoozed", "dismissed", "ignored"}

func newFeedback(a *app) *cobra.Command {
	var o feedbackOptions
	cmd := &cobra.Command{
		Use: "feedback ID…|-", Short: "Record whether lessons helped",
		Long: "Feedback records what came of lessons that a session was given. Their confidence\n" +
			"follows, unless you have set it yourself; `learnings history ID` says who reported\n" +
			"what. An agent may report too: it decides nothing by that, and what it says counts\n" +
			"up to one vote for a session and three for a day.\n\n" +
			"With --take-back N, the version that history shows, a report is taken back; that\n" +
			"is for a person.\n\n" +
			"With --from FILE it reads what came of Gimli's reminders (completed, acted, snoozed,\n" +
			"dismissed, ignored), and proposes the lessons that Gimli draws from it.",
		Example: "  learnings feedback k7m2p9qx --helpful\n  learnings feedback k7m2p9qx --harmful --note 'the target was renamed'\n  learnings feedback k7m2p9qx --outcome dismissed --session 0b51d8e2",
		Args: func(cmd *cobra.Command, args []string) error {
			if o.from != "" {
				return nargs(0, 0, "")(cmd, args)
			}
			return nargs(1, -1, "ids, or - to read them from standard input")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.from != "" {
				return importFrom(cmd.Context(), a, importOptions{what: o.from, from: formats.Reminders, asJSON: o.json})
			}
			o.ids = args
			if cmd.Flags().Changed("take-back") {
				return takeBack(cmd.Context(), a, o)
			}
			return feedback(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.from, "from", "", "propose what a file of outcomes of reminders teaches")
	cmd.Flags().BoolVar(&o.helpful, "helpful", false, "it helped")
	cmd.Flags().BoolVar(&o.harmful, "harmful", false, "it did harm, or is wrong")
	cmd.Flags().StringVar(&o.outcome, "outcome", "", "what was done with it: "+strings.Join(reactions, ", "))
	cmd.Flags().StringVar(&o.session, "session", "", "the session in which it was given")
	cmd.Flags().StringVar(&o.note, "note", "", "why, in a few words")
	cmd.Flags().StringVar(&o.takeBack, "take-back", "", "take back the report that made this version of the history")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lessons as they are now, one JSON object a line")
	return cmd
}

// report is the outcome that was meant, with its name.
func (o feedbackOptions) report() (lessons.Outcome, string, error) {
	given := 0
	for _, is := range []bool{o.helpful, o.harmful, o.outcome != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return lessons.Outcome{}, "", term.Hint(term.Usagef("feedback needs one of --helpful, --harmful and --outcome"), "learnings feedback ID --helpful")
	}
	switch {
	case o.helpful:
		return lessons.Helpful, "helpful", nil
	case o.harmful:
		return lessons.Harmful, "harmful", nil
	}
	r, ok := lessons.Reactions[o.outcome]
	if !ok {
		return r, "", term.Hint(term.Usagef("there is no outcome %q", o.outcome), "%s", strings.Join(reactions, ", "))
	}
	return r, o.outcome, nil
}

// Limits of what a report says beside its outcome, in bytes.
const (
	maxSession = 100
	maxNote    = 500
)

func feedback(ctx context.Context, a *app, o feedbackOptions) error {
	outcome, name, err := o.report()
	if err != nil {
		return err
	}
	c, err := a.curated()
	if err != nil {
		return err
	}
	if c.Agent == "" {
		if c.By, err = a.me(); err != nil {
			return err
		}
	} else if o.session == "" {
		o.session = curate.AgentSession(a.getenv)
	}
	r := curate.Report{Outcome: outcome, Name: name, Session: clipped(o.session, maxSession)}
	if r.Note, err = safeNote(o.note); err != nil {
		return err
	}
	ids, err := a.ids(o.ids)
	if err != nil {
		return err
	}
	noted, err := c.Report(r, ids)
	if err != nil {
		return err
	}
	if len(noted) > 0 {
		a.follow(ctx)
	}
	if !o.json {
		for _, id := range ids {
			if !slices.ContainsFunc(noted, func(l lessons.Lesson) bool { return l.ID == id }) {
				a.Say("unchanged %s  agents have said of it what they may for now", id)
			}
		}
	}
	return a.tell("noted", noted, o.json)
}

// safeNote is a note without secrets, on one line, and not long.
func safeNote(note string) (string, error) {
	if strings.TrimSpace(note) == "" {
		return "", nil
	}
	r := redact.New()
	return clipped(r.Redact(note), maxNote), nil
}

// takeBack takes back what one version of a lesson's history reported.
func takeBack(ctx context.Context, a *app, o feedbackOptions) error {
	c, err := a.decider("take back feedback")
	if err != nil {
		return err
	}
	if len(o.ids) != 1 || o.helpful || o.harmful || o.outcome != "" {
		return term.Usagef("--take-back wants one id and no outcome")
	}
	n, err := strconv.Atoi(o.takeBack)
	if err == nil {
		var l lessons.Lesson
		if l, err = c.TakeBack(o.ids[0], n); err == nil {
			a.follow(ctx)
			return a.tell("taken back on", []lessons.Lesson{l}, o.json)
		}
	} else {
		err = curate.ErrNothing
	}
	switch {
	case errors.Is(err, curate.ErrNothing):
		return term.Hint(term.Usagef("there is no version %q of %s", o.takeBack, o.ids[0]), "`learnings history %s` numbers them", o.ids[0])
	case errors.Is(err, curate.ErrNoReport):
		return term.Hint(term.Usagef("%v", err), "`learnings history %s` shows the versions", o.ids[0])
	}
	return err
}
