package rules

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

// The model is logistic classifiers over the features of a turn, of a sentence
// and of what followed, learned from labelled turns of several projects by
//
//	go generate ./extractor/rules
//
// which runs TestLearn on testdata/turns.gz: the labels of the turns with their
// features, and no text. That test also says how well the model does on projects
// that it has not seen. A word or a phrase is used only when it occurs in three
// or more groups of projects, so that no project's own vocabulary is learned.
//
// Who changes the features, or has labelled more, needs the labelled turns and
// their transcripts (see gather_test.go) and runs before it
//
//	go test -run ^TestGather$ ./extractor/rules -gather
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

// A model judges moments in two steps: by what was said and what the agent had
// said before, and then by what followed.
type model struct {
	turn, sentence linear
	after          linear // of consequences, and of "score" for the first step
	says, states   curve  // to how likely a turn holds a lesson, and a sentence states it
}

// A curve makes a probability of a score.
type curve struct{ slope, offset float64 }

func (c curve) at(z float64) float64 { return logistic(c.slope*z + c.offset) }

// learned is the model of the embedded weights, read on first use: hooks
// start this program too, and need none of it.
var learned = sync.OnceValue(func() *model { return parseModel(weights) })

// parseModel reads lines of kind, feature and weight, tab-separated. The text
// is our own, so what is malformed is skipped.
func parseModel(text string) *model {
	m := newModel()
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			continue
		}
		w, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			continue
		}
		switch f[0] {
		case "turn":
			m.turn[f[1]] = w
		case "sentence":
			m.sentence[f[1]] = w
		case "after":
			m.after[f[1]] = w
		case "says":
			m.says.set(f[1], w)
		case "states":
			m.states.set(f[1], w)
		}
	}
	return m
}

func newModel() *model {
	return &model{turn: linear{}, sentence: linear{}, after: linear{"score": 1}, says: curve{slope: 1}, states: curve{slope: 1}}
}

func (c *curve) set(name string, w float64) {
	switch name {
	case "slope":
		c.slope = w
	case "offset":
		c.offset = w
	}
}

// A verdict is what the model thinks of a moment: how likely it holds a
// lesson, and how likely each of its sentences states it.
type verdict struct {
	p         float64
	sentences []float64
	words     float64   // the score of the first step
	score     float64   // of the second
	each      []float64 // of the sentences
}

func (m *model) judge(mo *moment) verdict { return m.weigh(mo.view()) }

// A view is all that a moment is judged by.
type view struct {
	turn      []string      // features of the turn
	sentences [][]string    // and of each of its sentences
	follows   []consequence // of what came after it
}

func (m *moment) view() view {
	f := m.features()
	l := view{turn: f.all, sentences: make([][]string, len(m.all)), follows: m.consequences()}
	for i := range m.all {
		l.sentences[i] = m.sentenceFeatures(i, f.around)
	}
	return l
}

func (m *model) weigh(l view) verdict {
	v := verdict{sentences: make([]float64, len(l.sentences)), each: make([]float64, len(l.sentences))}
	best := math.Inf(-1)
	for i, features := range l.sentences {
		v.each[i] = m.sentence.score(features)
		v.sentences[i] = m.states.at(v.each[i])
		best = max(best, v.each[i])
	}
	v.words = (m.turn.score(l.turn) + best) / 2
	v.score = m.after["score"] * v.words
	for _, c := range l.follows {
		v.score += m.after[c.name] * c.amount
	}
	v.p = m.says.at(v.score)
	return v
}
