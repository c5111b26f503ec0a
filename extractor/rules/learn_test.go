package rules

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"

	"learnings/lessons"
)

var learn = flag.Bool("learn", false, "learn the weights anew from testdata/turns.gz and write weights.txt")

// An example is a labelled turn as the learning sees it.
type example struct {
	group   string  // of projects; see [group]
	session int     // a tenth of the sessions, from 0
	label   string  // lesson, arguable or none
	weight  float64 // beside that of a labelled turn of people at work; 0 is 1
	copied  bool    // the same was said in an example before: forks copy turns
	view    view
	stated  []bool // of each sentence: it is what a lesson quotes

	shelf     lessons.Category // of its lesson; "" without one
	shelvedBy []string         // the features of the sentence that states it
}

// y is how far a label says that a turn teaches, and w how much that weighs.
func (e *example) y() float64 {
	switch e.label {
	case "lesson":
		return 1
	case "arguable":
		return 0.4
	}
	return 0
}

func (e *example) w() float64 {
	w := cmp.Or(e.weight, 1)
	if e.label == "arguable" {
		w /= 2
	}
	return w
}

// sentences are those of the turn with their labels.
func (e *example) sentences() []labelled {
	out := make([]labelled, len(e.view.sentences))
	for i, feats := range e.view.sentences {
		out[i] = labelled{feats: feats, w: cmp.Or(e.weight, 1), group: e.group}
		if e.stated[i] {
			out[i].y, out[i].w = e.y(), e.w()
		}
	}
	return out
}

type labelled struct {
	feats []string
	y, w  float64
	group string
}

// worded reports whether a feature is of words, which must be common to
// several groups of projects to be used.
func worded(f string) bool {
	return strings.HasPrefix(f, "w ") || strings.HasPrefix(f, "p ")
}

const (
	minCount  = 4  // occurrences of a feature
	minGroups = 3  // groups in which a worded feature occurs twice or more
	penalty   = 30 // of the squared weights
	rounds    = 150
)

// fit finds the weights from zero.
func fit(ex []labelled) linear { return fitPen(ex, penalty) }

func fitPen(ex []labelled, penalty float64) linear {
	return fitFrom(ex, func(int) float64 { return penalty }, nil, nil)
}

// fitFrom is [fit] from other weights than zero. held is how strongly a feature that
// occurs n times is held to its weight of the beginning; sign is +1 for features that may
// only speak for, and -1 for those that may only speak against.
func fitFrom(ex []labelled, held func(n int) float64, prior linear, sign map[string]int) linear {
	count, in := map[string]int{}, map[string]map[string]int{}
	for _, e := range ex {
		for _, f := range e.feats {
			count[f]++
			if in[f] == nil {
				in[f] = map[string]int{}
			}
			in[f][e.group]++
		}
	}
	var names []string
	for _, f := range slices.Sorted(maps.Keys(count)) {
		wide := 0
		for _, n := range in[f] {
			if n >= 2 {
				wide++
			}
		}
		if count[f] >= minCount && (wide >= minGroups || !worded(f)) {
			names = append(names, f)
		}
	}
	id := map[string]int{}
	d := descent{rate: 0.3, rounds: rounds, start: make([]float64, len(names)), held: make([]float64, len(names)), sign: make([]int, len(names))}
	for i, f := range names {
		id[f], d.start[i], d.held[i], d.sign[i] = i, prior[f], held(count[f]), sign[f]
	}
	for _, e := range ex {
		var cells []cell
		for _, f := range e.feats {
			if i, ok := id[f]; ok {
				cells = append(cells, cell{i, 1})
			}
		}
		d.rows = append(d.rows, labelledRow{cells, e.y, e.w})
	}
	l := linear{}
	for i, w := range d.fit() {
		l[names[i]] = w
	}
	return l
}

// A cell is how much of a feature an example has.
type cell struct {
	at     int
	amount float64
}

type labelledRow struct {
	cells []cell
	y, w  float64
}

