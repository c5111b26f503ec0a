package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// chosen are the lessons that a key is for. Those that were marked have not been
// looked at one by one, even when it is only one: see [curate.Corpus.DecideMany].
type chosen struct {
	ls     []lessons.Lesson
	marked bool
	again  bool // the decision is one that was repeated
}

// only is the lesson under the cursor.
func only(l lessons.Lesson) chosen { return chosen{ls: []lessons.Lesson{l}} }

// choose returns the marked lessons of those in a list, or else the current one.
func choose(m kit.Marks, ls []lessons.Lesson, current lessons.Lesson, ok bool) chosen {
	if some := m.Of(ls); len(some) > 0 {
		return chosen{ls: some, marked: true}
	}
	if !ok {
		return chosen{}
	}
	return only(current)
}

// together are the lessons to merge: those that were chosen when they are several,
// or else the current one and the one most like it. Without any it is nil.
func (c chosen) together(current lessons.Lesson, like []index.Hit) []lessons.Lesson {
	switch {
	case len(c.ls) > 1:
		return c.ls
	case len(like) == 0:
		return nil
	}
	return []lessons.Lesson{current, like[0].Lesson}
}

// apart divides what was chosen into the lessons that an action takes and those
// that it leaves out.
func (c chosen) apart(a curate.Action) (may []lessons.Lesson, left []curate.Left) {
	if !c.marked {
		return c.ls, nil
	}
	return a.Apart(c.ls)
}

// decideMsg is the answer of a dialog: the decision to make on some lessons.
type decideMsg struct {
	action curate.Action
	chosen
	sure bool             // the person was asked, and said yes
	stay []lessons.Lesson // stay marked: they were left out
}

// before is what comes before a decision. The lesson under the cursor is decided
// on at once, and so is one that was marked; about several the person is asked
// once. What has to be left out is said, and if that is all, nothing is done.
func (c chosen) before(fx effects, a curate.Action) (o kit.Out, goAhead bool) {
	may, left := c.apart(a)
	switch {
	case len(may) == 0 && len(left) == 0:
		return kit.Say("nothing to %s", a.Verb), false
	case len(may) == 0:
		return kit.Warn("nothing is done: %s", alone(left)), false
	case len(may) == 1 && len(left) == 0:
		return kit.Out{}, true
	}
	d := newSeveral(a, c, may, left)
	return kit.Ask(d).And(kit.Run(fx.apart(a, c))), false
}

func leftOut(n int) string {
	if n == 1 {
		return "1 is left out: look at it alone"
	}
	return fmt.Sprintf("%s are left out: look at each alone", kit.Grouped(n))
}

// alone says why some lessons must be looked at one by one, the first of them by
// name.
func alone(left []curate.Left) string {
	says := fmt.Sprintf("“%s” must be looked at alone: %s", left[0].Lesson.Title(48), left[0].Why)
	if n := len(left) - 1; n > 0 {
		says += fmt.Sprintf("; and %s more", kit.Grouped(n))
	}
	return says
}

// confirm asks once before something is done to several lessons.
type confirm struct {
	question string
	left     []curate.Left // what is left out
	yes      tea.Msg       // the answer if so
}

func (c confirm) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return c, kit.Out{}
	}
	switch k.String() {
	case "y":
		return nil, kit.Out{Answer: c.yes}
	case "n", "esc", "q":
		return nil, kit.Out{}
	}
	return c, kit.Out{}
}

// confirmW is how wide a question gets, with its frame.
const confirmW = 92

