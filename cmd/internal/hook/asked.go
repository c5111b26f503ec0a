package hook

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"learnings/extractor/live"
	"learnings/lessons"
	"learnings/lessons/store"
)

// This file stores what a person types to have it remembered, "Remember: …" or "from now on
// …", when they type it: the transcript may not have the prompt yet, and may never be found.
// It becomes a proposal like any other. Whoever starts the hook can say that a person typed
// this, so only the transcript, once it is read, gives the evidence its line.

// mostAsked is how many prompts of a day are stored at once. The others are found in their
// transcripts.
const mostAsked = 50

// remember stores what the prompt asks to have remembered, and keeps what to tell the person.
func (t *telling) remember() {
	p := t.payload
	if t.Asked == nil || t.Note == nil || p.Part != "" || t.Excluded != nil && t.Excluded(p.Dir, p.Path) != "" {
		return
	}
	agent, now := t.agent.transcript, t.Now().UTC().Truncate(time.Second)
	if agent == "" {
		agent = agentOf(p.Path)
	}
	l, ok := t.Asked(p.Prompt, lessons.Evidence{Path: p.Path, Agent: agent, Session: p.Session, At: now},
		lessons.Scope{Project: t.Project(p.Dir), Role: cmp.Or(p.Role, t.Role)})
	if !ok {
		return
	}
	may, err := live.Rate{State: t.State, Name: "remembered", Most: mostAsked, Span: 24 * time.Hour}.Allow(t.Now())
	if err == nil && may {
		l, err = t.stored(l)
	}
	t.trouble(err)
	if err != nil || !may {
		return
	}
	waits := "waits for your decision: `learnings` opens the desk"
	switch l.Status {
	case lessons.Approved:
		waits = "is approved already"
	case lessons.Rejected:
		waits = "is what you rejected before; `learnings edit " + string(l.ID) + " --status pending` asks again"
	}
	t.says = fmt.Sprintf("learnings: “%s” %s.", l.Title(100), waits)
}

// stored stores a proposal, or returns the lesson that has its id.
func (t *telling) stored(l lessons.Lesson) (lessons.Lesson, error) {
	st, err := store.Open(t.Corpus, store.Options{State: t.State, Now: t.Now})
	if err != nil {
		return l, err
	}
	if old, err := st.Get(l.ID); err == nil {
		return old, nil
	}
	_, err = st.Put(store.Write{Op: lessons.OpPropose, By: "learnings hook", Session: l.Origin.Source}, l)
	if errors.Is(err, lessons.ErrConflict) {
		return st.Get(l.ID)
	}
	return l, err
}
