package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"learnings/extractor"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Errors that a caller may want to tell apart.
var (
	ErrPaused   = errors.New("learning is paused")
	ErrExcluded = errors.New("the session is excluded by learning.exclude")
	ErrGiven    = errors.New("that is a lesson which the session itself was given")
)

// Sessions are the transcripts that an agent's report is checked against. An agent can
// say anything, so its quote must be in a transcript, the speaker is read from there,
// and words of the lesson that nobody said are listed. What cannot be checked is
// proposed as the agent's own word. Only those options count that say what is read and
// how; make them for each call, because a person may change them.
type Sessions struct {
	Places  transcript.Places
	Options extractor.Options
	Dir     string // working directory of the agent; "" if unknown
	Now     func() time.Time
}

// A Report is what an agent says that its session taught it.
type Report struct {
	lessons.Wording
	Category       lessons.Category
	Tags, Triggers []string
	Quote          string // the words that taught it; "" for none
	Session        string // where they were said; "" means one of the last in the same project
	Project        string // "" means that of the session, or else of the folder
	Global         bool
	Client         string // the reporting program, such as "claude-code"
}

// Confidence of a proposal by its source: a person in the transcript, the agent there,
// or only the agent's claim.
const (
	byPerson lessons.Confidence = 0.7
	byAgent  lessons.Confidence = 0.45
	byWord   lessons.Confidence = 0.35
)

// Proposal makes a finished proposal of a report: valid and without secrets. found
// reports whether the quote is in a transcript; Origin.Rule tells the person so.
// Transcripts that cannot be read are skipped.
func (s Sessions) Proposal(ctx context.Context, t Report) (l lessons.Lesson, found bool, err error) {
	if s.Options.Paused != nil && s.Options.Paused(s.Now()) {
		return l, false, ErrPaused
	}
	if s.Options.Excluded != nil && s.Options.Excluded(s.Dir, "") != "" {
		return l, false, ErrExcluded
	}
	l = lessons.Lesson{
		Status: lessons.Pending, Category: t.Category, Wording: t.Wording, Tags: t.Tags, Triggers: t.Triggers,
		Scope: lessons.Scope{Project: t.Project, Global: t.Global}, Origin: lessons.Origin{Source: t.Session, Extractor: "agent:" + t.Client},
	}
	why := "it quotes nothing"
	if fold(t.Quote) != "" {
		said, read, err := s.look(ctx, l, t)
		if err != nil || said.ID != "" {
			return said, err == nil, err
		}
		why = "what it quotes was not found in the session"
		if read == 0 {
			why = "no transcript of its session was found to check the quote"
		}
	}
	l, err = s.hearsay(l, t, why)
	return l, false, err
}

// hearsay finishes a proposal that only the agent's word supports.
func (s Sessions) hearsay(l lessons.Lesson, t Report, why string) (lessons.Lesson, error) {
	quote := t.Quote
	if fold(quote) == "" {
		quote = l.Content
	}
	now := s.Now().UTC().Truncate(time.Second)
	l.Created, l.Confidence, l.Lane = now, byWord, lessons.Maybe
	l.Origin.Rule = "an agent proposed it, and " + why
	l.Evidence = []lessons.Evidence{{Agent: t.Client, Session: t.Session, By: lessons.ByAgent, From: "told", At: now, Quote: quote}}
	if l.Scope.Project == "" && s.Options.Project != nil {
		l.Scope.Project = s.Options.Project(s.Dir)
	}
	if l.Scope.Role = s.Options.Role; l.Scope.Role == "" {
		l.Scope.Role = extractor.DefaultRole
	}
	if s.Options.Standing != nil {
		l = s.Options.Standing(s.Dir, l)
	}
	home, _ := os.UserHomeDir()
	l = redact.New().Lesson(redact.FromHome(l, home))
	l.ID = lessons.IDFrom("told", l.Scope.Project, fold(l.Content))
	if err := l.Validate(); err != nil {
		return l, err
	}
	if strings.TrimSpace(redact.Unmarked(l.Content)) == "" {
		return l, fmt.Errorf("%w: nothing of it is left without secrets", lessons.ErrInvalid)
	}
	return l, nil
}

