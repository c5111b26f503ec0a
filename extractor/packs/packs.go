// Package packs has rules of other programs, for those who are used to them. None is
// on unless its name is in the settings.
//
// A pack proposes what its program would have kept, in the same words, and leaves to
// a person what comes of it. Its expressions behave as in the JavaScript that they
// are from: see js.go.
package packs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/match"
)

// Names of the packs.
const (
	Gimli       = "gimli"             // the expressions that Gimli's documents print
	Public      = "gimli-public"      // the two of its public code
	Preferences = "gimli-preferences" // how a person likes to be answered, by counting signs of it
)

// Names are all of them.
var Names = []string{Gimli, Public, Preferences}

// A Pack proposes lessons by the rules of one program.
type Pack struct {
	name string
	read func(*reading)
}

// New gives the packs of some names. The error lists those that there are.
func New(names []string) ([]Pack, error) {
	all := map[string]func(*reading){Gimli: gimli, Public: public, Preferences: preferences}
	var out []Pack
	for _, name := range names {
		read, ok := all[name]
		if !ok {
			return nil, fmt.Errorf("there is no rule pack %q: %s", name, strings.Join(Names, ", "))
		}
		if !slices.ContainsFunc(out, func(p Pack) bool { return p.name == name }) {
			out = append(out, Pack{name, read})
		}
	}
	return out, nil
}

// With gives a proposer, and the packs of some names behind it.
func With(names []string, first extractor.Proposer) ([]extractor.Proposer, error) {
	out := []extractor.Proposer{first}
	ps, err := New(names)
	for _, p := range ps {
		out = append(out, p)
	}
	return out, err
}

// Propose gives the lessons that a session suggests, in its order. The only error is
// that of ctx.
func (p Pack) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	r := reading{pack: p.name, session: s, turns: turns}
	for i := range turns {
		if t := &turns[i]; !t.Sidechain && t.Speaker == transcript.Person && t.Kind.Spoken() {
			r.said = append(r.said, i)
		}
	}
	p.read(&r)
	return r.out, ctx.Err()
}

// A reading is one session, and what is proposed of it.
type reading struct {
	pack    string
	session transcript.Session
	turns   []transcript.Turn
	said    []int // the turns in which a person spoke
	out     []lessons.Lesson
}

// A proposal is a lesson before it has its evidence.
type proposal struct {
	category   lessons.Category
	content    string
	insight    string
	confidence lessons.Confidence
	rule       string   // which one fired
	quotes     []string // by turn, what is quoted
	at         []int    // the turns
}

// mostQuote is the most bytes of a quote.
const mostQuote = 2000

// alike is the word Jaccard from which two lessons of a category are one.
const alike = match.Alike

// propose adds a proposal. One that says what an earlier one of the category does is
// more evidence of that.
func (r *reading) propose(p proposal) (added bool) {
	l := lessons.Lesson{
		Status: lessons.Pending, Category: p.category, Wording: lessons.Wording{Content: strings.Join(strings.Fields(p.content), " "), Insight: p.insight},
		Scope: lessons.Scope{Role: r.session.Role}, Confidence: p.confidence.Round(), Origin: lessons.Origin{Extractor: "rules:" + r.pack, Rule: r.pack + ": " + p.rule},
	}
	for k, i := range p.at {
		t := &r.turns[i]
		session := t.Session
		if session == "" {
			session = r.session.ID
		}
		l.Evidence = append(l.Evidence, lessons.Evidence{
			Agent: string(r.session.Agent), Session: session, UUID: t.UUID, Line: t.Line, By: lessons.ByPerson, From: t.Kind.From(), At: t.At,
			Quote: cutBytes(p.quotes[k], mostQuote), Before: transcript.Around(r.turns, i, -1, nil), After: transcript.Around(r.turns, i, +1, nil),
		})
	}
	for i := range r.out {
		if o := &r.out[i]; o.Category == l.Category && match.Jaccard(o.Content, l.Content) >= alike {
			o.Evidence = lessons.MergeEvidence(o.Evidence, l.Evidence)
			return false
		}
	}
	first := l.Evidence[0]
	l.Origin.Source, l.Created = first.Session, first.At
	if l.Created.IsZero() {
		l.Created = r.session.Start
	}
	if l.Confidence < lessons.LikelyAt {
		l.Lane = lessons.Maybe
	}
	l.ID = lessons.ProposalID(r.pack, first, string(l.Category), l.Content)
	r.out = append(r.out, l)
	return true
}

// cutBytes shortens a text between characters.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// confidence is what a word stands for.
func confidence(word string) lessons.Confidence {
	c, err := lessons.ParseConfidence(word)
	if err != nil {
		panic(err) // the words are ours
	}
	return c
}
