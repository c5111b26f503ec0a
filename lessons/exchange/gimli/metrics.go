package gimli

import (
	"cmp"
	"math"
	"slices"
	"time"

	"learnings/lessons"
)

// Metrics are what Gimli counts of its learnings.
type Metrics struct {
	Total        int            `json:"total"`
	ByCategory   map[string]int `json:"byCategory"`
	ByConfidence map[string]int `json:"byConfidence"`
	BySource     map[string]int `json:"bySource"`
	Time         Times          `json:"timeMetrics"`
	Oldest       *string        `json:"oldestLearning"`
	Newest       *string        `json:"newestLearning"`
	Accuracy     float64        `json:"accuracyScore"` // 0 to 100, by the confidences alone
}

// Times count learnings by age.
type Times struct {
	Day    int     `json:"last24Hours"`
	Week   int     `json:"last7Days"`
	Month  int     `json:"last30Days"`
	PerDay float64 `json:"avgPerDay"` // of the last month
}

// Sources are the keys of Metrics.BySource, in the order in which they are shown.
var Sources = []string{"userMessage", "successPattern", "file", "other"}

// Confidences are those of Metrics.ByConfidence.
var Confidences = []string{lessons.High, lessons.Medium, lessons.Low}

// weights are what a confidence counts in the accuracy.
var weights = map[string]float64{lessons.High: 100, lessons.Medium: 70, lessons.Low: 40}

// Top is a learning in a list of the best.
type Top struct {
	ID         string `json:"id"`
	Content    string `json:"content"`
	Confidence string `json:"confidence"`
	Timestamp  string `json:"timestamp"`
}

// A Board is what Gimli shows of an agent's learnings.
type Board struct {
	Metrics Metrics          `json:"metrics"`
	Top     map[string][]Top `json:"topByCategory"`
}

// mostTop is how many are shown of a category.
const mostTop = 5

// BoardOf counts lessons as Gimli does.
func BoardOf(ls []lessons.Lesson, now time.Time) Board {
	all := make([]Learning, len(ls))
	for i, l := range ls {
		all[i] = learningOf(l)
	}
	b := Board{metricsOf(all, now), map[string][]Top{}}
	for _, c := range Categories {
		b.Top[c] = topOf(all, c, mostTop)
	}
	return b
}

func metricsOf(all []Learning, now time.Time) Metrics {
	m := Metrics{Total: len(all), ByCategory: zeros(Categories), ByConfidence: zeros(Confidences), BySource: zeros(Sources)}
	count := func(in map[string]int, key string) {
		if _, ok := in[key]; ok {
			in[key]++
		}
	}
	var oldest, newest time.Time
	for _, l := range all {
		count(m.ByCategory, l.Category)
		count(m.ByConfidence, l.Confidence)
		switch l.Source {
		case "user_message":
			m.BySource["userMessage"]++
		case "success_pattern":
			m.BySource["successPattern"]++
		case "file":
			m.BySource["file"]++
		default:
			m.BySource["other"]++
		}
		at, ok := timeOf(l)
		if !ok {
			continue
		}
		if oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
		if newest.IsZero() || at.After(newest) {
			newest = at
		}
		for days, n := range map[int]*int{1: &m.Time.Day, 7: &m.Time.Week, 30: &m.Time.Month} {
			if now.Sub(at) <= time.Duration(days)*24*time.Hour {
				*n++
			}
		}
	}
	m.Time.PerDay = hundredths(float64(m.Time.Month) / 30)
	if !oldest.IsZero() {
		o, n := stamp(oldest), stamp(newest)
		m.Oldest, m.Newest = &o, &n
	}
	sum := 0.0
	for word, n := range m.ByConfidence {
		sum += weights[word] * float64(n)
	}
	if m.Total > 0 {
		m.Accuracy = hundredths(sum / float64(m.Total))
	}
	return m
}

func zeros(keys []string) map[string]int {
	out := map[string]int{}
	for _, k := range keys {
		out[k] = 0
	}
	return out
}

// hundredths rounds as JavaScript does.
func hundredths(x float64) float64 { return math.Floor(x*100+0.5) / 100 }

func timeOf(l Learning) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, l.Timestamp)
	return t, err == nil
}

// topOf gives the best learnings of a category: the surest, and of those the newest.
func topOf(all []Learning, category string, n int) []Top {
	of := slices.DeleteFunc(slices.Clone(all), func(l Learning) bool { return l.Category != category })
	slices.SortStableFunc(of, func(a, b Learning) int {
		ta, _ := timeOf(a)
		tb, _ := timeOf(b)
		return cmp.Or(cmp.Compare(weights[b.Confidence], weights[a.Confidence]), tb.Compare(ta))
	})
	out := []Top{}
	for _, l := range of[:min(len(of), max(n, 0))] {
		out = append(out, Top{l.ID, l.Content, l.Confidence, l.Timestamp})
	}
	return out
}