// look finds the quote in the transcripts that may be of the session. It returns the
// proposal made of it, with an empty id if not found, and how many transcripts were
// read.
func (s Sessions) look(ctx context.Context, l lessons.Lesson, t Report) (said lessons.Lesson, read int, err error) {
	o := s.Options
	o.Known, o.Weigh, o.From, o.Progress, o.MinChars, o.Anew = nil, nil, nil, nil, 0, true
	quote := finder(t.Quote)
	for _, f := range s.candidates(t.Session) {
		q := &quoted{lesson: l, quote: quote, anyDir: f.Named, project: o.Project, dir: s.Dir}
		if !f.Named {
			q.session = t.Session
		}
		o.Proposers = []extractor.Proposer{q}
		named := f.Named
		f.Named = true // read it even if it is short
		b, err := extractor.Extract(ctx, f, extractor.Mark{}, o)
		switch {
		case ctx.Err() != nil:
			return said, read, ctx.Err()
		case err != nil:
			continue
		case b.Excluded != "" && named:
			return said, read, ErrExcluded
		case q.other || b.Excluded != "":
			continue
		}
		read++
		if len(b.Lessons) == 1 {
			return q.finish(b.Lessons[0]), read, nil
		}
		if b.Injected {
			return said, read, ErrGiven
		}
	}
	return said, read, nil
}

// quoted proposes one lesson at each place where a session has a quote.
type quoted struct {
	lesson  lessons.Lesson
	quote   *regexp.Regexp
	session string // the session required; "" for any
	anyDir  bool   // accept any project
	dir     string
	project func(string) string

	other   bool     // it is another session, or of another project
	persons []string // everything the person said
	near    []string // the quoted turns, with what they answer
}

// mostPlaces is the most turns of a window quoted for one lesson.
const mostPlaces = 3

// Propose implements [extractor.Proposer].
func (q *quoted) Propose(_ context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	elsewhere := !q.anyDir && q.project != nil && q.dir != "" && s.Dir != "" && q.project(s.Dir) != q.project(q.dir)
	if q.other = q.session != "" && s.ID != q.session || elsewhere; q.other {
		return nil, nil
	}
	var found []lessons.Evidence
	for i := range turns {
		t := &turns[i]
		by := speaker(t)
		if by == lessons.ByPerson {
			q.persons = append(q.persons, t.Text)
		}
		if by == "" {
			continue
		}
		words := q.quote.FindString(t.Text)
		if words == "" {
			continue
		}
		q.near = append(q.near, t.Text, t.Name)
		if t.Tool != nil {
			q.near = append(q.near, t.Tool.Command)
		}
		if by == lessons.ByPerson && extractor.Affirms(t.Text) {
			q.near = append(q.near, answered(turns, i))
		}
		from := ""
		switch {
		case by == lessons.ByPerson:
			from = t.Kind.From()
		case t.Failed:
			from = "tool-error"
		}
		found = append(found, lessons.Evidence{
			Agent: string(s.Agent), Session: t.Session, UUID: t.UUID, Line: t.Line, By: by, From: from, At: t.At, Quote: words,
			Before: transcript.Around(turns, i, -1, nil), After: transcript.Around(turns, i, 1, nil),
		})
	}
	if len(found) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(found, func(a, b lessons.Evidence) int { return order[a.By] - order[b.By] })
	first := found[0].By
	found = slices.DeleteFunc(found, func(e lessons.Evidence) bool { return e.By != first })
	l := q.lesson
	l.Evidence, l.Confidence, l.Lane = found[:min(len(found), mostPlaces)], byAgent, lessons.Maybe
	if first == lessons.ByPerson {
		l.Confidence, l.Lane = byPerson, ""
	}
	return []lessons.Lesson{l}, nil
}

