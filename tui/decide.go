package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/index"
	"learnings/lessons"
)

// An act is a decision that can be made on any number of lessons, and repeated.
type act struct {
	op      string // for the journal
	ask     string // "approve", for the question
	done    string // "approved", for the status line
	reason  string
	rewords bool   // what the lesson says changes, or to whom
	caution string // what to know before doing it to many
	leaves  bool   // takes a lesson out of the queue
	draft   string // the file with the text, to be dropped when it is stored
	do      func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error)
}

var (
	approving = act{op: "approve", ask: "approve", done: "approved", leaves: true, do: lessons.Lesson.Approve}
	archiving = act{op: "archive", ask: "archive", done: "archived", do: lessons.Lesson.Archive}
	reopening = act{op: "reopen", ask: "reopen", done: "reopened", do: lessons.Lesson.Reopen}
	merging   = act{op: "merge", ask: "merge", done: "merged", leaves: true, rewords: true}
	rejecting = act{op: "reject", ask: "reject", done: "rejected", leaves: true, do: lessons.Lesson.Reject}
)

func rejectingFor(reason string) act {
	a := rejecting
	a.reason = reason
	return a
}

func snoozing(until time.Time) act {
	return act{op: "snooze", ask: "snooze", done: "snoozed until " + until.Format("Jan 2"), leaves: true,
		do: func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) { return l.Snooze(d, until) }}
}

// moves reports that an act changes which lessons count.
func (a act) moves() bool { return a.op != "edit" && a.op != "snooze" }

// rating sets the confidence.
func rating(c lessons.Confidence) act {
	c = max(0, min(c, 1)).Round()
	return act{op: "edit", ask: "set confidence " + c.String() + " of", done: "confidence " + c.String() + ":",
		do: func(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
			l = l.Rated(c)
			return l, l.Validate()
		}}
}

// nudging raises the confidence of a lesson a little by +, and lowers it by -.
func nudging(l lessons.Lesson, k string) act {
	if k == "-" {
		return rating(l.Confidence - 0.05)
	}
	return rating(l.Confidence + 0.05)
}

// computing lets the confidence follow from the outcomes again.
var computing = act{op: "edit", ask: "let the confidence be computed of", done: "confidence is computed again:",
	do: func(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
		l = l.Unrated()
		return l, l.Validate()
	}}

// pinning vouches for lessons for good, or no longer when all are pinned.
func pinning(ls []lessons.Lesson) act {
	if !slices.ContainsFunc(ls, func(l lessons.Lesson) bool { return !l.Pinned }) {
		return act{op: "unpin", ask: "unpin", done: "unpinned", do: lessons.Lesson.Unpin}
	}
	return act{op: "pin", ask: "pin", done: "pinned", do: lessons.Lesson.Pin}
}

// editing takes from an edited lesson what a person edits: never the id, the
// status or the evidence.
func editing(e lessons.Lesson) act {
	return act{op: "edit", ask: "edit", done: "edited", rewords: true,
		do: func(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
			l.Wording, l.Category, l.Scope, l.Pinned = e.Wording, e.Category, e.Scope, e.Pinned
			if e.Confidence.Round() != l.Confidence.Round() {
				l = l.Rated(e.Confidence)
			}
			l.Tags, l.Triggers, l.Extra = e.Tags, e.Triggers, e.Extra
			return l, l.Validate()
		}}
}

// wording replaces the sentence itself.
func wording(content string) act {
	return act{op: "edit", ask: "edit", done: "edited", rewords: true,
		do: func(l lessons.Lesson, _ lessons.Decision) (lessons.Lesson, error) {
			l.Content = strings.TrimSpace(content)
			return l, l.Validate()
		}}
}

// report says what came of an act on lessons.
func (m decidedMsg) report() note {
	kept := ""
	if m.act.draft != "" {
		kept = "; your text is in " + m.act.draft + ", e opens it again"
	}
	what := fmt.Sprintf("%d lessons", len(m.before))
	if len(m.before) == 1 {
		what = "“" + m.before[0].Title(48) + "”"
	}
	switch {
	case m.err == nil:
		return note{text: "✓ " + m.act.done + " " + what + " · u undoes it"}
	case conflicted(m.err):
		return note{bad: true, text: fmt.Sprintf("not %s: %v · shown anew%s", m.act.done, m.err, kept)}
	default:
		return note{bad: true, text: fmt.Sprintf("not %s: %v%s", m.act.done, m.err, kept)}
	}
}

// reasons of a rejection that a person need not type. They are those that
// proposals fail for most often; what follows from some of them is said in
// lessons.Refusal.
var reasons = []string{"not true", "too specific", "one-off", "too vague", "not about this project", "not worth a place"}

// reasonsFor are the reasons to offer for some lessons: of one that is like
// another, that it is its duplicate too.
func reasonsFor(ls []lessons.Lesson, like []index.Hit) []string {
	if len(ls) != 1 || len(like) == 0 {
		return reasons
	}
	return append(slices.Clip(reasons), "duplicate of "+string(like[0].Lesson.ID))
}

// sureMsg is the answer of a confirm.
type sureMsg struct {
	act act
	ls  []lessons.Lesson
}

// onAll asks once whether an act is meant for all of some lessons.
func (a act) onAll(ls []lessons.Lesson) out {
	if len(ls) == 0 {
		return say("nothing to %s", a.ask)
	}
	question := fmt.Sprintf("%s %d lessons?", a.ask, len(ls))
	if a.caution != "" {
		question = a.caution + ". " + question
	}
	return ask(confirm{question: question, yes: sureMsg{act: a, ls: ls}})
}
