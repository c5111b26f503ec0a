package decide

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// ApproveTextMsg asks to approve a lesson with the typed text.
type ApproveTextMsg struct {
	Edit   curate.Action
	Lesson lessons.Lesson // as stored
	Edited lessons.Lesson
	Reader bool // it was open in a reader, which goes on to the next one
}

// ApproveText stores a text and approves the lesson. If an active lesson contradicts it,
// it only stores the text.
func ApproveText(fx desk.Desk, edit curate.Action, edited lessons.Lesson, c desk.Chosen) kit.Job {
	return func(ctx context.Context) tea.Msg {
		_, against := fx.Corpus.Near(ctx, edited, 0)
		other, ok := curate.Active(against)
		if !ok {
			return fx.Decide(edit.Then(curate.Approve), c)(ctx)
		}
		m := fx.Decide(edit, c)(ctx).(desk.DecidedMsg)
		if m.Err == nil {
			m.Action, m.Err = curate.Approve, fmt.Errorf("its text is stored, but it contradicts “%s”, which is active: c settles it", other.Title(48))
		}
		return m
	}
}

// Asked requires a typed yes if the text is flagged.
func (m ApproveTextMsg) Asked(fx desk.Desk) (kit.Out, bool) {
	if len(card.Flags(m.Edited)) == 0 {
		return kit.Out{}, false
	}
	yes := TypedYes{Chosen: desk.Only(m.Lesson), Action: m.Edit.Then(curate.Approve), Typed: &m.Edited, In: kit.NewField("")}
	return kit.Ask(yes).And(kit.Out{Writes: []kit.Job{KeepText(fx, m.Lesson, m.Edited)}}), true
}

// DraftKept returns a warning if a draft could not be kept.
func DraftKept(err error) tea.Msg {
	if err == nil {
		return nil
	}
	return kit.OutMsg{Out: kit.Warn("the draft could not be kept: %v", err)}
}

// KeepText keeps the text as a draft.
func KeepText(fx desk.Desk, l, edited lessons.Lesson) kit.Job {
	return func(context.Context) tea.Msg {
		_, err := curate.Keep(fx.Corpus, l, edited)
		return DraftKept(err)
	}
}

// Store stores a text typed over a reader that has no list beneath it.
func (m ApproveTextMsg) Store(fx desk.Desk) kit.Out {
	if o, asked := m.Asked(fx); asked {
		return o
	}
	return kit.Out{Writes: []kit.Job{ApproveText(fx, m.Edit, m.Edited, desk.Only(m.Lesson))}}
}
