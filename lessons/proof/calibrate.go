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
	// MostJudged limits the decisions that count to the latest ones: people and their
	// projects change.
	MostJudged = 500
	// penalty regularises a bias: half of it times the square of the bias is added to the
	// loss. A project's bias adds to the one of all projects, so with a single project
	// the effective penalty is half, 2, as in the replay of labels that it was tuned on.
	penalty = 4
	// maxBias is the largest bias, in log odds. It turns .90 into .60 and back.
	maxBias = 1.8
	// leastHabit is how many rejections for one reason make a habit.
	leastHabit = 2
)

// A Judged is a decision on an extractor's proposal.
type Judged struct {
	ID        lessons.ID
	Extractor string
	Project   string
	Agent     string // whose transcript it was made from
	Kind      string // the reason for proposing it
	Lane      lessons.Lane
	Score     lessons.Confidence // the extractor's own
	Said      lessons.Confidence // as shown to the person
	Right     bool               // approved, or merged into a lesson that stands
	Refusal   lessons.Refusal    // why it was rejected
	At        time.Time
}

// JudgedOf returns the decision on a proposal. It returns false for lessons that are
// undecided, were not proposed by an extractor, or were rejected as duplicates.
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

// proposalKind returns what a proposal was made for: the first reason of the rules, or
// the category if a model proposed it.
func proposalKind(l lessons.Lesson) string {
	if l.Origin.ByModel() {
		return string(l.Category)
	}
	kind, _, _ := strings.Cut(l.Origin.Rule, "; ")
	return kind
}

// family returns the extractor without the model's name: a person's taste does not change
// with the model.
func family(extractor string) string {
	name, _, _ := strings.Cut(extractor, ":")
	return name
}

// A Habit is a reason that a person has repeatedly given for rejecting proposals of a
// kind.
type Habit struct {
	Refusal lessons.Refusal
	Kind    string
	From    []lessons.ID // the rejections, the oldest first
}

// String returns the name under which settings switch the habit off.
func (h Habit) String() string { return string(h.Refusal) + ": " + h.Kind }

// A Calibration is learned from a person's decisions: how far to trust an extractor's
// confidence, and which kinds of proposals to hold back. It is computed from the decided
// lessons, so an undone decision is forgotten. It adjusts confidences and lanes but not
// the ranking, which did not improve in replays. The zero value adjusts nothing.
type Calibration struct {
	bias   map[string]float64 // in log odds, by family and by family and project
	habits []Habit
}

func biasKey(extractor, project string) string { return family(extractor) + "\x00" + project }

// LatestJudged returns the decisions that count, the oldest first.
func LatestJudged(all []Judged) []Judged {
	js := slices.Clone(all)
	slices.SortFunc(js, func(a, b Judged) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return js[max(0, len(js)-MostJudged):]
}

// A Grade is how often some proposals were right.
type Grade struct {
	Name  string
	Count int
	Right int
	Said  float64 // the average confidence shown
}

// True returns the share that was right.
func (g Grade) True() float64 { return float64(g.Right) / float64(max(g.Count, 1)) }

// Grades groups decisions by name, the most frequent first.
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

// Calibrate learns from decisions, in any order. It ignores habits named in off.
func Calibrate(all []Judged, off []string) Calibration {
	js := LatestJudged(all)
	c := Calibration{bias: map[string]float64{}}
	groups := map[string][]Judged{}
	for _, j := range js {
		for _, k := range []string{biasKey(j.Extractor, ""), biasKey(j.Extractor, j.Project)} {
			groups[k] = append(groups[k], j)
		}
	}
	for k, g := range groups { // first all projects, then what each adds
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

// bias returns the shift in log odds that makes the decisions likeliest, on top of the
// shift have: a logistic regression with one weight, by Newton's method.
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

// Habits returns the habits in the order in which they began.
func (c Calibration) Habits() []Habit { return slices.Clone(c.habits) }

// Bias returns the shift, in log odds, for proposals of an extractor in a project.
func (c Calibration) Bias(extractor, project string) float64 {
	b := c.bias[biasKey(extractor, "")]
	if project != "" {
		b += c.bias[biasKey(extractor, project)]
	}
	return min(max(b, -maxBias), maxBias)
}

// At returns the calibrated confidence.
func (c Calibration) At(said lessons.Confidence, extractor, project string) lessons.Confidence {
	if b := c.Bias(extractor, project); b != 0 {
		return lessons.Confidence(logistic(logit(said) + b)).Round()
	}
	return said
}

// Weigh sets the calibrated confidence and lane of a fresh proposal. The extractor's own
// confidence stays in Origin.Score, to learn from later. From cut on, a proposal of the
// rules is likely unless there is another reason for its lane; one of a model is never
// moved up. No proposal is dropped.
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

// logit returns the log odds of a confidence, clamped away from 0 and 1.
func logit(c lessons.Confidence) float64 {
	p := min(max(float64(c), 0.02), 0.98)
	return math.Log(p / (1 - p))
}
