package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor/redact"
	"learnings/lessons"
	"learnings/lessons/store"
)

type feedbackOptions struct {
	ids      []string
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
			"is for a person.",
		Example: "  learnings feedback k7m2p9qx --helpful\n  learnings feedback k7m2p9qx --harmful --note 'the target was renamed'\n  learnings feedback k7m2p9qx --outcome dismissed --session 0b51d8e2",
		Args:    nargs(1, -1, "ids, or - to read them from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			if cmd.Flags().Changed("take-back") {
				return takeBack(cmd.Context(), a, o)
			}
			return feedback(cmd.Context(), a, o)
		},
	}
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

// What agents say of one lesson weighs no more than this, of one session and of
// one day. They can say what they like about their session.
const (
	sessionSays = 1.0
	daySays     = 3.0
	maxNote     = 500 // bytes
)

// sessionVariables are those in which agents give the id of their session.
var sessionVariables = []string{"CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"}

func feedback(ctx context.Context, a *app, o feedbackOptions) error {
	outcome, name, err := o.report()
	if err != nil {
		return err
	}
	agent := a.agent()
	who := agent
	if agent == "" {
		if who, err = a.me(); err != nil {
			return err
		}
	}
	for _, key := range sessionVariables {
		if agent != "" && o.session == "" {
			o.session = a.getenv(key)
		}
	}
	o.session = clipped(o.session, 100)
	if o.note, err = safeNote(o.note); err != nil {
		return err
	}
	ids, err := a.ids(o.ids)
	if err != nil {
		return err
	}
	outcome.At = a.now()
	w := store.Write{Op: lessons.OpFeedback, By: who, Undoable: agent == "", Session: o.session, Why: name}
	if o.note != "" {
		w.Why += ": " + o.note
	}
	said, err := a.observe(w, ids, func(l lessons.Lesson) (lessons.Outcome, error) {
		if agent == "" {
			return outcome, nil
		}
		return a.allowed(l, outcome, who, o.session)
	})
	if err != nil {
		return err
	}
	if len(said) > 0 {
		a.follow(ctx)
	}
	if !o.json {
		for _, id := range ids {
			if !slices.ContainsFunc(said, func(l lessons.Lesson) bool { return l.ID == id }) {
				a.Say("unchanged %s  agents have said of it what they may for now", id)
			}
		}
	}
	return a.tell("noted", said, o.json)
}

// observe records an outcome of lessons as one write and gives back those that
// it was recorded of. A weight of 0 records nothing. Who writes at the same
// time goes first.
func (a *app) observe(w store.Write, ids []lessons.ID, of func(lessons.Lesson) (lessons.Outcome, error)) ([]lessons.Lesson, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		var ls []lessons.Lesson
		for _, id := range ids {
			l, err := s.Get(id)
			if err != nil {
				return nil, notFound(err)
			}
			if l.Status != lessons.Approved {
				return nil, fmt.Errorf("feedback on %s: %w: it is %s, and only an approved lesson is given to sessions", id, lessons.ErrInvalid, l.Status)
			}
			o, err := of(l)
			if err != nil {
				return nil, err
			}
			if o.Weight > 0 {
				ls = append(ls, l.Observed(o))
			}
		}
		if len(ls) == 0 {
			return nil, nil
		}
		stored, err := s.Put(w, ls...)
		if errors.Is(err, lessons.ErrConflict) && try < 5 {
			continue
		}
		return stored, err
	}
}

// allowed is what is left of an agent's outcome after what agents have said of
// the lesson in the same session, and today.
func (a *app) allowed(l lessons.Lesson, o lessons.Outcome, agent, session string) (lessons.Outcome, error) {
	s, err := a.corpus()
	if err != nil {
		return o, err
	}
	past, err := s.History(l.ID)
	if err != nil {
		return o, err
	}
	inSession, today := 0.0, 0.0
	for _, c := range past {
		if c.Op != lessons.OpFeedback || !isAgent(c.By) || c.Before == nil || c.After == nil {
			continue
		}
		moved := c.After.Proof.Moved(c.Before.Proof)
		if c.By == agent && c.Session == session && (session != "" || o.At.Sub(c.At) < 24*time.Hour) {
			inSession += moved
		}
		if o.At.Sub(c.At) < 24*time.Hour {
			today += moved
		}
	}
	left := min(sessionSays-inSession, daySays-today, o.Weight)
	o.Weight = max(math.Round(left*100)/100, 0)
	return o, nil
}

// isAgent reports that the journal names an agent.
func isAgent(name string) bool {
	for _, a := range agents {
		if a.name == name {
			return true
		}
	}
	return false
}

// safeNote is a note without secrets, on one line, and not long.
func safeNote(note string) (string, error) {
	if strings.TrimSpace(note) == "" {
		return "", nil
	}
	r, err := redact.New()
	if err != nil {
		return "", fmt.Errorf("preparing to take out secrets: %w", err)
	}
	return clipped(r.Redact(note), maxNote), nil
}

// takeBack takes back what one version of a lesson's history reported.
func takeBack(ctx context.Context, a *app, o feedbackOptions) error {
	who, err := a.decider("take back feedback")
	if err != nil {
		return err
	}
	if len(o.ids) != 1 || o.helpful || o.harmful || o.outcome != "" {
		return term.Usagef("--take-back wants one id and no outcome")
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	id, past, err := past(s, o.ids[0])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(o.takeBack)
	if err != nil || n < 1 || n > len(past) {
		return term.Hint(term.Usagef("there is no version %q of %s", o.takeBack, id), "`learnings history %s` numbers them", id)
	}
	then := past[n-1]
	if then.Op != lessons.OpFeedback && then.Op != lessons.OpCorrected || then.Before == nil || then.After == nil {
		return term.Hint(term.Usagef("version %d of %s is no report of an outcome but %q", n, id, then.Op), "`learnings history %s` shows the versions", id)
	}
	if slices.ContainsFunc(past, func(c lessons.Change) bool { return c.Op == lessons.OpTakeBack && c.Why == takenBack(n) }) {
		return fmt.Errorf("version %d of %s: %w: it was taken back before", n, id, lessons.ErrInvalid)
	}
	l, err := s.Get(id)
	if err != nil {
		return notFound(err)
	}
	stored, err := s.Put(store.Write{Op: lessons.OpTakeBack, By: who, Undoable: true, Why: takenBack(n)}, l.Forgot(*then.Before, *then.After))
	if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("taken back on", stored, o.json)
}

func takenBack(version int) string { return fmt.Sprintf("what version %d reported", version) }
