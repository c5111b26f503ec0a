package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// A Mistake was made in several sessions.
type Mistake struct {
	ID       lessons.ID         // of the lesson that [Mistake.Proposal] makes; the same in every run
	Name     string             // its first words that say something; without secrets
	Doing    string             // the tool, or the program and subcommand that it ran
	Error    string             // the line that says what was wrong; without secrets
	Ways     int                // how many different errors it joins
	Parts    []lessons.ID       // the ids that these errors have on their own
	Count    int                // how often it was made
	Sessions int                // sessions that made it
	Projects []string           // where it was made, most often first
	First    time.Time          // zero where no transcript says
	Last     time.Time          // zero where no transcript says
	Cure     Cure               // what avoids it; zero if no session shows that
	Evidence []lessons.Evidence // one piece from each of at most 20 sessions
}

const (
	// maxErrorKinds bounds the different errors kept, so that a hostile transcript
	// cannot fill the memory.
	maxErrorKinds = 20_000
	// maxEvidence is the most sessions named for one mistake. More tell a reviewer
	// nothing new.
	maxEvidence = 20
	// nearby is how many lessons of the index are compared with a mistake.
	nearby = 10
	// maxShown is the most bytes of an error that a proposal repeats.
	maxShown = 300
	// nameWords is the number of words in the name of a mistake.
	nameWords = 3
)

// A Cure is what avoids a mistake: the form in which the failed call worked a little
// later in a session of the project. Its texts are redacted.
type Cure struct {
	rules.Cure
	Project string
	Times   int // how often it was seen
}

// IsLesson reports whether a lesson advises what the cure does, for its project.
func (c Cure) IsLesson(l lessons.Lesson) bool {
	return c.Says != "" && strings.EqualFold(rules.Family(l.Content), rules.Family(c.Says)) && (l.Scope.Global || l.Scope.Project == c.Project)
}

// A Search selects recurring mistakes.
type Search struct {
	Project string // where they were made; "" for all
	Least   int    // the least number of sessions that made a mistake
	// Done, if set, is called after each file, in order, with the number of errors in
	// it or the reason why it could not be read.
	Done func(f transcript.File, errors int, err error)
}