func (c confirm) View(w, h int, st *look.Style) string {
	least := 36
	if len(c.left) > 0 {
		least = 76
	}
	w = min(w, max(len(c.question)+6, least), confirmW)
	lines := []string{""}
	for _, l := range kit.Wrap(c.question, w-6) {
		lines = append(lines, "  "+st.Strong.Render(l))
	}
	lines = append(lines, "")
	for i, l := range c.left {
		if len(lines) == h-4 && i < len(c.left)-1 {
			lines = append(lines, "  "+st.Dim.Render(fmt.Sprintf("and %s more", kit.Grouped(len(c.left)-i))))
			break
		}
		lines = append(lines, "  "+st.Warn.Render("! ")+lessons.Line(l.Lesson.Title(max(w-len(l.Why)-10, 12))+": "+l.Why))
	}
	if len(c.left) > 0 {
		lines = append(lines, "")
	}
	return kit.Box{Title: st.Accent.Render("sure?"), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

func (c confirm) Hints() []kit.Hint {
	return []kit.Hint{{Key: "y", Foot: "yes"}, {Key: "n esc", Foot: "no"}}
}

// decidedMsg answers decide, merge and settle: what was asked, what the lessons
// were and, unless err is set, what they are now.
type decidedMsg struct {
	action curate.Action
	before []lessons.Lesson
	after  []lessons.Lesson
	left   []curate.Left // what the decision left out
	again  bool          // the person asked for the same as before
	err    error
}

// report says what came of a decision.
func (m decidedMsg) report() kit.Note {
	if m.err == nil && len(m.before) == 0 {
		return kit.Note{Bad: true, Text: "nothing was done: " + alone(m.left)}
	}
	if m.err != nil {
		not := "not " + m.action.Done
		if strings.HasSuffix(not, ":") { // "confidence 0.50:", which a lesson is to follow
			not = "could not " + m.action.Verb + " it"
		}
		text := fmt.Sprintf("%s: %v", not, m.err)
		if conflicted(m.err) {
			text += " · shown anew"
		}
		if d := m.action.Draft(); d != nil {
			text += " · your text is kept, i and e go on with it: " + d.Path
		}
		return kit.Note{Bad: true, Text: text}
	}
	what := fmt.Sprintf("%d lessons", len(m.before))
	if len(m.before) == 1 {
		what = "“" + m.now().Title(48) + "”"
	}
	if i := slices.IndexFunc(m.after, func(l lessons.Lesson) bool { return l.Status != lessons.Merged }); i >= 0 && m.action.Op == lessons.OpMerge {
		what = fmt.Sprintf("%d into “%s”", len(m.before), m.after[i].Title(48))
	}
	if gone := m.untriggered(); len(gone) > 0 {
		what = "“" + m.now().Title(24) + "” · no longer shows when: " + strings.Join(gone, ", ")
	}
	if m.stands() {
		what = "“" + m.before[0].Title(24) + "” · agents still read it in a file: learnings reject " + string(m.before[0].ID) + " --from-file"
	}
	if len(m.left) > 0 {
		what += " · " + leftOut(len(m.left))
	}
	sign := map[lessons.Op]string{lessons.OpReject: look.Rejected, lessons.OpMerge: look.Merged}[m.action.Op]
	if m.action.Op == lessons.OpReject {
		name, _ := curate.Named(m.action.Reason)
		what += ": " + lessons.Line(cmp.Or(reasonShown(name), "no reason"))
	}
	if m.again {
		what += " · as before"
	}
	return kit.Note{Done: true, Text: cmp.Or(sign, look.Approved) + " " + m.action.Done + " " + what + " · u undoes it"}
}

// now is the one lesson of a decision as it is worded now.
func (m decidedMsg) now() lessons.Lesson {
	if len(m.after) == 1 {
		return m.after[0]
	}
	return m.before[0]
}

// stands reports that one lesson was rejected which still stands in a file that agents
// read.
func (m decidedMsg) stands() bool {
	return m.action.Op == lessons.OpReject && len(m.after) == 1 && len(m.before) == 1 && slices.ContainsFunc(m.after[0].Evidence, lessons.Evidence.Stands)
}

// untriggered are the triggers that a new wording of one lesson has cost it.
func (m decidedMsg) untriggered() []string {
	if m.action.Op != lessons.OpEdit || len(m.before) != 1 || len(m.after) != 1 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.before[0].Triggers), func(t string) bool { return slices.Contains(m.after[0].Triggers, t) })
}

// digit is the action of a key from 1 to 9, or of 0, which stands for ten.
func digit(k string) curate.Action {
	if k == "0" {
		return curate.Rate(1)
	}
	return curate.Rate(lessons.Confidence(k[0]-'0') / 10)
}

// nudge is how far the keys + and - move the confidence.
const nudge = 0.05

func nudged(l lessons.Lesson, k string) curate.Action {
	if k == "-" {
		return curate.Rate(l.Confidence - nudge)
	}
	return curate.Rate(l.Confidence + nudge)
}

// conflicted reports whether a decision failed because somebody else changed or
// removed a lesson meanwhile.
func conflicted(err error) bool {
	return errors.Is(err, lessons.ErrConflict) || errors.Is(err, lessons.ErrNotFound)
}
