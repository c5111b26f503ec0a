package rules

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

// The model is two logistic classifiers over the features of a turn and of a
// sentence, learned from labelled turns of several projects by
//
//	go test ./extractor/rules -run TestLearn -learn
//
// (see learn_test.go, which also says how well it does on projects that it
// has not seen). A word or a phrase is used only when it occurs in three or
// more groups of projects, so that no project's own vocabulary is learned.
//
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

// A model judges moments.
type model struct {
	turn, sentence  linear
	slope, offset   float64 // from the mean of both scores to a probability
	sSlope, sOffset float64 // the same for a sentence alone
}

// learned is the model of the embedded weights, read on first use: hooks
// start this program too, and need none of it.
var learned = sync.OnceValue(func() *model { return parseModel(weights) })

// parseModel reads lines of kind, feature and weight, tab-separated. The text
// is our own, so what is malformed is skipped.
func parseModel(text string) *model {
	m := &model{turn: linear{}, sentence: linear{}, slope: 1, sSlope: 1}
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
		case "fit":
			switch f[1] {
			case "slope":
				m.slope = w
			case "offset":
				m.offset = w
			case "sentence slope":
				m.sSlope = w
			case "sentence offset":
				m.sOffset = w
			}
		}
	}
	return m
}

// A verdict is what the model thinks of a moment: how likely it holds a
// lesson, and how likely each of its sentences states it.
type verdict struct {
	p         float64
	sentences []float64
}

func (m *model) judge(mo *moment) verdict {
	f := mo.features()
	v := verdict{sentences: make([]float64, len(mo.all))}
	best := math.Inf(-1)
	for i := range mo.all {
		z := m.sentence.score(mo.sentenceFeatures(i, f.around))
		best = max(best, z)
		v.sentences[i] = logistic(m.sSlope*z + m.sOffset)
	}
	v.p = logistic(m.slope*(m.turn.score(f.all)+best)/2 + m.offset)
	return v
}
