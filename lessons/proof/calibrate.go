package proof

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

const (
	// MostJudged is how many decisions count, the latest ones: people and their
	// projects change.
	MostJudged = 500
	// penalty holds a bias down: half of it times the square of the bias is added to
	// the loss. A project's bias stands on that of all projects, so for who has one
	// project it is as if it were half, the 2 that a replay of labels was tried with.
	penalty = 4
	// maxBias is the largest bias, in log odds; it makes .60 of .90 and back.
	maxBias = 1.8
	// leastHabit is how many rejections for the same reason make a habit.
	leastHabit = 2
)

// A Judged is a proposal of an extractor that a person decided on.
type Judged struct {
	ID        lessons.ID
	Extractor string
	Project   string
	Agent     string // whose transcript it was made of
	Kind      string // what it was proposed for
	Lane      lessons.Lane
	Score     lessons.Confidence // of the extractor
	Said      lessons.Confidence // what the person was shown
	Right     bool               // it was approved, or went into a lesson that stands
	Refusal   lessons.Refusal    // why it was rejected
	At        time.Time
}

// JudgedOf reads what a person decided on a proposal; false for lessons that wait, that
// no extractor proposed, or that were rejected for being there already.
func JudgedOf(l lessons.Lesson) (Judged, bool) {
	j := Judged{
		ID: l.ID, Extractor: l.Origin.Extractor, Project: l.Scope.Project, Kind: proposalKind(l), Lane: cmp.Or(l.Lane, lessons.Likely),
		Score: l.Origin.Score, Said: l.Confidence, At: l.Decided.At,
	}
	if l.Proof.Prior > 0 {
		j.Said = l.Proof.Prior
	}
	if l.Proof.Own { // a person's own number
		j.Said = l.Origin.Score
	}
	if len(l.Evidence) > 0 {
		j.Agent = l.Evidence[0].Agent
	}
	switch l.Status {
	case lessons.Pending:
		return j, false
	case lessons.Rejected:
		j.Refusal, _ = l.Decided.Refusal()
	default:
		j.Right = true
	}
	return j, j.Score > 0 && l.Decided.By != "" && j.Refusal != lessons.Duplicate
}

// proposalKind is what a proposal was made for: the first reason that the rules give; a
// model gives none, so of its proposals the category.
func proposalKind(l lessons.Lesson) string {
	if l.Origin.ByModel() {
		return string(l.Category)
	}
	kind, _, _ := strings.Cut(l.Origin.Rule, "; ")
	return kind
}

// family is the extractor without the model's name: who changes models has the
// same taste.
func family(extractor string) string {
	name, _, _ := strings.Cut(extractor, ":")
	return name
}

// A Habit is a reason for which a person rejects proposals of a kind.
type Habit struct {
	Refusal lessons.Refusal
	Kind    string
	From    []lessons.ID // the rejections, the oldest first
}

// String names the habit, as the settings do that switch it off.
func (h Habit) String() string { return string(h.Refusal) + ": " + h.Kind }

// A Calibration is what a person's decisions say: what an extractor's confidence is worth
// with this person, and which kinds of proposals they do not want. All of it follows from
// the decided lessons, so a decision that is undone is forgotten. It moves confidences
// and lanes and does not rank: among people whose decisions were replayed, their own
// words and signs put proposals in no better order. The zero value says nothing.
type Calibration struct {
	bias   map[string]float64 // in log odds, by family, and by family and project
	habits []Habit
}

func biasKey(extractor, project string) string { return family(extractor) + "\x00" + project }