// A descent fits weights to rows by gradient descent with steps that adapt (AdaGrad), over
// all rows at once, so that the same data give the same weights.
type descent struct {
	rows        []labelledRow
	start, held []float64 // where each weight begins, and how strongly it is held there
	sign        []int     // +1 for weights that may only be positive, -1 for negative ones; nil for none
	rate        float64
	rounds      int
}

func (d descent) fit() []float64 {
	w, sq, grad := slices.Clone(d.start), make([]float64, len(d.start)), make([]float64, len(d.start))
	for range d.rounds {
		for i := range grad {
			grad[i] = d.held[i] * (w[i] - d.start[i])
		}
		for _, r := range d.rows {
			z := 0.0
			for _, c := range r.cells {
				z += w[c.at] * c.amount
			}
			off := (logistic(z) - r.y) * r.w
			for _, c := range r.cells {
				grad[c.at] += off * c.amount
			}
		}
		for i, g := range grad {
			if sq[i] += g * g; sq[i] > 0 {
				w[i] -= d.rate * g / math.Sqrt(sq[i])
			}
			if d.sign != nil && float64(d.sign[i])*w[i] < 0 {
				w[i] = 0
			}
		}
	}
	return w
}

// idleShare is what idle talk weighs in the learning of words. All of it teaches more of
// what is said idly, and less of what people at work say: 0, .2, .5 and 1 were tried on
// projects left out.
const idleShare = 0.5

// fitWords learns the first step.
func fitWords(ex []example) *model {
	var turns, sents []labelled
	for _, e := range ex {
		if e.copied {
			continue
		}
		share := 1.0
		if idle(e) {
			share = idleShare
		}
		turns = append(turns, labelled{feats: e.view.turn, y: e.y(), w: share * e.w(), group: e.group})
		for _, s := range e.sentences() {
			s.w *= share
			sents = append(sents, s)
		}
	}
	m := newModel()
	m.turn, m.sentence = fit(turns), fit(sents)
	return m
}

// fitModel learns the first step. Categories are learned from people at
// work; words and the force of a sentence from idle talk as well.
func fitModel(ex []example) *model {
	force := fitForce(ex)
	m := fitWords(ex)
	ex = slices.DeleteFunc(slices.Clone(ex), idle)
	m.force = force
	m.shelves = fitShelves(ex)
	return m
}

// shelfPenalty is of the squared weights of the categories; 1 to 30 were tried
// on projects left out.
const shelfPenalty = 4

// fitShelves learns a classifier for each category.
func fitShelves(ex []example) map[lessons.Category]linear {
	out := map[lessons.Category]linear{}
	for _, c := range shelves {
		var rows []labelled
		for _, e := range ex {
			if e.shelf != "" && !e.copied {
				row := labelled{feats: e.shelvedBy, w: 1, group: e.group}
				if e.shelf == c {
					row.y = 1
				}
				rows = append(rows, row)
			}
		}
		out[c] = fitPen(rows, shelfPenalty)
	}
	return out
}

// leftOut judges every example by a model that has not seen its group, and
// gives these models by the group that they have not seen.
func leftOut(ex []example, of func(example) string, fit func([]example) *model) ([]verdict, map[string]*model) {
	out, models := make([]verdict, len(ex)), map[string]*model{}
	for _, e := range ex {
		models[of(e)] = nil
	}
	for g := range models {
		var train []example
		for _, e := range ex {
			if of(e) != g {
				train = append(train, e)
			}
		}
		m := fit(train)
		models[g] = m
		for i := range ex {
			if of(ex[i]) == g {
				out[i] = m.weigh(ex[i].view)
			}
		}
	}
	return out, models
}

// A trial is the labelled examples, and what models that had not seen them
// think of them.
type trial struct {
	ex     []example
	vs     []verdict
	models map[string]*model // by the group that they have not seen, with their own calibration
	joint  linear
}

var theTrial *trial

