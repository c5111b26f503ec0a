package rank

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/file"
)

// octomind are the rules of Octomind: how its first version and its present one
// find what fits a task, what it keeps longest when its store is full, and which
// lessons it takes a new one for a duplicate of.
//
// It has a model make three to five patterns of a task. Here they are what stands
// between quotation marks or commas, or else the words; see [patterns].
var octomind = []index.Ranker{
	{Name: "octomind", About: "Octomind: keywords and nearness, importance, age", Rank: octomindNow},
	{Name: "octomind-seed", About: "the first Octomind: how many keywords a lesson contains", Rank: func(q index.Question, ls []lessons.Lesson) []index.Place {
		if strings.TrimSpace(q.Text) == "" {
			return important(ls)
		}
		return containing(patterns(q.Text), ls)
	}},
	{Name: "octomind-keep", About: "Octomind: what it keeps longest when its store is full", Share: true, Rank: func(q index.Question, ls []lessons.Lesson) []index.Place {
		scores := make([]float64, len(ls))
		for i, l := range ls {
			scores[i] = utility(l, q.Now)
		}
		return best(scores)
	}},
	{Name: "octomind-duplicate", About: "Octomind: lessons that a new one of this text repeats", Share: true, Rank: func(q index.Question, ls []lessons.Lesson) []index.Place {
		return repeated(q.Text, ls)
	}},
}

// important is the order when nothing is known of a task.
func important(ls []lessons.Lesson) []index.Place {
	scores := make([]float64, len(ls))
	for i, l := range ls {
		scores[i] = importance(l)
	}
	return best(scores)
}

// patterns makes what a model makes of a task: the phrases between quotation marks,
// and of the rest the phrases between commas or line ends, or the words when there
// is only one such phrase.
func patterns(text string) []string {
	var out, rest []string
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			rest = append(rest, part)
		}
	}
	loose := strings.FieldsFunc(strings.Join(rest, " "), func(r rune) bool { return r == ',' || r == '\n' })
	if len(loose) == 1 {
		loose = slices.DeleteFunc(strings.Fields(loose[0]), func(w string) bool {
			return len(w) < 3 || slices.Contains(octomindStops, strings.ToLower(w))
		})
	}
	out = append(out, loose...)
	for i, p := range out {
		out[i] = strings.TrimSpace(p)
	}
	return slices.DeleteFunc(out, func(p string) bool { return p == "" })
}

// containing counts the patterns that a lesson's text and tags contain.
func containing(patterns []string, ls []lessons.Lesson) []index.Place {
	patterns = lower(patterns)
	scores := make([]float64, len(ls))
	for i, l := range ls {
		text := strings.ToLower(l.Content) + " " + strings.ToLower(strings.Join(l.Tags, " "))
		for _, p := range patterns {
			if strings.Contains(text, p) {
				scores[i]++
			}
		}
	}
	return best(scores)
}

// octomindStops say nothing about a subject.
var octomindStops = []string{
	"about", "after", "before", "could", "from", "have", "into", "should", "their", "there",
	"these", "this", "using", "what", "when", "where", "which", "with", "would", "your",
}

// keywords counts four for a pattern that a lesson contains as it is. Of another it
// counts the words that the lesson has, if there are two.
func keywords(patterns []string, ls []lessons.Lesson) []index.Place {
	type pattern struct {
		text  string
		terms []string
	}
	all := make([]pattern, len(patterns))
	for i, p := range lower(patterns) {
		all[i].text = p
		all[i].terms = strings.FieldsFunc(p, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' })
		all[i].terms = slices.DeleteFunc(all[i].terms, func(t string) bool { return len(t) < 3 || slices.Contains(octomindStops, t) })
		slices.Sort(all[i].terms)
		all[i].terms = slices.Compact(all[i].terms)
	}
	scores := make([]float64, len(ls))
	for i, l := range ls {
		text := strings.ToLower(title(l) + " " + l.Content + " " + strings.Join(l.Tags, " "))
		for _, p := range all {
			if strings.Contains(text, p.text) {
				scores[i] += 4
				continue
			}
			n := 0
			for _, t := range p.terms {
				if strings.Contains(text, t) {
					n++
				}
			}
			if n >= 2 {
				scores[i] += float64(n)
			}
		}
	}
	return best(scores)
}

func lower(in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = strings.ToLower(s)
	}
	return out
}

// octomindNow fuses the order by keywords with the order by nearness, weighs what
// that gives by age and importance, and follows links between lessons.
func octomindNow(q index.Question, ls []lessons.Lesson) []index.Place {
	if strings.TrimSpace(q.Text) == "" {
		return important(ls)
	}
	sparse := places(keywords(patterns(q.Text), ls))
	near := make([]int, min(q.Near, len(ls)))
	for i := range near {
		near[i] = i
	}
	const distrusted, little = 0.4, 0.25
	weight := 1.0
	if len(near) > 0 && slices.ContainsFunc(sparse[:min(3, len(sparse))], func(i int) bool { return importance(ls[i]) < distrusted }) {
		weight = little
	}
	fused := fuse(len(ls), ranking{sparse, weight}, ranking{near, 1})
	for i, p := range fused {
		fused[i].Score *= (1 + 0.5*recency(ls[p.At].Created, q.Now)) * importanceFactor(importance(ls[p.At]))
	}
	slices.SortStableFunc(fused, func(a, b index.Place) int { return cmp.Compare(b.Score, a.Score) })
	return linked(rescue(fused, sparse, ls), ls)
}

