// Package rules proposes lessons from a session without asking a language
// model: what a person corrected, wished, forbade or explained, why they
// refused a call, the steps that they praised, and errors followed by the call that
// worked.
//
// A person's turn is judged by how it is worded and by what stands around it:
// what the agent had said or was doing, whether it was stopped, whether it
// conceded. The judgement is a small logistic model whose weights are part of
// the program (see model.go); some wordings that leave little doubt are rules
// of their own. Confidence is a probability: of ten proposals at .6, six should
// be worth keeping. What is proposed says in words why.
//
// Nothing is taken from what a person did not write: the agent's words, plans,
// summaries, subagents, pasted code, logs and quotes, and our own injected
// block. Proposals are [lessons.Pending]; only a person approves.
package rules

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// Rules proposes lessons by rule. The zero value is ready for use.
type Rules struct {
	Least lessons.Confidence // nothing below is proposed; 0 means DefaultMinConfidence
	model *model             // for tests that leave a project out; nil means the embedded one
}

// minMessage is the fewest characters of a message that can teach something; wide ones
// count twice.
const minMessage = 10

// The most proposals of a turn and of a session; the surest are kept.
const maxPerTurn, maxPerSession = 3, 60

// Cuts, in confidence. TestLearn checks them against what it learns from the
// labelled turns, each project judged by a model that has not seen it.
const (
	// DefaultMinConfidence is the cut below which nothing is proposed: of the
	// turns at or above it at least 55 in 100 hold a lesson.
	DefaultMinConfidence = 0.36
	// DefaultLikely is the cut from which a proposal is [lessons.Likely]: of the
	// turns at or above it at least 70 in 100 hold a lesson.
	DefaultLikely = 0.60
)

// mostByRules is the most that a proposal by rules is worth. It is below [lessons.SureAt]:
// of the turns of projects left out, those above held a lesson no more often than those
// from [DefaultLikely] on.
const mostByRules = 0.79

// Name is the extractor in [lessons.Origin].
const Name = "rules"

// Propose returns the lessons that a session suggests, in its order. The caller sets
// the evidence's path and the project. The only error is that of ctx.
func (r Rules) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	r = Rules{cmp.Or(r.Least, DefaultMinConfidence), cmp.Or(r.model, learned())}
	var out []lessons.Lesson
	ms := moments(turns)
	for i := range ms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if gated(&ms[i]) || width(ms[i].text, minMessage) < minMessage {
			continue
		}
		asked := ms[i].asked()
		if asked != nil {
			out = append(out, r.asking(s, turns, ms, i, asked))
		}
		for _, c := range r.candidates(&ms[i], &turns[ms[i].at]) {
			if c.main != asked {
				out = append(out, r.lesson(s, turns, ms, i, c))
			}
		}
	}
	out = slices.Concat(out, successes(s, turns, ms), stubborn(s, turns))
	return limit(mergeSame(out, strings.ToLower), r), nil
}

// A candidate is a sentence of a turn that may become a lesson.
type candidate struct {
	main       *sentence
	confidence float64
	why        []string
	category   lessons.Category // "" where the words say it
}

// Sentences are chosen by their own scores, in log odds, and by these numbers,
// which were tried on projects left out.
const (
	choiceAsks      = -1.0
	choicePlain     = 1.0
	choiceLength    = 0.3 // times ln(1+words)
	choiceWithdrawn = -0.5
)

// candidates picks the best sentence of a turn, and others that have the force of a
// rule. What the second judge rejects has a confidence below [DefaultMinConfidence].
func (r Rules) candidates(m *moment, t *transcript.Turn) []candidate {
	v := r.model.judge(m)
	if out := r.foreign(m, v.p); len(out) > 0 {
		return out
	}
	order := ranked(m, v)
	var out []candidate
	for k, i := range order {
		if len(out) >= maxPerTurn {
			break
		}
		s := &m.all[i]
		x, _ := plainly(s, m)
		if p := r.model.second(m, v, i, k == 0 || x > 0); p >= float64(r.Least) {
			out = append(out, candidate{main: s, confidence: p, why: reasons(s, m, t)})
		}
	}
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Compare(m.indexOf(a.main), m.indexOf(b.main)) })
	return out
}

// ranked orders the sentences of a moment by how well they state its lesson.
func ranked(m *moment, v verdict) (order []int) {
	choice := make([]float64, len(m.all))
	for i := range m.all {
		s := &m.all[i]
		choice[i] = v.each[i] + choiceLength*math.Log1p(float64(len(s.words)))
		for _, h := range v.hints[i] {
			switch h {
			case hintAsks:
				choice[i] += choiceAsks
			case hintPlain, hintSure:
				choice[i] += choicePlain
			case hintWithdrawn:
				choice[i] += choiceWithdrawn
			}
		}
		if !killed(s, m) {
			order = append(order, i)
		}
	}
	if v.rule >= 0 {
		choice[v.rule] = math.Inf(1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(choice[b], choice[a]) })
	return order
}