// tryOut learns once for all tests; it takes some seconds.
func tryOut(t testing.TB) *trial {
	if raceEnabled || testing.Short() {
		t.Skip("learning is slow under -race and left out with -short")
	}
	if theTrial == nil {
		ex := readExamples(t)
		vs, models := leftOut(ex, byGroup, fitModel)
		theTrial = &trial{ex: ex, vs: vs, models: models}
		for g, m := range models {
			var others []example
			var theirs []verdict
			for i, e := range ex {
				if e.group != g {
					others, theirs = append(others, e), append(theirs, vs[i])
				}
			}
			m.weighRest(others, theirs)
		}
		for i := range ex {
			vs[i] = models[ex[i].group].weigh(ex[i].view)
		}
		theTrial.joint = fitJoint(ex, vs, models)
		for i, e := range ex {
			m := models[e.group]
			if m.joint = theTrial.joint; vs[i].best >= 0 {
				vs[i].p = m.jointly(e, vs[i])
			}
		}
	}
	return theTrial
}

func byGroup(e example) string { return e.group }

// atRecall is precision at some recalls, over turns; arguable ones are neutral.
func atRecall(ex []example, vs []verdict, of func(example) bool) string {
	var idx []int
	pos := 0
	for i := range ex {
		if of(ex[i]) {
			idx = append(idx, i)
			if ex[i].label == "lesson" {
				pos++
			}
		}
	}
	sort.SliceStable(idx, func(a, b int) bool { return vs[idx[a]].p > vs[idx[b]].p })
	out, tp, fp, ap := "", 0, 0, 0.0
	next := []float64{.1, .2, .3, .35, .4, .45, .5, .6, .7}
	for _, i := range idx {
		switch ex[i].label {
		case "lesson":
			tp++
			ap += float64(tp) / float64(tp+fp)
		case "none":
			fp++
		}
		for len(next) > 0 && float64(tp) >= next[0]*float64(pos) {
			out += fmt.Sprintf("  %.2f@%.2f", float64(tp)/float64(max(1, tp+fp)), next[0])
			next = next[1:]
		}
	}
	return fmt.Sprintf("%4d turns %3d lessons, average precision %.3f, precision@recall%s", len(idx), pos, ap/float64(max(pos, 1)), out)
}

// kept says of the turns at or above a confidence how many hold a lesson, how many of the
// lessons they are, and how many are of idle talk.
func kept(ex []example, vs []verdict, cut float64) string {
	found, all, decoys, told, said := 0, 0, 0, 0, 0
	for i, e := range ex {
		switch {
		case !idle(e) && !e.copied && e.label == "lesson":
			if all++; vs[i].p >= cut {
				found++
			}
		case e.weight == weighDecoy && vs[i].p >= cut:
			decoys++
		case e.weight == weighMentor && vs[i].p >= cut:
			if said++; e.label == "lesson" {
				told++
			}
		}
	}
	return fmt.Sprintf("%.3f right, %.3f found; turns of decoys %d; of the mentor %d, %.2f right", rightAbove(ex, vs, cut), float64(found)/float64(max(1, all)), decoys, said, float64(told)/float64(max(1, said)))
}

// rightAbove is how many of the turns at or above a confidence hold a lesson;
// those that are arguable, and copies, do not count.
func rightAbove(ex []example, vs []verdict, cut float64) float64 {
	right, n := 0, 0
	for i, e := range ex {
		if !e.copied && !idle(e) && vs[i].p >= cut && e.label != "arguable" {
			n++
			if e.label == "lesson" {
				right++
			}
		}
	}
	return float64(right) / float64(max(n, 1))
}