func places(in []index.Place) []int {
	out := make([]int, len(in))
	for i, p := range in {
		out[i] = p.At
	}
	return out
}

// A ranking is an order with the weight that it has beside others.
type ranking struct {
	places []int
	weight float64
}

// fuse adds up, for each of n candidates, weight/(60+rank) over the rankings, with
// ranks from 1.
func fuse(n int, rankings ...ranking) []index.Place {
	scores := make([]float64, n)
	for _, r := range rankings {
		for rank, i := range r.places {
			if i < n {
				scores[i] += r.weight / float64(60+rank+1)
			}
		}
	}
	return best(scores)
}

// rescue puts the most important of the first three by keywords in the fifth place
// if it came out behind that.
func rescue(order []index.Place, sparse []int, ls []lessons.Lesson) []index.Place {
	if len(sparse) == 0 {
		return order
	}
	top := sparse[0]
	for _, i := range sparse[:min(3, len(sparse))] {
		if importance(ls[i]) >= importance(ls[top]) {
			top = i
		}
	}
	const fifth = 4
	at := slices.IndexFunc(order, func(p index.Place) bool { return p.At == top })
	if at <= fifth {
		return order
	}
	p := order[at]
	return slices.Insert(slices.Delete(order, at, at+1), fifth, p)
}

// linked puts behind each lesson those that it says are related, and those that say
// so of it, unless they have been before.
func linked(order []index.Place, ls []lessons.Lesson) []index.Place {
	byStem := make(map[string]int, len(ls))
	links := make([][]string, len(ls))
	any := false
	for i, l := range ls {
		links[i] = related(l)
		any = any || len(links[i]) > 0
	}
	if !any {
		return order
	}
	back := map[string][]int{}
	for i, l := range ls {
		byStem[file.Stem(l)] = i
		for _, to := range links[i] {
			back[to] = append(back[to], i)
		}
	}
	out := make([]index.Place, 0, len(order))
	seen := map[int]bool{}
	add := func(i int, score float64) {
		if !seen[i] {
			seen[i] = true
			out = append(out, index.Place{At: i, Score: score})
		}
	}
	for _, p := range order {
		add(p.At, p.Score)
		for _, to := range links[p.At] {
			if i, ok := byStem[to]; ok {
				add(i, p.Score)
			}
		}
		for _, i := range back[file.Stem(ls[p.At])] {
			add(i, p.Score)
		}
	}
	return out
}

// importance is the one that Octomind gave a lesson, or what stands for our
// confidence in its store.
func importance(l lessons.Lesson) float64 {
	if x, err := strconv.ParseFloat(extra(l, "importance"), 64); err == nil {
		return x
	}
	return l.Confidence.Importance()
}

func extra(l lessons.Lesson, key string) string {
	for _, f := range l.Extra {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

func title(l lessons.Lesson) string { return strings.Trim(extra(l, "title"), `"`) }

func related(l lessons.Lesson) []string {
	var out []string
	for item := range strings.SplitSeq(strings.Trim(extra(l, "related"), "[]"), ",") {
		if item = strings.Trim(strings.TrimSpace(item), `"`); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// importanceFactor is from ¾ to 1¼.
func importanceFactor(importance float64) float64 {
	return 1 + 0.5*(min(max(importance, 0), 1)-0.5)
}

// recency is 1 for what is new and half of it after 30 days; 0 for what has no date.
func recency(created, now time.Time) float64 {
	if created.IsZero() {
		return 0
	}
	return 1 / (1 + max(days(created, now), 0)/30)
}

func days(from, to time.Time) float64 { return to.Sub(from).Hours() / 24 }

// utility says how long Octomind keeps a lesson: above all by its importance, and
// also by its confidence, how often it helped, and when it did last.
func utility(l lessons.Lesson, now time.Time) float64 {
	sure := 0.5
	if l.Confidence.Word() == lessons.High {
		sure = 1
	}
	uses := min(math.Log(float64(l.Use.Used)+1)/math.Log(11), 1)
	last := l.Use.Last
	if last.IsZero() {
		last = l.Created
	}
	fresh := 0.0
	if !last.IsZero() {
		fresh = 1 / (1 + max(math.Floor(days(last, now)), 0)/180)
	}
	return 0.55*min(max(importance(l), 0), 1) + 0.15*sure + 0.15*uses + 0.15*fresh
}

// repeated are the lessons that have more than 60 % of the words of a text. The
// words are what stands between blanks, with the punctuation on them.
func repeated(text string, ls []lessons.Lesson) []index.Place {
	scores := make([]float64, len(ls))
	for i, l := range ls {
		if s := overlap(text, l.Content); s > 0.6 {
			scores[i] = s
		}
	}
	out := best(scores)
	slices.Reverse(out) // of equals Octomind takes the last
	slices.SortStableFunc(out, func(a, b index.Place) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// overlap is the share of the distinct words of a text that another has, too.
func overlap(text, other string) float64 {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		words[w] = false
	}
	if len(words) == 0 {
		return 0
	}
	both := 0
	for w := range strings.FieldsSeq(strings.ToLower(other)) {
		if had, ok := words[w]; ok && !had {
			words[w] = true
			both++
		}
	}
	return float64(both) / float64(len(words))
}
