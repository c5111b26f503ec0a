package past

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/pairs"
	"learnings/lessons/proof"
)

// The kinds of outcomes. Cited: the agent named the lesson's handle, or said six of its
// words in a row. Followed: it ran a command or wrote a word that the lesson asks for.
// Contradicted: it did what the lesson forbids, or left out what was due. CameBack: a
// call failed with the error that taught the lesson. If the person had to repeat the
// lesson, it is both of the last two.
const (
	Cited        = proof.Cited
	Followed     = proof.Followed
	Contradicted = proof.Contradicted
	CameBack     = proof.CameBack
)

// A Finding is the first sign of a kind for a lesson in a session. What it shows is not
// redacted.
type Finding struct {
	Lesson lessons.ID
	proof.Sign
}

// A Subject is a lesson that a session was given, or that was withheld from it.
type Subject struct {
	proof.Came
	Lesson lessons.Lesson
	From   time.Time // earlier acts do not count; zero counts all
	Line   int       // the same as a line of the transcript; 0 for none
}

// maxSign is the most bytes kept of what shows a finding.
const maxSign = 200

// A judge looks for signs of subjects in the turns of one session. It ignores
// subagents: they were given lessons of their own.
type judge struct {
	watched []*watch
	found   []Finding
	acts    int // calls and messages of the agent so far
	asked   int // subagents started: they may have acted unseen
	calls   map[*transcript.ToolCall]*call
}

// A watch is the state of one subject.
type watch struct {
	Subject
	form
	active bool
	since  int // acts of the judge when it became active
	orders []orderState
	had    map[proof.Kind]bool
	said   bool // the person has said words of the lesson, so quoting them is no citation
}

type orderState struct {
	ran    []bool // which of the first commands ran since the last
	edited bool   // code was changed since
	sent   int    // subagents started by then
}

// A call has no answer yet.
type call struct {
	turn     transcript.Turn
	shows    string
	followed []*watch // the watches that it follows if it succeeds
}

func newJudge(subjects []Subject) *judge {
	j := &judge{calls: map[*transcript.ToolCall]*call{}}
	for _, s := range subjects {
		w := &watch{Subject: s, form: formOf(s.Lesson), had: map[proof.Kind]bool{}}
		for _, o := range w.order {
			w.orders = append(w.orders, orderState{ran: make([]bool, len(o.first))})
		}
		j.watched = append(j.watched, w)
	}
	return j
}

// turn handles the next turn of the session.
func (j *judge) turn(t *transcript.Turn, dir string) {
	if t.Sidechain {
		return
	}
	for _, w := range j.watched {
		if !w.active && t.Line > w.Line && (w.From.IsZero() || t.At.IsZero() || !t.At.Before(w.From)) {
			w.active, w.since = true, j.acts
		}
	}
	switch {
	case t.Kind == transcript.Call && t.Tool != nil:
		if j.acts++; !scratch().MatchString(t.Tool.Command) {
			j.call(t, dir)
		}
	case t.Kind == transcript.Result && t.Tool != nil:
		j.result(t)
	case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
		j.acts++
		j.spoke(t)
	case t.Speaker == transcript.Person && t.Kind == transcript.Shell:
		c := guard.Look("shell", &transcript.ToolCall{Command: t.Text}, dir)
		for _, w := range j.watched {
			for n := range w.order {
				w.ran(n, c)
			}
		}
	case t.Speaker == transcript.Person && t.Kind.Spoken():
		j.heard(t)
	}
}

// find records the first finding of a kind.
func (j *judge) find(w *watch, k proof.Kind, t *transcript.Turn, shows string) {
	if !w.active || w.had[k] {
		return
	}
	w.had[k] = true
	shows = lessons.Line(shows)
	shows = strings.ToValidUTF8(shows[:min(len(shows), maxSign)], "")
	j.found = append(j.found, Finding{w.id, proof.Sign{Kind: k, Line: t.Line, UUID: t.UUID, At: t.At, Shows: shows}})
}

func matches(ps []guard.Pattern, c *guard.Call) bool {
	return slices.ContainsFunc(ps, func(p guard.Pattern) bool { return p.Matches(c) })
}

// call handles an action of the agent.
func (j *judge) call(t *transcript.Turn, dir string) {
	c := guard.Look(t.Tool.Name, t.Tool, dir)
	p := &call{turn: *t, shows: cmp.Or(t.Tool.Command, strings.TrimSpace(t.Tool.Name+" "+t.Tool.Path))}
	if delegates(t.Tool) {
		j.asked++
	}
	for _, w := range j.watched {
		follows := matches(w.done, c)
		if !follows && matches(w.undone, c) {
			j.find(w, Contradicted, t, p.shows)
		}
		if written(t.Tool, w.write) {
			follows = true
		} else if written(t.Tool, w.avoid) {
			j.find(w, Contradicted, t, strings.Join(w.avoid, ", ")+" in "+t.Tool.Path)
		}
		for n := range w.order {
			follows = j.inOrder(w, n, c, t, p.shows) || follows
			if code(c) {
				w.orders[n].edited, w.orders[n].sent = true, j.asked
			}
		}
		if follows {
			p.followed = append(p.followed, w)
		}
	}
	if len(p.followed) > 0 {
		j.calls[t.Tool] = p
	}
}

