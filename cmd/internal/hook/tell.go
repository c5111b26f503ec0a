package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/extractor/live"
	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/proof"
	"learnings/lessons/store"
)

const (
	// twice is the time within which two equal calls count as one: the same hook may be
	// in the settings and in a plugin.
	twice = 2 * time.Second
	// twiceCall is the same for a failed call without an id, which the agent may soon
	// repeat.
	twiceCall = 250 * time.Millisecond

	// errorLessons is how many lessons are given on a call that keeps failing.
	errorLessons = 2

	// lookup is the time limit for searching the tree of a session.
	lookup = 250 * time.Millisecond

	// spins is how many times a call fails before the agent is told.
	spins = 4
)

// A telling handles one event at which an agent may be given lessons.
type telling struct {
	Config
	agent   agent
	event   event
	payload payload
	outcome *outcome
	says    string // to the person; "" for nothing
}

// situation returns what is known of the agent's task.
func (t *telling) situation() recall.Situation {
	p := t.payload
	s := recall.Situation{Role: p.Role, Agent: t.agent.transcript, TrustEdits: t.TrustEdits, Session: p.Session, Holdout: t.Holdout, Now: t.Now()}
	s.Agent = cmp.Or(s.Agent, agentOf(p.Path))
	s.Role = cmp.Or(s.Role, t.Role)
	if p.Dir != "" {
		s.Project = t.Project(p.Dir)
		s.Tree = recall.TreeOf(p.Dir, t.State, lookup)
	}
	s.Known = recall.KnownOf(t.State, s.Project)
	t.outcome.rec.project = s.Project
	return s
}

// memory returns what the session was given. It is false when another process answers the
// same call. Errors in the memory do not keep the agent from getting lessons.
func (t *telling) memory(part, key string, within time.Duration) (*proof.Session, bool) {
	m := t.remembered(part)
	return m, t.mine(m, string(t.event)+"/"+key, within)
}

// remembered returns what the session was given, for events that often give nothing.
func (t *telling) remembered(part string) *proof.Session {
	m, err := proof.SessionOf(t.State, t.payload.Session, part, t.Now())
	t.trouble(err)
	if info, err := os.Stat(t.payload.Path); err == nil && info.Mode().IsRegular() {
		m.Grown(info.Size())
	}
	return m
}

func (t *telling) mine(m *proof.Session, key string, within time.Duration) bool {
	mine, err := m.Claim(key, within)
	if t.trouble(err); !mine {
		t.outcome.rec.via = "answered"
	}
	return mine
}

func (t *telling) trouble(errs ...error) {
	t.outcome.rec.err = errors.Join(t.outcome.rec.err, errors.Join(errs...))
}

// start gives a session its lessons, at its start and whenever the model has lost them.
func (t *telling) start(ctx context.Context) error {
	source := t.payload.Source
	if strings.EqualFold(strings.ReplaceAll(t.payload.Event, "_", ""), "agentresume") || strings.EqualFold(t.payload.Event, "TaskResume") {
		source = "resume"
	}
	m, mine := t.memory("", oneWord(source)+oneWord(t.payload.Runs), twice)
	if !mine {
		return nil
	}
	proof.SweepSessions(t.State, t.Now())
	var had, lost []lessons.ID
	if (source == "resume" || source == "fork") && t.agent.resumes != nothing {
		had = m.Had(t.agent.resumes == allOnes)
	} else {
		lost = m.Had(false)
		t.trouble(m.Reset())
	}
	t.trouble(m.SetMark(0))
	return t.whole(ctx, m, t.payload.Prompt, had, lost)
}

// whole gives the lessons of a session's start, except those in had, and the later ones
// in lost that the model no longer has.
func (t *telling) whole(ctx context.Context, m *proof.Session, prompt string, had, lost []lessons.ID) error {
	s := t.situation()
	s.Recent = lost
	b := recall.Budget{Lessons: t.MaxInject, Start: t.StartTokens}
	chosen, err := t.picker(ctx).Whole(s, prompt, b)
	if err == nil && recall.Waiting(chosen) > 0 {
		// Not all fit: put what the work is about first.
		s.Around, s.Recent = s.Tree.Around(), append(lost, proof.LatestInjected(t.State, s.Project, t.payload.Session)...)
		if s.Around != "" || len(s.Recent) > len(lost) {
			chosen, err = t.picker(ctx).Whole(s, prompt, b)
		}
	}
	if err != nil {
		return err
	}
	for i := range chosen {
		if c := &chosen[i]; c.In && slices.Contains(had, c.Lesson.ID) {
			c.In, c.Had = false, true
		}
	}
	return t.give(m, chosen, s, "", true)
}

