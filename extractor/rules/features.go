package rules

import (
	_ "embed" // for weights.txt
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// Features have readable names, so that weights.txt can be read. The prefix "p"
// stands for a sign (see signs.go), "w" for one or two words. All others describe the turn as a whole.

// A featureList is features, in the order in which they were found.
type featureList []string

// is adds a feature that is so.
func (f *featureList) is(name string, so bool) {
	if so {
		*f = append(*f, name)
	}
}

// unique is a list without repetition.
func unique(list []string) []string {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(x string) bool {
		was := seen[x]
		seen[x] = true
		return was
	})
}

// features are those of the turn as a whole, and with these the ones of its sentences.
func (m *moment) features() (around, all []string) {
	around = m.around()
	all = slices.Clone(around)
	for i := range m.all {
		all = append(all, m.all[i].features()...)
	}
	return around, slices.Concat(around, unique(all[len(around):]))
}

// asks reports a question by its mark.
func (s *sentence) asks() bool { return strings.HasSuffix(s.text, "?") }

// features are those of the words of a sentence, without repetition.
func (s *sentence) features() []string {
	if len(s.words) == 0 || s.featured != nil {
		return s.featured
	}
	end := " ."
	if s.asks() {
		end = " ?"
	}
	var f []string
	for _, k := range s.signs {
		f = append(f, "p "+signs()[k].name, "p "+signs()[k].name+end)
	}
	prev := "^"
	for _, w := range s.words {
		f = append(f, "w "+w, "w "+prev+" "+w)
		prev = w
	}
	s.featured = unique(append(f, "w "+prev+" $"))
	return s.featured
}

// step names the interval between the bounds that n falls into: a, b, c …
func step(n int, bounds ...int) string {
	at, _ := slices.BinarySearch(bounds, n)
	return string(rune('a' + at))
}

// length is how many words a moment has.
func (m *moment) length() (n int) {
	for i := range m.all {
		n += len(m.all[i].words)
	}
	return n
}

func (m *moment) around() []string {
	kind := m.kind
	if kind != transcript.Steering && kind != transcript.Rejection {
		kind = transcript.Message // too few others were labelled
	}
	n := m.length()
	f := featureList{"bias", "kind " + string(kind), "length " + step(n, 2, 5, 9, 14, 22, 35, 60, 120, 250), "sentences " + step(len(m.all), 1, 2, 4, 8, 16)}
	m.style(&f, n)
	f.is("agent silent", m.first)
	f.is("agent stopped", m.interrupted)
	f.is("said again", m.again)
	f.is("agent working", m.agentWorked())
	f.is("agent asks", m.agentAsked())
	f.is("agent says", m.before != "" && !m.agentAsked())
	return f
}

// style tells pasted prose, such as a review or a ticket, from what was typed.
func (m *moment) style(f *featureList, n int) {
	caps, stops, code, us := 0, 0, 0, 0
	for i := range m.all {
		s := &m.all[i]
		if s.text[0] >= 'A' && s.text[0] <= 'Z' {
			caps++
		}
		if strings.HasSuffix(s.text, ".") {
			stops++
		}
		for _, w := range s.words {
			switch {
			case w == "<code>" || w == "<path>":
				code++
			case personal()[w]:
				us++
			}
		}
	}
	k := len(m.all)
	if k == 0 || n == 0 {
		return
	}
	*f = append(*f, "capitals "+step(caps*10/k, 2, 6, 9), "stops "+step(stops*10/k, 0, 5, 8), "code "+step(code*100/n, 0, 4, 9, 16), "us "+step(us*100/n, 0, 3, 7, 12))
	formal := caps == k && stops*2 >= k && us == 0 && n > 15
	f.is("formal", formal)
	f.is("formal code", formal && code > 1)
}

var personal = wordSet("personal")

// agentAsked reports that the agent ended with a question.
func (m *moment) agentAsked() bool { return strings.HasSuffix(strings.TrimSpace(m.before), "?") }

// agentWorked reports that the agent was at work.
func (m *moment) agentWorked() bool { return !m.first && m.before == "" }

var concedes = lineList("concedes")