// Find returns the mistakes that agents repeat: errors of tools in several sessions,
// the most widespread first. It groups errors that differ only in times, ids, folders
// and numbers, joins groups that read alike, and says what avoids them if a session
// shows that. It skips files that cannot be read. The only error is that of ctx.
func Find(ctx context.Context, files []transcript.File, o Options, want Search) ([]Mistake, error) {
	g := gathering{all: map[lessons.ID]*gathered{}, records: map[string]bool{}}
	for s, err := range o.sessions(ctx, files) {
		n := 0
		for i := range s.Events {
			if e := &s.Events[i]; e.Fails != nil {
				n++
				if want.Project == "" || s.Project == want.Project {
					g.add(&s, e)
				}
			}
		}
		if want.Done != nil {
			want.Done(s.File, n, err)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return clustered(slices.Collect(maps.Values(g.all)), want.Least), nil
}

// gathered holds the errors with the same fingerprint.
type gathered struct {
	id           lessons.ID
	print        string
	doing, error string
	count        int
	sessions     map[string]bool
	projects     map[string]int
	first, last  time.Time
	evidence     []lessons.Evidence
	cures        map[[2]string]*Cure // by project and text
	parts        []lessons.ID        // of the errors that it leads, its own first; nil if it joined another
}

// A gathering holds what has been found so far.
type gathering struct {
	all     map[lessons.ID]*gathered
	records map[string]bool // records already counted
}

func (g *gathering) add(s *Session, e *Event) {
	f := e.Fails
	if key := e.UUID + "\x00" + string(f.ID); e.UUID != "" {
		if g.records[key] {
			return
		}
		g.records[key] = true
	}
	m := g.all[f.ID]
	if m == nil {
		if len(g.all) >= maxErrorKinds {
			return
		}
		m = &gathered{id: f.ID, print: f.Print, doing: f.Doing, error: f.Says, sessions: map[string]bool{}, projects: map[string]int{}, cures: map[[2]string]*Cure{}}
		g.all[f.ID] = m
	}
	x := lessons.Evidence{
		Agent: string(s.Record.Session.Agent), Session: cmp.Or(e.Session, s.name()), UUID: e.UUID, Path: s.Path, Line: e.Line,
		By: lessons.ByTool, From: "tool-error", At: e.At, Quote: f.Says,
	}
	if call := s.of(e); call.Does != nil && call.Does.Command != "" {
		x.Before = []string{"agent, " + call.Tool + ": " + clipped(call.Does.Command)}
	}
	m.count++
	m.projects[s.Project]++
	m.when(e.At)
	m.witness(x)
	m.sessions[x.Session] = true
	if f.Cure != nil {
		m.cured(Cure{Cure: *f.Cure, Project: s.Project, Times: 1})
	}
}

func (m *gathered) when(t time.Time) {
	if t.IsZero() {
		return
	}
	if m.first.IsZero() || t.Before(m.first) {
		m.first = t
	}
	if t.After(m.last) {
		m.last = t
	}
}

// witness keeps one piece of evidence for each session.
func (m *gathered) witness(e lessons.Evidence) {
	same := func(have lessons.Evidence) bool { return have.Session == e.Session }
	if len(m.evidence) < maxEvidence && !slices.ContainsFunc(m.evidence, same) {
		m.evidence = append(m.evidence, e)
	}
}

// join adds another error to this one.
func (m *gathered) join(o *gathered) {
	m.count += o.count
	maps.Copy(m.sessions, o.sessions)
	for p, n := range o.projects {
		m.projects[p] += n
	}
	m.when(o.first)
	m.when(o.last)
	for _, e := range o.evidence {
		m.witness(e)
	}
	if m.doing != o.doing {
		return // a cure for another program does not apply
	}
	for _, c := range o.cures {
		m.cured(*c)
	}
}

// byReach orders by the number of sessions, most first.
func byReach(a, b *gathered) int {
	return cmp.Or(cmp.Compare(len(b.sessions), len(a.sessions)), cmp.Compare(b.count, a.count), cmp.Compare(a.print, b.print))
}

// clustered joins the errors that read alike and returns those in at least least
// sessions.
func clustered(all []*gathered, least int) []Mistake {
	slices.SortFunc(all, byReach)
	texts := make([][]string, len(all))
	for i, m := range all {
		texts[i] = slices.DeleteFunc(index.Words(rules.Stable(m.error)), func(w string) bool { return replaced[w] })
	}
	for i, k := range leaders(texts, alikeErrors) {
		all[k].parts = append(all[k].parts, all[i].id)
		if k != i {
			all[k].join(all[i])
		}
	}
	all = slices.DeleteFunc(all, func(m *gathered) bool { return len(m.parts) == 0 || len(m.sessions) < least })
	slices.SortStableFunc(all, byReach)
	out := make([]Mistake, len(all))
	for n, m := range all {
		names := slices.DeleteFunc(pairs.Words(rules.Stable(m.error)), func(w string) bool { return replaced[w] || pairs.Common(w) })
		out[n] = Mistake{
			ID: m.id, Name: strings.Join(names[:min(nameWords, len(names))], " "), Doing: m.doing, Error: m.error,
			Ways: len(m.parts), Parts: m.parts, Count: m.count, Sessions: len(m.sessions), Projects: m.projectNames(), First: m.first, Last: m.last, Cure: m.cure(), Evidence: m.evidence,
		}
	}
	return out
}

// cured counts a cure.
func (m *gathered) cured(c Cure) {
	key := [2]string{c.Project, c.Says}
	if have := m.cures[key]; have != nil {
		have.Times += c.Times
	} else {
		m.cures[key] = &c
	}
}

// cure returns the cure seen most often.
func (m *gathered) cure() (c Cure) {
	for _, o := range m.cures {
		if cmp.Or(cmp.Compare(o.Times, c.Times), cmp.Compare(c.Project, o.Project), cmp.Compare(c.Says, o.Says)) > 0 {
			c = *o
		}
	}
	return c
}

func (m *gathered) projectNames() []string {
	return slices.SortedFunc(maps.Keys(m.projects), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.projects[b], m.projects[a]), cmp.Compare(a, b))
	})
}

// replaced are the placeholders of [rules.Stable] and the mark of redaction.
var replaced = map[string]bool{"redact": true, "0": true, "url": true, "time": true, "id": true, "tmp": true}

// Lesson finds the lesson about a mistake: the one proposed from it, or one in the
// index on its subject. It is nil if there is no lesson or no index. The only error is
// that of ctx.
func (m Mistake) Lesson(ctx context.Context, get func(lessons.ID) (lessons.Lesson, error), x *index.Index) (*lessons.Lesson, error) {
	if l, err := get(m.ID); err == nil {
		return &l, nil
	}
	about := strings.TrimSpace(m.Doing + " " + m.Error + " " + m.Cure.Says)
	like := lessons.Lesson{Status: lessons.Pending, Wording: lessons.Wording{Content: about}, Scope: lessons.Scope{Global: true}}
	hits, err := x.Similar(ctx, like, nearby)
	if err != nil {
		return nil, ctx.Err()
	}
	for _, hit := range hits {
		if l := hit.Lesson; l.Status != lessons.Merged && m.isSubjectOf(l) {
			return &l, nil
		}
	}
	return nil, nil
}

// isSubjectOf reports whether a lesson is about a mistake, judged by its sentence or
// its evidence.
func (m Mistake) isSubjectOf(l lessons.Lesson) bool {
	if m.Cure.IsLesson(l) || pairs.OnSubject(l.Content, m.Error) {
		return true
	}
	return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.By == lessons.ByTool && rules.Stable(e.Quote) == rules.Stable(m.Error)
	})
}

// Span returns the first and last day, in local time; "" if unknown.
func (m Mistake) Span() string {
	if m.First.IsZero() {
		return ""
	}
	return m.First.Local().Format(time.DateOnly) + " to " + m.Last.Local().Format(time.DateOnly)
}