// TestLearn measures the model on groups of projects that were left out of
// the learning, and checks that what the repository holds teaches the weights
// that the program has. With -learn it writes these instead.
func TestLearn(t *testing.T) {
	all := tryOut(t)
	ex, vs := all.ex, all.vs
	t.Logf("%d examples", len(ex))
	t.Log("project left out: ", atRecall(ex, vs, func(e example) bool { return !idle(e) }))
	for _, g := range slices.Sorted(maps.Keys(all.models)) {
		t.Logf("  %-26s%s", g, atRecall(ex, vs, func(e example) bool { return e.group == g }))
	}
	for c := 30; c <= 75; c += 5 {
		cut := float64(c) / 100
		t.Logf("  at %.2f and more: %s", cut, kept(ex, vs, cut))
	}
	for cut, want := range map[float64]float64{DefaultMinConfidence: 0.55, DefaultLikely: 0.70} {
		if got := rightAbove(ex, vs, cut); got < want {
			t.Errorf("of the turns at %.2f and more %.2f hold a lesson; the cut is for %.2f", cut, got, want)
		}
	}
	right, n, corrections, ofThem := 0, 0, 0, 0
	for _, e := range ex {
		if e.shelf != "" && !e.copied {
			n++
			c := all.models[e.group].shelve(e.shelvedBy)
			if c == e.shelf {
				right++
			}
			if c == "correction" {
				if ofThem++; c == e.shelf {
					corrections++
				}
			}
		}
	}
	t.Logf("  the category agrees with the label for %d of %d lessons; of what is called a correction, %d of %d", right, n, corrections, ofThem)
	if 2*corrections < ofThem {
		t.Errorf("%d of %d corrections are labelled so; fewer than half", corrections, ofThem)
	}
	m := fitModel(ex)
	m.weighRest(ex, vs)
	m.joint = all.joint
	if *learn {
		if err := os.WriteFile("weights.txt", []byte(m.text()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the last digits of the weights differ from one kind of processor to another; those of the program are of amd64")
	}
	if m.text() != weights {
		t.Error("testdata/turns.gz teaches other weights than weights.txt has: go generate ./extractor/rules")
	}
}

// weighRest learns the second step, by the scores that models which had not
// seen the examples gave in the first. What was copied counts once.
func (m *model) weighRest(ex []example, vs []verdict) {
	var rows []map[string]float64
	var y, w []float64
	for i, e := range ex {
		if e.copied || vs[i].best < 0 || idle(e) {
			continue
		}
		row := map[string]float64{"bias": 1, "words": vs[i].words}
		for _, f := range slices.Concat(e.view.follows, e.view.hints[vs[i].best]) {
			if lowers[f] == 0 && f != answersAgent {
				row[f] = 1
			}
		}
		rows, y, w = append(rows, row), append(y, e.y()), append(w, e.w())
	}
	m.after = fitFew(rows, y, w)
}

// fitFew is fit for a handful of amounts; the bias and the score of the words
// are not held down.
func fitFew(rows []map[string]float64, y, w []float64) linear {
	const penalty = 1
	seen := map[string]bool{"words": true}
	for _, row := range rows {
		for f := range row {
			seen[f] = true
		}
	}
	names := slices.Sorted(maps.Keys(seen))
	d := descent{rate: 0.1, rounds: 1500, start: make([]float64, len(names)), held: make([]float64, len(names))}
	for k, f := range names {
		if f == "words" {
			d.start[k] = 1
		} else if f != "bias" {
			d.held[k] = penalty
		}
	}
	for i, row := range rows {
		var cells []cell
		for k, f := range names {
			if row[f] != 0 {
				cells = append(cells, cell{k, row[f]})
			}
		}
		d.rows = append(d.rows, labelledRow{cells, y[i], w[i]})
	}
	out := linear{}
	for k, w := range d.fit() {
		out[names[k]] = w
	}
	return out
}

func (m *model) text() string {
	parts := map[string]linear{"after": m.after, "joint": m.joint, "force": m.force, "turn": m.turn, "sentence": m.sentence}
	order := []string{"after", "joint", "force", "turn", "sentence"}
	for _, c := range shelves {
		order = append(order, "shelf "+string(c))
		parts["shelf "+string(c)] = m.shelves[c]
	}
	var b strings.Builder
	for _, name := range order {
		for _, f := range slices.Sorted(maps.Keys(parts[name])) {
			if w := parts[name][f]; math.Abs(w) >= 0.005 {
				fmt.Fprintf(&b, "%s\t%s\t%.3f\n", name, f, w)
			}
		}
	}
	return b.String()
}