func (m *moment) conceded() bool {
	low := strings.ToLower(m.after)
	return slices.ContainsFunc(concedes(), func(x string) bool {
		i := strings.Index(low, x)
		return i >= 0 && i < 100
	})
}

// The model is a few logistic classifiers over the features of a turn and of its
// sentences, learned from labelled turns of several projects by
//
//	go generate ./extractor/rules
//
// which runs TestLearn on testdata/turns.gz: the labels of the turns with their
// features, but no text. The test also measures the model on projects it has not
// seen. Only words and phrases that occur in at least three groups of projects
// are used, so that no project's own vocabulary is learned.
//
// After a change to the features or the labels, first run
//
//	go test -run ^TestGather$ ./extractor/rules -gather
//
// which needs the labelled turns and their transcripts (see gather_test.go).
//
//go:generate go test -run ^TestLearn$ -learn
//go:embed weights.txt
var weights string

// linear is a logistic classifier: named features with weights.
type linear map[string]float64

func (l linear) score(features []string) float64 {
	s := 0.0
	for _, f := range features {
		s += l[f]
	}
	return s
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// A model judges a moment in two steps. The first scores its words and what the
// agent had said before them. The second turns these scores, what happened next
// and a few signs of the best sentence into a probability.
type model struct {
	turn, sentence linear
	force          linear // whether a sentence has the force of a rule; see force.go
	joint          linear // both judges: of "bias", "words", "force" and "form"
	after          linear // the second step: of "bias", the score "words", follows and hints
	shelves        map[lessons.Category]linear
}

// learned is the model with the embedded weights. It is read on first use, since
// hooks start this program too and do not need it.
var learned = sync.OnceValue(func() *model {
	return parseModel(weights)
})

// parseModel reads lines of kind, feature and weight, separated by tabs. The
// text is our own, so malformed lines are skipped.
func parseModel(text string) *model {
	m := newModel()
	parts := map[string]linear{"turn": m.turn, "sentence": m.sentence, "after": m.after, "joint": m.joint, "force": m.force}
	for _, c := range shelves {
		m.shelves[c] = linear{}
		parts["shelf "+string(c)] = m.shelves[c]
	}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) == 3 && parts[f[0]] != nil {
			if w, err := strconv.ParseFloat(f[2], 64); err == nil {
				parts[f[0]][f[1]] = w
			}
		}
	}
	return m
}

func newModel() *model {
	return &model{turn: linear{}, sentence: linear{}, force: linear{}, joint: linear{}, after: linear{"words": 1}, shelves: map[lessons.Category]linear{}}
}

// A verdict is what the model thinks of a moment.
type verdict struct {
	p     float64   // how likely it holds a lesson
	each  []float64 // the score of each sentence as the one that states the lesson
	best  int       // the sentence with the highest score; -1 if there is none
	words float64   // the score of the first step
	odds  float64   // the score of the second step: log odds
	hints [][]string
	rule  int // the sentence whose wording alone made it so likely; -1 when it is the model
}

func (m *model) judge(mo *moment) verdict { return m.weigh(mo.view()) }

// A view is everything a moment is judged by.
type view struct {
	turn      []string             // features of the turn
	sentences [][]string           // features of each sentence
	follows   []string             // see [moment.follows]
	hints     [][]string           // of each sentence
	force     func(i int) []string // of a sentence; see [moment.force]
	form      func(i int) ruleForm // of a sentence; see [moment.formOf]
}

func (m *moment) view() view {
	around, all := m.features()
	v := view{turn: all, sentences: make([][]string, len(m.all)), hints: m.hints(), follows: m.follows(), force: m.force, form: m.formOf}
	for i := range m.all {
		v.sentences[i] = slices.Concat(around, m.all[i].features())
	}
	return v
}