// Proposal makes a lesson of a mistake. It says what avoids the mistake, if a session
// shows that. Otherwise it says what goes wrong and asks the person for the rest.
func (m Mistake) Proposal(role string, now time.Time) lessons.Lesson {
	often := fmt.Sprintf("It failed so %s in %s of %s, %s.", counted(m.Count, "time"), counted(m.Sessions, "session"), strings.Join(m.Projects, ", "), m.Span())
	l := lessons.Lesson{
		ID: m.ID, Status: lessons.Pending, Category: "error", Created: now, Confidence: sureOf(m.Sessions),
		Wording: lessons.Wording{
			Content: fmt.Sprintf("`%s` fails again and again: %s", m.Doing, clipped(m.Error)),
			Insight: often + "\n\nWhat avoids it? Say that in place of this before you approve.",
		},
		Tags: strings.Fields(m.Name), Triggers: []string{m.Doing},
		Scope:    lessons.Scope{Role: role, Global: len(m.Projects) > 1},
		Evidence: m.Evidence,
		Origin:   lessons.Origin{Extractor: "recurring", Rule: fmt.Sprintf("the same error in %s", counted(m.Sessions, "session"))},
	}
	if len(m.Projects) > 0 {
		l.Scope.Project = m.Projects[0]
	}
	if c := m.Cure; c.Says != "" {
		l.Wording = lessons.Wording{Content: c.Says, Insight: c.Insight() + " " + often, Example: c.Example}
		l.Category, l.Triggers = c.Category, lessons.JoinTerms(c.Triggers(), l.Triggers)
		l.Scope.Project, l.Scope.Global = c.Project, false
		l.Origin.Rule += fmt.Sprintf("; what avoids it was seen %s", counted(c.Times, "time"))
	}
	if len(m.Evidence) > 0 {
		l.Origin.Source = m.Evidence[0].Session
	}
	if l.Quarantined() {
		l.Confidence = min(l.Confidence, lessons.MaxHearsay)
	}
	return l
}

// sureOf is the confidence in a mistake by its number of sessions, with the numbers of
// claude-reflect for a pattern.
func sureOf(sessions int) lessons.Confidence {
	switch {
	case sessions >= 5:
		return 0.90
	case sessions >= 3:
		return 0.85
	case sessions >= 2:
		return 0.70
	}
	return 0.5
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// clipped returns the beginning of a text, on one line.
func clipped(s string) string {
	s = lessons.Line(s)
	return strings.ToValidUTF8(s[:min(len(s), maxShown)], "")
}

// ErrGone is the error for a mistake that no session shows any more.
var ErrGone = errors.New("no session shows this mistake any more")

// One reads the sessions in places for the mistake with an id, which may have been
// joined with others.
func One(ctx context.Context, in transcript.Places, o Options, least int, id lessons.ID) (Mistake, error) {
	var files []transcript.File
	for f, err := range transcript.FindKnown(in, nil) {
		if err == nil { // errors are skipped
			files = append(files, f)
		}
	}
	all, err := Find(ctx, files, o, Search{Least: least})
	if err != nil {
		return Mistake{}, err
	}
	i := slices.IndexFunc(all, func(m Mistake) bool { return slices.Contains(m.Parts, id) })
	if i < 0 {
		return Mistake{}, ErrGone
	}
	return all[i], nil
}

// This file finds errors that are about the same thing and differ in a name or two.

// alikeErrors is the least cosine at which two errors count as one. Of 252 different
// errors in 171 real sessions it joins 51 to an earlier one, 4 of them wrongly; at 0.6
// it would be 38 and 3, at 0.4 68 and 10. Errors have too few words to need latent
// semantic analysis.
const alikeErrors = 0.5

// idfs returns the inverse document frequency of each word, ln(1 + texts/in). A text is a
// list of distinct words.
func idfs(texts [][]string) map[string]float64 {
	out := map[string]float64{}
	for _, words := range texts {
		for _, w := range words {
			out[w]++
		}
	}
	for w, in := range out {
		out[w] = math.Log1p(float64(len(texts)) / in)
	}
	return out
}

// leaders clusters texts in their order. Each joins the earlier leader that it is most
// like, if the cosine of their tf-idf vectors is at least least, or becomes a leader
// itself. The result has the index of the leader of each text. The texts that matter
// most should come first, because they become leaders.
func leaders(texts [][]string, least float64) []int {
	idf := idfs(texts)
	out := make([]int, len(texts))
	norms := make([]float64, len(texts))
	has := map[string][]int{} // leaders that have a word
	for i, words := range texts {
		dots := map[int]float64{}
		for _, w := range words {
			x := idf[w] * idf[w]
			norms[i] += x
			for _, k := range has[w] {
				dots[k] += x
			}
		}
		norms[i] = math.Sqrt(norms[i])
		best, most := i, least
		for k, dot := range dots {
			if cosine := dot / (norms[i] * norms[k]); cosine > most || cosine == most && k < best {
				best, most = k, cosine
			}
		}
		if out[i] = best; best == i {
			for _, w := range words {
				has[w] = append(has[w], i)
			}
		}
	}
	return out
}