// prompt stores what a prompt asks to have remembered, and gives lessons on its subject.
func (t *telling) prompt(ctx context.Context) error {
	t.remember()
	if !t.agent.answers(t.event) {
		return nil
	}
	var err error
	if t.MaxInject > 0 {
		err = t.promptLessons(ctx)
	}
	if len(t.outcome.text) == 0 {
		t.outcome.text = t.answer("")
	}
	return err
}

// promptLessons gives lessons on the subject of a prompt that the session has not had.
func (t *telling) promptLessons(ctx context.Context) error {
	said := t.payload.Prompt
	ask := !recall.Idle(said)
	forgets := t.agent.name == "gemini" // it does not report compactions
	if !ask && !forgets {
		return nil
	}
	m, mine := t.memory("", hashed(said), twice)
	if !mine {
		return nil
	}
	if forgets {
		compacted, err := forgotten(t.payload.Path, m)
		t.trouble(err)
		if compacted {
			return t.whole(ctx, m, said, m.Had(true), nil)
		}
	}
	if !ask {
		return nil
	}
	t.trouble(m.Prompted())
	s := t.situation()
	chosen, err := t.about(ctx, s, m)
	if err != nil {
		return err
	}
	return t.give(m, chosen, s, "", false)
}

// about chooses lessons for a prompt. If nothing new matches, lessons given long ago may
// be repeated.
func (t *telling) about(ctx context.Context, s recall.Situation, m *proof.Session) ([]recall.Choice, error) {
	had := m.HadLately(true)
	for {
		chosen, err := t.picker(ctx).About(s, t.payload.Prompt, had, t.MaxInject)
		if err != nil {
			return nil, err
		}
		was := len(had)
		for i, id := range recall.IDs(chosen) {
			if i > 0 && slices.Contains(m.Had(true), id) {
				had = append(had, id)
			}
		}
		if len(had) == was {
			return chosen, nil
		}
	}
}

// subagent gives a subagent the lessons of its role.
func (t *telling) subagent(ctx context.Context) error {
	m, mine := t.memory(t.part(), "-", twice)
	if !mine {
		return nil
	}
	return t.whole(ctx, m, "", m.Had(true), nil)
}

// part identifies the calling subagent, by its id or else its type.
func (t *telling) part() string {
	p := t.payload
	if p.Part == "" && t.event == subagentStart {
		return "type " + p.Role
	}
	return p.Part
}

// failure gives lessons on the error of a call, and says when the same call keeps
// failing.
func (t *telling) failure(ctx context.Context) error {
	c := t.payload.call
	if t.event == toolFailure && !c.failed && c.error == "" && c.tool == "" {
		return errors.New("the agent did not say which call failed")
	}
	if !c.failed && t.event == postTool {
		return t.doing(ctx, t.call())
	}
	if !c.failed {
		return nil
	}
	key, within := c.id, 24*time.Hour
	if key == "" {
		key, within = strconv.FormatUint(c.print, 36), twiceCall
	}
	m, mine := t.memory(t.part(), oneWord(key), within)
	if !mine {
		return nil
	}
	times, err := m.Fail(c.print ^ errorPrint(c.error))
	t.trouble(err)
	s := t.situation()
	s.OnlySubject = true
	chosen, err := t.picker(ctx).Doing(s, recall.MomentOf(c.tool, t.call(), c.error), m.HadLately(true), t.MaxInject)
	if err != nil {
		return err
	}
	note := ""
	if times == spins {
		note = fmt.Sprintf("%s has failed %d times in this session, each time with the same error.", t.named(), times)
		for _, id := range chosenHad(chosen) {
			note += fmt.Sprintf(" %s is about it.", id.Handle())
		}
	}
	return t.give(m, chosen, s, note, false)
}

// doing gives lessons that name the command or file of a tool call. Most calls match
// nothing, and then nothing is written.
func (t *telling) doing(ctx context.Context, call *guard.Call) error {
	moment := recall.MomentOf(t.payload.call.tool, call, "")
	if moment.Empty() {
		return nil
	}
	m, s := t.remembered(t.part()), t.situation()
	s.OnlySubject = true
	chosen, err := t.picker(ctx).Doing(s, moment, m.HadLately(true), t.MaxInject)
	chosen = slices.DeleteFunc(chosen, func(c recall.Choice) bool { return !c.In && !c.Held })
	if err != nil || len(chosen) == 0 {
		return err
	}
	key := "" // concurrent calls get the same lessons once
	for _, c := range chosen {
		key += string(c.Lesson.ID) + " "
	}
	if !t.mine(m, "doing/"+hashed(key), twice) {
		return nil
	}
	return t.give(m, chosen, s, "", false)
}