// weigh judges a view.
func (m *model) weigh(l view) verdict {
	v := verdict{each: make([]float64, len(l.sentences)), best: -1, rule: -1, hints: l.hints}
	for i, features := range l.sentences {
		if v.each[i] = m.sentence.score(features); v.best < 0 || v.each[i] > v.each[v.best] {
			v.best = i
		}
	}
	if v.best < 0 {
		return v
	}
	v.words = (m.turn.score(l.turn) + v.each[v.best]) / 2
	plain := slices.IndexFunc(l.hints, saysItself)
	v.odds = m.after["bias"] + m.after["words"]*v.words + m.after.score(l.follows) + m.after.score(l.hints[v.best])
	if plain >= 0 && v.odds < leastOfPlain {
		v.odds, v.rule = leastOfPlain, plain
	} else {
		v.odds += lowers.score(l.hints[v.best])
	}
	v.odds += lowers.score(l.follows)
	v.p = logistic(v.odds)
	if plain < 0 && slices.Contains(l.follows, answersAgent) {
		v.p = min(v.p, mostOfAnswer)
	}
	return v
}

// saysItself reports whether the wording of a sentence says that it should be
// kept, and the next sentence does not take it back.
func saysItself(hints []string) bool {
	return (slices.Contains(hints, hintPlain) || slices.Contains(hints, hintSure)) && !slices.Contains(hints, hintWithdrawn)
}

var (
	workflowWords = wordSet("flow")
	toolWords     = wordSet("tool")
	tasteWords    = wordSet("taste")
)

// shelfFeatures is what the category of a sentence is judged by: its own
// features, how the moment went, and of how many things of each kind it speaks.
func (m *moment) shelfFeatures(i int) []string {
	s := &m.all[i]
	f := featureList(slices.Concat(s.features(), m.follows()))
	f = append(f, "bias", "kind "+string(m.kind))
	f.is("agent stopped", m.interrupted)
	f.is("agent silent", m.first)
	f.is("agent working", m.agentWorked())
	f.is("said again", m.again)
	f.is("denied", m.conceded() && (s.has("denies") || s.has("meant")))
	count := func(name string, of map[string]bool) {
		n := 0
		for _, w := range s.words {
			if of[w] {
				n++
			}
		}
		f.is(name+" "+step(n, 0, 1), true)
	}
	count("flow", workflowWords())
	count("tool", toolWords())
	count("taste", tasteWords())
	count("code", codeWords())
	return f
}

var codeWords = wordSet("code")

var programs = wordSet("programs")

// shelves are the categories that the rules sort into, in the order in which
// equals are decided.
var shelves = []lessons.Category{"correction", "architecture", "preference", "workflow", "tool-usage"}

// category sorts a sentence of a moment onto a shelf: a guess that a reviewer
// may change. Of the labelled turns, on projects left out, it agrees with 45 in
// 100. Labels of tool-usage are too few to learn from, so that what tool to use is a rule.
func (m *model) category(mo *moment, s *sentence) lessons.Category {
	if slices.ContainsFunc(s.words, func(w string) bool { return programs()[w] }) && (opposes(s.words) || slices.Contains(s.words, "use") || slices.Contains(s.words, "only")) {
		return "tool-usage"
	}
	return m.shelve(mo.shelfFeatures(mo.indexOf(s)))
}

// A correction without a sign that something was put right must outweigh by clearly what
// else a sentence may be: what a reader calls one is half a matter of taste. On projects
// left out, 88 of 220 were right without this rule, and 60 of 116 with it; of all
// categories 289 and 300 of 662.
const clearly = 1.0

var putsRight = []string{"agent concedes", "call refused", "p wrong"}

func (m *model) shelve(features []string) lessons.Category {
	best, most := shelves[0], math.Inf(-1)
	signed := slices.ContainsFunc(features, func(f string) bool { return slices.Contains(putsRight, f) })
	for _, c := range shelves {
		x := m.shelves[c].score(features)
		if c == "correction" && !signed {
			x -= clearly
		}
		if x > most {
			best, most = c, x
		}
	}
	return best
}

// tagWords say of what a lesson speaks.
var tagWords = wordMap("tags")

func tags(said []string) (out []string) {
	for _, w := range said {
		if tag := tagWords()[w]; tag != "" && !slices.Contains(out, tag) && len(out) < 4 {
			out = append(out, tag)
		}
	}
	return out
}

var dull = wordSet("dull")
