// Package rules proposes lessons from a session without asking a language
// model: what a person corrected, wished, forbade or explained, why they
// refused a call, and errors followed by the call that worked.
//
// A person's turn is judged by how it is worded and by what stands around it:
// what the agent had said or was doing, whether it was stopped, whether it
// conceded, how much it then changed. The judgement is a small logistic model
// whose weights are part of the program (see model.go); some wordings that
// leave no doubt are rules of their own. What is proposed says in words why.
//
// Nothing is taken from what a person did not write: the agent's words, plans,
// summaries, subagents, pasted code, logs and quotes, and our own injected
// block. Proposals are [lessons.Pending]; only a person approves.
package rules

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// Rules proposes lessons by rule. The zero value is ready for use.
type Rules struct {
	MinConfidence lessons.Confidence // nothing below is proposed; 0 means DefaultMinConfidence
	MinMessage    int                // characters below which a message of a person teaches nothing; wide ones count twice
	MaxPerTurn    int                // 0 means 3
	MaxPerSession int                // the surest are kept; 0 means 60
	Praise        bool               // also propose what was done before clear praise; of 2,091 labelled turns 3 are praise, and none of them teaches

	model *model // for tests that leave a project out; nil means the embedded one
}

// DefaultMinConfidence is where, on projects that the model had not seen, six
// in ten proposals were right.
const DefaultMinConfidence = 0.47

// Name is what [lessons.Origin] calls this extractor.
const Name = "rules"

// Propose gives the lessons that the turns of a session suggest, in the order
// of the session. It leaves to the caller what it cannot know: the evidence's
// path and the project. The only error is that of ctx.
func (r Rules) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	r = r.withDefaults()
	var out []lessons.Lesson
	ms := moments(turns)
	for i := range ms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if gated(&ms[i]) || width(ms[i].text, r.MinMessage) < r.MinMessage {
			continue
		}
		for _, c := range r.candidates(&ms[i], &turns[ms[i].at]) {
			out = append(out, lesson(s, turns, &ms[i], c))
		}
	}
	if r.Praise {
		out = append(out, successes(s, turns, ms)...)
	}
	return limit(mergeSame(out), r), nil
}

func (r Rules) withDefaults() Rules {
	if r.MinConfidence == 0 {
		r.MinConfidence = DefaultMinConfidence
	}
	if r.MaxPerTurn == 0 {
		r.MaxPerTurn = 3
	}
	if r.MaxPerSession == 0 {
		r.MaxPerSession = 60
	}
	if r.model == nil {
		r.model = learned()
	}
	return r
}

// A candidate is a sentence of a turn that may become a lesson.
type candidate struct {
	sentence   *sentence
	confidence float64
	why        []string
	category   lessons.Category // "" where the words say it
}

// candidates picks the sentences of a turn that state something to keep: the
// best one when the turn as a whole is convincing, and others that would
// convince alone.
func (r Rules) candidates(m *moment, t *transcript.Turn) []candidate {
	v := r.model.judge(m)
	best, said := -1, ""
	p := v.p
	for i := range m.all {
		if x, why := plainly(&m.all[i], m, v.p); x > p {
			p, best, said = x, i, why
		}
	}
	if out := r.foreign(m, p); len(out) > 0 {
		return out
	}
	if p < float64(r.MinConfidence) {
		return nil
	}
	if best < 0 {
		for i := range m.all {
			if !killed(&m.all[i], m) && (best < 0 || v.sentences[i] > v.sentences[best]) {
				best = i
			}
		}
		if best < 0 {
			return nil
		}
	}
	out := []candidate{{sentence: &m.all[best], confidence: p, why: reasons(&m.all[best], m, t, said)}}
	for i := range m.all {
		if len(out) >= r.MaxPerTurn {
			break
		}
		if q := min(v.sentences[i], p); i != best && q >= max(0.5, float64(r.MinConfidence)) && !killed(&m.all[i], m) {
			out = append(out, candidate{sentence: &m.all[i], confidence: q, why: reasons(&m.all[i], m, t, "")})
		}
	}
	return out
}

// foreign picks the sentences of a turn in another language than English that
// state something to keep, when one is surer than p.
func (r Rules) foreign(m *moment, p float64) []candidate {
	var out []candidate
	sure := false
	for i := range m.all {
		if len(out) >= r.MaxPerTurn {
			break
		}
		f, ok := inOtherLanguages(m, i)
		if !ok || f.m0 < float64(r.MinConfidence) || slices.ContainsFunc(out, func(c candidate) bool { return c.sentence == f.sentence }) {
			continue
		}
		sure = sure || f.m0 > p
		out = append(out, candidate{sentence: f.sentence, confidence: f.m0, why: []string{f.says}, category: f.category})
	}
	if !sure {
		return nil
	}
	return out
}