// call returns the agent's tool call.
func (t *telling) call() *guard.Call {
	if in := t.payload.call.input; in != nil {
		return guard.Look(t.payload.call.tool, in, t.payload.Dir)
	}
	return &guard.Call{}
}

// named describes a call.
func (t *telling) named() string {
	if says := (lessons.Wording{Content: t.payload.call.says}).Title(100); says != "" {
		return "`" + strings.ReplaceAll(says, "`", "'") + "`"
	}
	return "The same call of " + word(t.payload.call.tool)
}

// chosenHad returns the matching lessons that the session has had already.
func chosenHad(chosen []recall.Choice) (ids []lessons.ID) {
	for _, c := range chosen {
		if c.Had && c.Rank > 0 && len(ids) < errorLessons {
			ids = append(ids, c.Lesson.ID)
		}
	}
	return ids
}

func (t *telling) picker(ctx context.Context) recall.Picker {
	return func(s recall.Situation, b recall.Budget, must bool) ([]recall.Choice, error) {
		return t.pick(ctx, s, b, must)
	}
}

// pick queries the index and checks each lesson against its file. If the index cannot
// answer and must is set, it reads the files.
func (t *telling) pick(ctx context.Context, s recall.Situation, b recall.Budget, must bool) ([]recall.Choice, error) {
	st, err := store.Open(t.Corpus, store.Options{State: t.State, Now: t.Now})
	if err != nil {
		return nil, err
	}
	rec := &t.outcome.rec
	rec.via = "index"
	chosen, err := recall.Pick(ctx, index.At(t.Index), st.Reread, s, b)
	if err == nil || ctx.Err() != nil || !must {
		return chosen, err
	}
	rec.via = "files"
	t.trouble(err)
	x, done, err := index.Over(ctx, approved(ctx, st, s.Project))
	if err != nil {
		return nil, err
	}
	defer done()
	// Only the store knows which lessons came from outside.
	return recall.Pick(ctx, x, func(l lessons.Lesson) (lessons.Lesson, error) { return st.Get(l.ID) }, s, b)
}

// approved yields the approved lessons of a project and the global ones from their files.
func approved(ctx context.Context, st *store.Store, project string) iter.Seq2[lessons.Lesson, error] {
	return func(yield func(lessons.Lesson, error) bool) {
		for l, err := range st.All() {
			if ctx.Err() != nil {
				return
			}
			if err == nil && l.Status == lessons.Approved && (l.Scope.Global || l.Scope.Project == project) && !yield(l, nil) {
				return
			}
		}
	}
}

// give prints the chosen lessons and records them once printed.
func (t *telling) give(m *proof.Session, chosen []recall.Choice, s recall.Situation, note string, start bool) error {
	var text strings.Builder
	if err := recall.Write(&text, chosen, recall.Style{Project: s.Project, Note: note}); err != nil {
		return fmt.Errorf("writing the lessons: %v", err)
	}
	out := t.answer(text.String())
	var ids []lessons.ID
	if text.Len() > 0 {
		ids = recall.IDs(chosen)
	}
	t.outcome.text, t.outcome.rec.given = out, len(ids)
	r := proof.Injection{
		At: t.Now(), Session: t.payload.Session, Part: t.part(), Agent: s.Agent, Event: string(t.event), Project: s.Project, Lessons: ids,
	}
	for _, c := range chosen {
		switch {
		case c.Held:
			r.Held = append(r.Held, c.Lesson.ID)
		case !c.In && !c.Had && s.OnlySubject && c.Evidence.Enough():
			r.Matched = append(r.Matched, c.Lesson.ID)
		}
	}
	t.outcome.done = func() error {
		return errors.Join(m.Give(ids, start), proof.LogInjection(t.State, r), s.Tree.Close())
	}
	return nil
}

// answer returns the answer that gives text to the model and says to the person what there
// is to say. Where only the model hears a hook, it is asked to pass that on.
func (t *telling) answer(text string) []byte {
	switch {
	case t.says == "":
	case !t.agent.shows:
		text = strings.TrimPrefix(text+"\n\n", "\n\n") + "The user has a note, to be passed on to them in one line: " + t.says
	case text == "":
		return aside.filled("SAYS", t.says)
	default:
		return enveloped.with(aside).filled("EVENT", t.agent.eventName(t.event, t.payload.Event), "TEXT", text, "SAYS", t.says)
	}
	return t.agent.context(t.event, t.payload.Event, text)
}

// hashed returns a hash of a text as a word.
func hashed(s string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return strconv.FormatUint(h.Sum64(), 36)
}

// oneWord makes a key from an agent's text.
func oneWord(s string) string {
	if s == "" {
		return "-"
	}
	return hashed(s)
}

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
	agent = cmp.Or(agent, agentOf(p.Path))
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
