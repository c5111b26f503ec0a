package desk

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// Chosen are the lessons a key acts on. Marked lessons count as not looked at one by one,
// even a single one: see [curate.Corpus.DecideMany].
type Chosen struct {
	Ls     []lessons.Lesson
	Marked bool
	Again  bool // it repeats the last decision
}

// Only returns the lesson under the cursor as chosen.
func Only(l lessons.Lesson) Chosen { return Chosen{Ls: []lessons.Lesson{l}} }

// Choose returns the marked lessons of ls, or the current one if none is marked.
func Choose(m kit.Marks, ls []lessons.Lesson, current lessons.Lesson, ok bool) Chosen {
	if some := m.Of(ls); len(some) > 0 {
		return Chosen{Ls: some, Marked: true}
	}
	if !ok {
		return Chosen{}
	}
	return Only(current)
}

// Together returns the lessons to merge: the chosen ones if there are several, otherwise
// the current one and the most similar one. It returns nil if there is no pair.
func (c Chosen) Together(current lessons.Lesson, like []index.Hit) []lessons.Lesson {
	switch {
	case len(c.Ls) > 1:
		return c.Ls
	case len(like) == 0:
		return nil
	}
	return []lessons.Lesson{current, like[0].Lesson}
}

// Apart splits the chosen lessons into those that the action may change and those it must
// leave out.
func (c Chosen) Apart(a curate.Action) (may []lessons.Lesson, left []curate.Left) {
	if !c.Marked {
		return c.Ls, nil
	}
	return a.Apart(c.Ls)
}

// DecideMsg is the answer of a dialog: a decision to make.
type DecideMsg struct {
	Action curate.Action
	Chosen
	Sure bool             // the person was asked and said yes
	Stay []lessons.Lesson // left out, so they stay marked
}

// LeftOut says how many lessons are left out.
func LeftOut(n int) string {
	if n == 1 {
		return "1 is left out: look at it alone"
	}
	return fmt.Sprintf("%s are left out: look at each alone", kit.Grouped(n))
}

// Alone says why lessons must be looked at one by one. It names the first.
func Alone(left []curate.Left) string {
	says := fmt.Sprintf("“%s” must be looked at alone: %s", left[0].Lesson.Title(48), left[0].Why)
	if n := len(left) - 1; n > 0 {
		says += fmt.Sprintf("; and %s more", kit.Grouped(n))
	}
	return says
}

// ConfirmW is the width of a question, frame included.
const ConfirmW = 92

// DecidedMsg is the result of a decision, a merge or a settlement. After is set unless
// Err is.
type DecidedMsg struct {
	Action curate.Action
	Before []lessons.Lesson
	After  []lessons.Lesson
	Left   []curate.Left // what the decision left out
	again  bool          // the person repeated the last decision
	Err    error
}

// Report returns the note about a decision.
func (m DecidedMsg) Report() kit.Note {
	if m.Err == nil && len(m.Before) == 0 {
		return kit.Note{Bad: true, Text: "nothing was done: " + Alone(m.Left)}
	}
	if m.Err != nil {
		not := "not " + m.Action.Done
		if strings.HasSuffix(not, ":") { // such as "confidence sure:", which a lesson is to follow
			not = "could not " + m.Action.Verb + " it"
		}
		text := fmt.Sprintf("%s: %v", not, m.Err)
		if conflicted(m.Err) {
			text += " · shown again"
		}
		if d := m.Action.Draft(); d != nil {
			text += " · your text is kept, i and e go on with it: " + d.Path
		}
		return kit.Note{Bad: true, Text: text}
	}
	what := fmt.Sprintf("%d lessons", len(m.Before))
	if len(m.Before) == 1 {
		what = "“" + m.now().Title(48) + "”"
	}
	if i := slices.IndexFunc(m.After, func(l lessons.Lesson) bool { return l.Status != lessons.Merged }); i >= 0 && m.Action.Op == lessons.OpMerge {
		what = fmt.Sprintf("%d into “%s”", len(m.Before), m.After[i].Title(48))
	}
	if gone := m.untriggered(); len(gone) > 0 {
		what = "“" + m.now().Title(24) + "” · no longer shows when: " + strings.Join(gone, ", ")
	}
	if m.stands() {
		what = "“" + m.Before[0].Title(24) + "” · agents still read it in a file: learnings reject " + string(m.Before[0].ID) + " --from-file"
	}
	if len(m.Left) > 0 {
		what += " · " + LeftOut(len(m.Left))
	}
	sign := map[lessons.Op]string{lessons.OpReject: look.Rejected, lessons.OpMerge: look.Merged}[m.Action.Op]
	if m.Action.Op == lessons.OpReject {
		name, _ := curate.Named(m.Action.Reason)
		what += ": " + lessons.Line(cmp.Or(ReasonShown(name), "no reason"))
	}
	if m.again {
		what += " · as before"
	}
	return kit.Note{Done: true, Text: cmp.Or(sign, look.Approved) + " " + m.Action.Done + " " + what + " · u undoes it"}
}