// reasons says why a sentence is proposed, the strongest reason first.
func reasons(s *sentence, m *moment, t *transcript.Turn, plainly string) []string {
	var why []string
	add := func(x string) {
		for _, y := range why {
			if x == y {
				return
			}
		}
		if x != "" {
			why = append(why, x)
		}
	}
	add(plainly)
	switch m.kind {
	case transcript.Rejection:
		tool := "a call"
		if t.Tool != nil && t.Tool.Name != "" {
			tool = "a call of " + t.Tool.Name
		}
		add("refused " + tool + " and said why")
	case transcript.Steering:
		add("said while the agent was at work")
	}
	if m.interrupted {
		add("stopped the agent")
	}
	for _, k := range s.signs {
		if len(why) < 3 {
			add(signs()[k].says)
		}
	}
	if m.again {
		add("said it before")
	}
	if m.conceded() {
		add("the agent conceded")
	}
	switch {
	case m.noted:
		add("the agent then wrote it into its instructions")
	case m.undone:
		add("the agent then took back its own edit")
	case m.rework > 1:
		add("the agent then reworked its own edits")
	case m.calls > 15:
		add("much work followed")
	}
	if len(why) == 0 {
		add("worded like what people keep")
	}
	return why
}

// Bytes of a sentence that are kept. Some people dictate, and never stop.
const (
	maxContent = 500
	maxQuote   = 2000
)

// lesson makes the proposal.
func lesson(s transcript.Session, turns []transcript.Turn, m *moment, c candidate) lessons.Lesson {
	t := &turns[m.at]
	content, asSaid := wording(c.sentence)
	if len(content) > maxContent {
		content = head(content, maxContent) + "…"
	}
	rule := strings.Join(c.why, "; ")
	if asSaid {
		rule += "; the wording is as said"
	}
	l := lessons.Lesson{
		Status:     lessons.Pending,
		Category:   cmp.Or(c.category, category(c.sentence, m)),
		Wording:    lessons.Wording{Content: content, Insight: insight(c.sentence, m, t)},
		Tags:       tags(c.sentence),
		Triggers:   triggers(c.sentence),
		Scope:      lessons.Scope{Role: s.Role},
		Confidence: lessons.Confidence(min(max(c.confidence, 0.05), 0.95)).Round(),
		Origin:     lessons.Origin{Source: sessionOf(s, t), Extractor: Name, Rule: rule},
		Created:    t.At,
		Evidence: []lessons.Evidence{{
			Agent: string(s.Agent), Session: sessionOf(s, t), UUID: t.UUID, Line: t.Line, By: lessons.ByPerson, From: m.kind.From(),
			At: t.At, Quote: head(c.sentence.text, maxQuote), Before: transcript.Around(turns, m.at, -1, nil), After: transcript.Around(turns, m.at, +1, nil),
		}},
	}
	return finish(s, l)
}

// finish gives a proposal its id, which depends on where it was said and on
// its words alone, and its date.
func finish(s transcript.Session, l lessons.Lesson) lessons.Lesson {
	if l.Created.IsZero() {
		l.Created = s.Start
	}
	e := l.Evidence[0]
	l.ID = lessons.ProposalID("", e, strconv.Itoa(e.Line), l.Content)
	return l
}

func sessionOf(s transcript.Session, t *transcript.Turn) string {
	if t.Session != "" {
		return t.Session
	}
	return s.ID
}

// mergeSame makes one lesson, with the evidence of all, of proposals in the same
// words.
func mergeSame(ls []lessons.Lesson) []lessons.Lesson {
	var out []lessons.Lesson
	at := map[string]int{}
	for _, l := range ls {
		key := strings.ToLower(strings.Join(strings.Fields(l.Content), " "))
		if i, ok := at[key]; ok {
			out[i].Evidence = lessons.MergeEvidence(out[i].Evidence, l.Evidence)
			out[i].Confidence = max(out[i].Confidence, l.Confidence)
			continue
		}
		at[key] = len(out)
		out = append(out, l)
	}
	return out
}

// limit keeps the surest proposals of a session, in their order.
func limit(ls []lessons.Lesson, r Rules) []lessons.Lesson {
	ls = slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return l.Confidence < r.MinConfidence })
	if len(ls) <= r.MaxPerSession {
		return ls
	}
	order := make([]int, len(ls))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ls[b].Confidence, ls[a].Confidence) })
	order = order[:r.MaxPerSession]
	slices.Sort(order)
	kept := make([]lessons.Lesson, len(order))
	for i, at := range order {
		kept[i] = ls[at]
	}
	return kept
}