// foreign picks the sentences in other languages that state something to keep, if one
// is surer than p.
func (r Rules) foreign(m *moment, p float64) []candidate {
	var out []candidate
	sure := false
	for i := range m.all {
		if len(out) >= maxPerTurn {
			break
		}
		f, ok := inOtherLanguages(m, i)
		if !ok || f.m0 < float64(r.Least) || slices.ContainsFunc(out, func(c candidate) bool { return c.main == f.sentence }) {
			continue
		}
		sure = sure || f.m0 > p
		out = append(out, candidate{main: f.sentence, confidence: f.m0, why: []string{f.says}, category: f.category})
	}
	if !sure {
		return nil
	}
	return out
}

// reasons returns why a sentence is proposed, the strongest reason first.
func reasons(s *sentence, m *moment, t *transcript.Turn) []string {
	var why []string
	add := func(x string) {
		if x != "" && !slices.Contains(why, x) {
			why = append(why, x)
		}
	}
	_, says := plainly(s, m)
	add(says)
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
	if m.noted {
		add("the agent then wrote it into its instructions")
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
func (r Rules) lesson(s transcript.Session, turns []transcript.Turn, ms []moment, at int, c candidate) lessons.Lesson {
	m := &ms[at]
	t := &turns[m.at]
	content, why, missing := m.contentOf(c.main)
	rule := strings.Join(c.why, "; ")
	switch missing {
	case "":
	case wholly:
		rule += "; as said"
	default:
		rule += "; as said; '" + strings.TrimSuffix(missing, "'s") + "' is not named"
	}
	l := lessons.Lesson{
		Category:   cmp.Or(c.category, r.model.category(m, c.main)),
		Wording:    lessons.Wording{Content: content, Insight: insight(why, m, t)},
		Triggers:   shows(s, turns, ms, at, content, &c, missing),
		Confidence: lessons.Confidence(min(max(c.confidence, 0.05), mostByRules)).Round(),
		Evidence:   []lessons.Evidence{evidence(s, turns, m.at, lessons.ByPerson, m.kind.From(), c.main.text)},
	}
	if missing != "" || c.confidence < DefaultLikely {
		l.Lane = lessons.Maybe
	}
	return finish(s, t, l, rule, c.main.words)
}

// evidence is what a turn says for a lesson.
func evidence(s transcript.Session, turns []transcript.Turn, at int, by lessons.Speaker, from, quote string) lessons.Evidence {
	t := &turns[at]
	return lessons.Evidence{
		Agent: string(s.Agent), Session: sessionOf(s, t), UUID: t.UUID, Line: t.Line, By: by, From: from, At: t.At, Quote: head(quote, maxQuote),
		Before: transcript.Around(turns, at, -1, nil), After: transcript.Around(turns, at, +1, nil),
	}
}

// contentOf words a sentence, and returns the reason given with it. missing is what the
// sentence needs to be understood without context: see [moment.wording].
func (m *moment) contentOf(s *sentence) (content, why, missing string) {
	content, missing = m.wording(m.indexOf(s))
	if missing == "" {
		content, why = withReason(content)
	}
	if len(content) > maxContent {
		content = head(content, maxContent) + "…"
	}
	return content, cmp.Or(why, reasonBeside(s, m)), missing
}

// indexOf is the number of a sentence of the moment.
func (m *moment) indexOf(s *sentence) int {
	for i := range m.all {
		if s == &m.all[i] {
			return i
		}
	}
	return 0
}

// finish completes a proposal from a turn with its rule and words. Its id depends only
// on its place and words.
func finish(s transcript.Session, t *transcript.Turn, l lessons.Lesson, rule string, said []string) lessons.Lesson {
	l.Status, l.Scope.Role, l.Tags = lessons.Pending, s.Role, tags(said)
	l.Origin = lessons.Origin{Source: sessionOf(s, t), Extractor: Name, Rule: rule}
	if l.Created = t.At; t.At.IsZero() {
		l.Created = s.Start
	}
	e := l.Evidence[0]
	l.ID = lessons.ProposalID("", e, strconv.Itoa(e.Line), l.Content)
	return l
}

func sessionOf(s transcript.Session, t *transcript.Turn) string { return cmp.Or(t.Session, s.ID) }

// mergeSame merges proposals whose contents say the same, with the evidence of all.
func mergeSame(ls []lessons.Lesson, says func(content string) string) []lessons.Lesson {
	var out []lessons.Lesson
	at := map[string]int{}
	for _, l := range ls {
		key := strings.ToLower(strings.Join(strings.Fields(says(l.Content)), " "))
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
	ls = slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return l.Confidence < r.Least })
	if len(ls) <= maxPerSession {
		return ls
	}
	surest, kept := slices.Clone(ls), map[lessons.ID]bool{}
	slices.SortStableFunc(surest, func(a, b lessons.Lesson) int { return cmp.Compare(b.Confidence, a.Confidence) })
	for _, l := range surest[:maxPerSession] {
		kept[l.ID] = true
	}
	return slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return !kept[l.ID] })
}