// now returns the one lesson of a decision in its new wording.
func (m DecidedMsg) now() lessons.Lesson {
	if len(m.After) == 1 {
		return m.After[0]
	}
	return m.Before[0]
}

// stands reports whether one lesson was rejected that still is in a file agents read.
func (m DecidedMsg) stands() bool {
	return m.Action.Op == lessons.OpReject && len(m.After) == 1 && len(m.Before) == 1 && slices.ContainsFunc(m.After[0].Evidence, lessons.Evidence.Stands)
}

// untriggered returns the triggers that one lesson lost with its old wording.
func (m DecidedMsg) untriggered() []string {
	if m.Action.Op != lessons.OpEdit || len(m.Before) != 1 || len(m.After) != 1 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.Before[0].Triggers), func(t string) bool { return slices.Contains(m.After[0].Triggers, t) })
}

// conflicted reports whether a decision failed because someone else changed or removed a
// lesson.
func conflicted(err error) bool {
	return errors.Is(err, lessons.ErrConflict) || errors.Is(err, lessons.ErrNotFound)
}

// ReasonShown returns a reason in the words of the list.
func ReasonShown(reason string) string {
	if reason == curate.Reasons[0] {
		return "one-off task"
	}
	return reason
}

// Report returns the note about an undo or redo.
func (m UndoneMsg) Report() kit.Note {
	switch {
	case m.Err != nil:
		return kit.Note{Bad: true, Text: fmt.Sprintf("%s: %v", m.Op, m.Err)}
	case len(m.Changes) == 0 && len(m.Passed) > 0 && m.Op == string(lessons.OpUndo):
		return kit.Note{Text: "nothing of this desk to undo; made elsewhere: " + turned(m.Passed[0].Op, m.Passed) + " (`" + m.Command + "` undoes it, H shows it)"}
	case len(m.Changes) == 0:
		return kit.Note{Text: "nothing to " + m.Op}
	}
	what := turned(m.Of, m.Changes)
	if m.Steps > 1 {
		what = fmt.Sprintf("%d decisions on %s; ctrl+r does them again", m.Steps, kit.LessonsOf(len(m.Changes)))
	}
	if m.Op == string(lessons.OpRedo) {
		return kit.Note{Done: true, Text: "✓ redone: " + what}
	}
	if len(m.Passed) > 0 {
		what += " · left, made elsewhere: " + turned(m.Passed[0].Op, m.Passed) + " (`" + m.Command + "`)"
	}
	return kit.Note{Done: true, Text: "✓ undone: " + what}
}

// turned names a decision and its lesson, or how many.
func turned(op lessons.Op, changes []lessons.Change) string {
	what := cmp.Or(pastOf[op], string(op), "what was done")
	if len(changes) > 1 {
		return what + fmt.Sprintf(" %d lessons", len(changes))
	}
	if l := cmp.Or(changes[0].After, changes[0].Before); l != nil {
		return what + " “" + l.Title(48) + "”"
	}
	return what + " " + string(changes[0].ID)
}

// pastOf has the past tense of operations.
var pastOf = map[lessons.Op]string{lessons.OpApprove: "approved", lessons.OpReject: "rejected", lessons.OpSnooze: "snoozed", lessons.OpEdit: "edited", lessons.OpMerge: "merged",
	lessons.OpResolve: "settled", lessons.OpArchive: "archived", lessons.OpReopen: "reopened", lessons.OpPin: "pinned", lessons.OpUnpin: "unpinned",
	lessons.OpConfirm: "confirmed", lessons.OpRestore: "restored", lessons.OpSplit: "split", lessons.OpPropose: "proposed", lessons.OpAdd: "added", lessons.OpRename: "moved"}