// inOrder handles a call for an order, and reports whether the call follows it.
func (j *judge) inOrder(w *watch, n int, c *guard.Call, t *transcript.Turn, shows string) bool {
	w.ran(n, c)
	if !matches(w.order[n].then, c) {
		return false
	}
	s := &w.orders[n]
	follows := !slices.Contains(s.ran, false)
	if !slices.Contains(s.ran, true) && s.edited && s.sent == j.asked {
		j.find(w, Contradicted, t, shows)
	}
	clear(s.ran)
	s.edited, s.sent = false, j.asked
	return follows
}

// ran records which of the first commands of an order a call runs.
func (w *watch) ran(n int, c *guard.Call) {
	for i, p := range w.order[n].first {
		if p.Matches(c) {
			w.orders[n].ran[i] = true
		}
	}
}

// result handles the answer of a tool.
func (j *judge) result(t *transcript.Turn) {
	if p, ok := j.calls[t.Tool]; ok {
		delete(j.calls, t.Tool)
		for _, w := range p.followed {
			if !t.Refused {
				j.find(w, Followed, &p.turn, p.shows)
			}
		}
	}
	m, ok := rules.MistakeOf(t)
	if !ok {
		return
	}
	line := rules.Stable(m.Error)
	for _, w := range j.watched {
		if w.errors[m.Print] || w.lines[line] {
			j.find(w, CameBack, t, m.Error)
		}
	}
}

// quotes reports whether words, with blanks around each, contain a run of the lesson.
func (f *form) quotes(words string) bool {
	return slices.ContainsFunc(f.runs, func(r string) bool { return strings.Contains(words, r) })
}

// spaced returns the words of a text with blanks around each.
func spaced(text string) string { return " " + strings.Join(pairs.Words(text), " ") + " " }

// spoke handles what the agent said.
func (j *judge) spoke(t *transcript.Turn) {
	words := ""
	for _, w := range j.watched {
		switch {
		case !w.active || w.had[Cited]:
		case strings.Contains(t.Text, w.handle):
			j.find(w, Cited, t, w.handle)
		case !w.said && len(w.runs) > 0:
			if words == "" {
				words = spaced(t.Text)
			}
			if w.quotes(words) {
				j.find(w, Cited, t, t.Text)
			}
		}
	}
}

const (
	maxHeard    = 20_000 // bytes examined of one turn of a person
	maxSentence = 300    // bytes of a sentence that may repeat a lesson
)

// heard handles what the person said.
func (j *judge) heard(t *transcript.Turn) {
	text := t.Text[:min(len(t.Text), maxHeard)]
	words := spaced(text)
	for _, w := range j.watched {
		w.said = w.said || w.quotes(words)
	}
	for _, sentence := range sentences(text) {
		sentence = strings.TrimSpace(sentence)
		if sentence == "" || len(sentence) > maxSentence {
			continue
		}
		said := pairs.NewSaying(sentence)
		for _, w := range j.watched {
			if w.active && j.acts > w.since && said.Covers(w.saying) {
				j.find(w, Contradicted, t, sentence)
				j.find(w, CameBack, t, sentence)
			}
		}
	}
}

// written reports whether a call writes one of some words that the replaced text did
// not have.
func written(c *transcript.ToolCall, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return word(c.New, w) && !word(c.Old, w) })
}

// scratch matches commands in a temporary folder, outside the project.
var scratch = lessons.LazyRegexp(`^\s*cd\s+["']?(?:/tmp|/var/tmp|/private/tmp|\$TMPDIR|\$\(mktemp)\b`)

// code reports whether a call changes a file other than text.
func code(c *guard.Call) bool {
	return slices.ContainsFunc(c.Files, func(f string) bool {
		f = strings.ToLower(f)
		return !strings.HasSuffix(f, ".md") && !strings.HasSuffix(f, ".txt") && !strings.HasSuffix(f, ".mdx")
	})
}

// delegates reports whether a call starts a subagent.
func delegates(c *transcript.ToolCall) bool {
	return slices.Contains([]string{"Task", "Agent", "task", "spawn_agent", "delegate"}, c.Name)
}

// known returns the hashes that identify a mistake.
func known(m rules.Mistake) []string {
	out := []string{hash(m.Print)}
	if line := rules.Stable(m.Error); telling(line) {
		out = append(out, hash(line))
	}
	return out
}

// printsOf returns the hashes of the errors that taught a lesson.
func printsOf(l lessons.Lesson) (out []string) {
	f := formOf(l)
	for _, all := range []map[string]bool{f.errors, f.lines} {
		for p := range all {
			out = append(out, hash(p))
		}
	}
	slices.Sort(out)
	return out
}

func hash(s string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return strconv.FormatUint(h.Sum64(), 36)
}