var order = map[lessons.Speaker]int{lessons.ByPerson: 0, lessons.ByAgent: 1, lessons.ByTool: 2}

// speaker returns who said the words of a turn that can be quoted; "" for none.
func speaker(t *transcript.Turn) lessons.Speaker {
	switch {
	case t.Sidechain:
		return ""
	case t.Speaker == transcript.Person && t.Kind.Spoken() && !t.Scripted:
		return lessons.ByPerson
	case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
		return lessons.ByAgent
	case t.Speaker == transcript.Tool:
		return lessons.ByTool
	}
	return ""
}

// answered returns the agent's message that a person's turn answers; "" for none.
func answered(turns []transcript.Turn, at int) string {
	for i := at - 1; i >= 0; i-- {
		switch speaker(&turns[i]) {
		case lessons.ByPerson:
			return ""
		case lessons.ByAgent:
			return turns[i].Text
		}
	}
	return ""
}

// finish records in a finished proposal who said its quote, and which of its words
// nobody said.
func (q *quoted) finish(l lessons.Lesson) lessons.Lesson {
	if l.SaidBy() == lessons.ByPerson {
		l.Evidence = slices.DeleteFunc(l.Evidence, func(e lessons.Evidence) bool { return e.By != lessons.ByPerson })
		l.Confidence, l.Lane = byPerson, "" // the first window may have had only the agent's words
	}
	near := extractor.Heard{extractor.NewSpeech(q.near)}
	l.Origin.Unsaid = extractor.Unsaid(l.Wording, near, append(near, extractor.NewSpeech(q.persons)))
	who := map[lessons.Speaker]string{lessons.ByPerson: "you said", lessons.ByAgent: "it said itself", lessons.ByTool: "a tool answered"}[l.Evidence[0].By]
	l.Origin.Rule = "an agent proposed it, and quotes what " + who + " in the session"
	if l.Quarantined() {
		l.Confidence = min(l.Confidence, lessons.MaxHearsay)
	}
	return contrary(l)
}

// Reported is what became of a report.
type Reported struct {
	Lesson lessons.Lesson // as stored now: the proposal, or the lesson that says the same
	New    bool           // the proposal waits for a person
	Joined bool           // its evidence, and its words if they differ, went to a pending proposal
}

// Report takes in the proposal of a report, compared with the corpus as in
// [Intake.Import]. It does not touch a lesson that a person has decided on: an agent's
// word adds no evidence to an approved or rejected lesson. The lesson must be valid and
// without secrets.
func (in *Intake) Report(ctx context.Context, l lessons.Lesson) (Reported, error) {
	k, err := in.Known(ctx, l)
	if err != nil {
		return Reported{}, err
	}
	if k.ID == "" || k.Reopen {
		stored, err := in.propose([]lessons.Lesson{l})
		switch {
		case err != nil:
			return Reported{}, fmt.Errorf("storing what was reported: %w", err)
		case len(stored) == 1:
			return Reported{Lesson: stored[0], New: true}, nil
		}
		k.ID = l.ID // another process was first
	}
	old, err := in.store.Get(k.ID)
	if err != nil {
		return Reported{}, fmt.Errorf("reading what says the same: %w", err)
	}
	if old.Status != lessons.Pending {
		return Reported{Lesson: old}, nil
	}
	again := extractor.Again{ID: old.ID, Status: old.Status, Evidence: l.Evidence}
	if k.Offer || old.Offer == (lessons.Offer{}) && !pairs.Same(old, l) && sharesMoment(old, l) {
		again.Offer = &l
	}
	if err := in.testify(old, again); err != nil {
		return Reported{}, err
	}
	now, err := in.store.Get(old.ID)
	return Reported{Lesson: now, Joined: now.Rev != old.Rev}, err
}
