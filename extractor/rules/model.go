package rules

import (
	_ "embed" // for weights.txt
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"learnings/lessons"
)

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
	grams          *gramModel
	force          linear // whether a sentence has the force of a rule; see force.go
	joint          linear // both judges: of "bias", "words", "force" and "form"
	after          linear // the second step: of "bias", the scores "words" and "grams", follows and hints
	shelves        map[lessons.Category]linear
}

// learned is the model with the embedded weights. It is read on first use, since
// hooks start this program too and do not need it.
var learned = sync.OnceValue(func() *model {
	m := parseModel(weights)
	m.grams = newGramModel(gramWeights)
	return m
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
	return &model{turn: linear{}, sentence: linear{}, force: linear{}, joint: linear{}, grams: newGramModel(""), after: linear{"words": 1}, shelves: map[lessons.Category]linear{}}
}

// A verdict is what the model thinks of a moment.
type verdict struct {
	p     float64   // how likely it holds a lesson
	each  []float64 // the score of each sentence as the one that states the lesson
	best  int       // the sentence with the highest score; -1 if there is none
	words float64   // the scores of the first step
	grams float64
	odds  float64 // the score of the second step: log odds
	hints [][]string
	rule  int // the sentence whose wording alone made it so likely; -1 when it is the model
}

func (m *model) judge(mo *moment) verdict { return m.weigh(mo.view()) }

// A view is everything a moment is judged by.
type view struct {
	turn      []string   // features of the turn
	sentences [][]string // features of each sentence
	follows   []string   // see [moment.follows]
	hints     [][]string // of each sentence
	grams     func(best int) []uint16
	force     func(i int) []string // of a sentence; see [moment.force]
	form      func(i int) ruleForm // of a sentence; see [moment.formOf]
	hurried   bool                 // the confidence of what is unlikely need not be exact
}

// The words of four turns in ten score below leastWords. On projects left out
// none of these reached more than .31, so the pieces of their text need not be
// looked at.
const (
	leastWords     = -1.6
	mostOfUnlikely = 0.3
)

func (m *moment) view() view {
	around, all := m.features()
	v := view{turn: all, sentences: make([][]string, len(m.all)), hints: m.hints(), follows: m.follows(), hurried: true}
	for i := range m.all {
		v.sentences[i] = m.sentenceFeatures(i, around)
	}
	v.grams = func(best int) []uint16 { return gramsOf(m.all[best].text, m.text) }
	v.force = m.force
	v.form = m.formOf
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
	if l.hurried && v.words < leastWords && plain < 0 {
		v.p = mostOfUnlikely
		return v
	}
	v.grams = m.grams.score(l.grams(v.best))
	v.odds = m.after["bias"] + m.after["words"]*v.words + m.after["grams"]*v.grams + m.after.score(l.follows) + m.after.score(l.hints[v.best])
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