// LatestJudged gives the decisions that count, the oldest first.
func LatestJudged(all []Judged) []Judged {
	js := slices.Clone(all)
	slices.SortFunc(js, func(a, b Judged) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return js[max(0, len(js)-MostJudged):]
}

// A Grade is how right some proposals were.
type Grade struct {
	Name  string
	Count int
	Right int
	Said  float64 // the confidence that they were shown with, on average
}

// True is the part of them that was right.
func (g Grade) True() float64 { return float64(g.Right) / float64(max(g.Count, 1)) }

// Grades counts decisions by a name of each, the most frequent first.
func Grades(js []Judged, name func(Judged) string) []Grade {
	at, out := map[string]int{}, []Grade(nil)
	for _, j := range js {
		i, ok := at[name(j)]
		if !ok {
			i = len(out)
			at[name(j)] = i
			out = append(out, Grade{Name: name(j)})
		}
		g := &out[i]
		g.Said = (g.Said*float64(g.Count) + float64(j.Said)) / float64(g.Count+1)
		g.Count++
		if j.Right {
			g.Right++
		}
	}
	slices.SortStableFunc(out, func(a, b Grade) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return out
}

// Calibrate learns from decisions, in any order. Habits whose names are in off are
// passed over.
func Calibrate(all []Judged, off []string) Calibration {
	js := LatestJudged(all)
	c := Calibration{bias: map[string]float64{}}
	groups := map[string][]Judged{}
	for _, j := range js {
		for _, k := range []string{biasKey(j.Extractor, ""), biasKey(j.Extractor, j.Project)} {
			groups[k] = append(groups[k], j)
		}
	}
	for k, g := range groups { // what holds for all, then what the project adds
		if strings.HasSuffix(k, "\x00") {
			c.bias[k] = bias(g, 0)
		}
	}
	for k, g := range groups {
		if !strings.HasSuffix(k, "\x00") {
			c.bias[k] = bias(g, c.bias[biasKey(g[0].Extractor, "")])
		}
	}
	c.habits = slices.DeleteFunc(habits(js), func(h Habit) bool { return slices.Contains(off, h.String()) })
	return c
}

// bias is the shift of log odds under which the decisions are likeliest, beside
// one that holds already: a logistic regression with one weight, by Newton's
// method.
func bias(js []Judged, have float64) float64 {
	b := 0.0
	for range 20 {
		slope, curve := penalty*b, float64(penalty)
		for _, j := range js {
			p := logistic(logit(j.Score) + have + b)
			slope += p
			if j.Right {
				slope--
			}
			curve += p * (1 - p)
		}
		b -= slope / curve
	}
	return min(max(b, -maxBias), maxBias)
}

func habits(js []Judged) []Habit {
	var out []Habit
	right := map[string]int{}
	for _, j := range js {
		if j.Right {
			right[j.Kind]++
			continue
		}
		if j.Refusal == lessons.Refused || j.Kind == "" {
			continue
		}
		i := slices.IndexFunc(out, func(h Habit) bool { return h.Refusal == j.Refusal && h.Kind == j.Kind })
		if i < 0 {
			i = len(out)
			out = append(out, Habit{Refusal: j.Refusal, Kind: j.Kind})
		}
		out[i].From = append(out[i].From, j.ID)
	}
	return slices.DeleteFunc(out, func(h Habit) bool { return len(h.From) < leastHabit || len(h.From) <= right[h.Kind] })
}

// Habits are those that hold, in the order in which they began.
func (c Calibration) Habits() []Habit { return slices.Clone(c.habits) }

// Bias is by how much, in log odds, proposals of an extractor in a project are
// moved.
func (c Calibration) Bias(extractor, project string) float64 {
	b := c.bias[biasKey(extractor, "")]
	if project != "" {
		b += c.bias[biasKey(extractor, project)]
	}
	return min(max(b, -maxBias), maxBias)
}

// At is what becomes of an extractor's confidence.
func (c Calibration) At(said lessons.Confidence, extractor, project string) lessons.Confidence {
	if b := c.Bias(extractor, project); b != 0 {
		return lessons.Confidence(logistic(logit(said) + b)).Round()
	}
	return said
}

// Weigh gives a fresh proposal the confidence and the lane that the decisions
// suggest; the extractor's own stays in Origin.Score, where the decisions on it are
// looked up. From cut on a proposal of
// the rules is likely, unless there is another reason for its lane; one of a model
// is never moved up. No proposal is dropped.
func (c Calibration) Weigh(l lessons.Lesson, cut lessons.Confidence) lessons.Lesson {
	l.Origin.Score = l.Confidence
	if at := c.At(l.Confidence, l.Origin.Extractor, l.Scope.Project); at != l.Confidence {
		if l.Confidence = at; l.Quarantined() {
			l.Confidence = min(l.Confidence, lessons.MaxHearsay)
		}
		switch {
		case l.Confidence < cut:
			l.Lane = lessons.Maybe
		case !l.Origin.ByModel() && l.Origin.Score < cut && l.Origin.Stands == "" && l.Origin.Against == "" && len(l.Origin.Unsaid) == 0:
			l.Lane = ""
		}
	}
	kind := proposalKind(l)
	for _, h := range c.habits {
		if h.Kind == kind {
			l.Lane = lessons.Maybe
			l.Origin.Rule += "; you rejected others like it as " + string(h.Refusal)
			break
		}
	}
	return l
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// logit is the log odds of a confidence, which is kept from the ends.
func logit(c lessons.Confidence) float64 {
	p := min(max(float64(c), 0.02), 0.98)
	return math.Log(p / (1 - p))
}
