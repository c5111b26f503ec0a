package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Figures are what the page counts and draws. What is empty says from when on there
// will be something.
type Figures struct {
	Numbers  []Number
	Growth   []Point        // oldest first, at even distances
	Days     map[string]int // decisions, by the day as 2006-01-02
	Streak   int            // the most days on end with a decision
	Mistakes []Mistake
	Weeks    int // that a trend of a mistake has
	Lanes    []Lane

	Active, Waiting [10]int // lessons by their confidence, in tenths
}

// A Tone says whether something is well.
type Tone string

const (
	Fine    Tone = "ok"
	Plain   Tone = "mid"
	Warning Tone = "warn"
	Bad     Tone = "bad"
)

// A Number is one of the large ones at the top.
type Number struct {
	Value, Label string
	More         string // beside the label; "" for nothing
	Tone         Tone   // of that
}

// A Point is how many lessons were in force, and how many waited, at a time.
type Point struct {
	At               time.Time
	InForce, Waiting int
}

// A Mistake is an error that agents meet again and again.
type Mistake struct {
	Name  string
	Trend []int // how often in each week, the oldest first
	Times int
	Says  string // what becomes of it
	Tone  Tone
}

// A Lane is how right the proposals of one were.
type Lane struct {
	Name           string
	Right, Decided int
}

// drawn are the figures as numbers of the pictures.
type drawn struct {
	Numbers      []Number
	Span         string
	Growth       *growth
	Days         *days
	Mistakes     []mistake
	MistakesSpan string
	Lanes        []lane
	Sure         []sure
}

type (
	mark struct {
		X, Y int
		Text string
	}
	growth struct {
		Ticks               []tick
		Months              []mark
		Line, Area, Waiting string
		LastY               string
		Says                string
	}
	tick struct {
		Y, Below int
		Text     string
	}
	days struct {
		Names, Months []mark
		Cells         []cell
		Streak, Says  string
	}
	cell struct {
		X, Y, Level int
		Says        string
	}
	mistake struct {
		Mistake
		Bars []bar
	}
	sure struct {
		X, Y, H, WaitY, WaitH string
		Says                  string
	}
	bar  struct{ X, Y, W, H string }
	lane struct {
		Name, Share, Of string
		Width           int
		Tone            Tone
	}
)

// mostMistakes is how many mistakes are listed.
const mostMistakes = 8

func (f Figures) draw(c *cleaner, now time.Time) drawn {
	d := drawn{Growth: f.growth(), Days: f.days(now)}
	for _, n := range f.Numbers {
		d.Numbers = append(d.Numbers, Number{c.line(n.Value), c.line(n.Label), c.line(n.More), n.Tone})
	}
	d.Sure = f.sure()
	if len(f.Growth) > 1 {
		if weeks := int(math.Round(now.Sub(f.Growth[0].At).Hours() / 24 / 7)); weeks > 1 {
			d.Span = fmt.Sprintf("%d weeks", weeks)
		}
	}
	if len(f.Mistakes) > 0 && f.Weeks > 0 {
		d.MistakesSpan = fmt.Sprintf("per week, %d weeks", f.Weeks)
	}
	for _, m := range f.Mistakes[:min(mostMistakes, len(f.Mistakes))] {
		m.Name, m.Says = c.line(m.Name), c.line(m.Says)
		d.Mistakes = append(d.Mistakes, mistake{m, bars(m.Trend)})
	}
	for _, l := range f.Lanes {
		if l.Decided == 0 {
			continue
		}
		share := float64(l.Right) / float64(l.Decided)
		tone := Warning
		switch {
		case share >= 0.6:
			tone = Fine
		case share >= 0.35:
			tone = Plain
		}
		d.Lanes = append(d.Lanes, lane{c.line(l.Name), fmt.Sprintf("%.0f %%", 100*share), Count(l.Right) + " of " + Count(l.Decided), int(math.Round(100 * share)), tone})
	}
	return d
}

// The pictures are 560 by 170, with 40 on the left for words.
const (
	left, right = 40.0, 550.0
	top, bottom = 16.0, 146.0
)

func (f Figures) growth() *growth {
	if len(f.Growth) < 2 {
		return nil
	}
	most := 1
	for _, p := range f.Growth {
		most = max(most, p.InForce, p.Waiting)
	}
	first, last := f.Growth[0], f.Growth[len(f.Growth)-1]
	g := &growth{Says: fmt.Sprintf("Active lessons, %s to %s; %s wait", Count(first.InForce), Count(last.InForce), Count(last.Waiting))}
	y := func(n int) float64 { return bottom - (bottom-top)*float64(n)/float64(most) }
	x := func(i int) float64 { return left + (right-left)*float64(i)/float64(len(f.Growth)-1) }
	path := func(of func(Point) int) string {
		var b strings.Builder
		for i, p := range f.Growth {
			fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(i, 1)], x(i), y(of(p)))
		}
		return b.String()
	}
	g.Line = path(func(p Point) int { return p.InForce })
	g.Waiting = path(func(p Point) int { return p.Waiting })
	g.Area = g.Line + fmt.Sprintf("L%.0f %.0fL%.0f %.0fZ", right, bottom, left, bottom)
	g.LastY = fmt.Sprintf("%.1f", y(last.InForce))
	for _, n := range slices.Compact([]int{0, most / 2, most}) {
		g.Ticks = append(g.Ticks, tick{int(math.Round(y(n))), int(math.Round(y(n))) + 4, Count(n)})
	}
	month := first.At.Month()
	for i, p := range f.Growth {
		if p.At.Month() == month {
			continue
		}
		month = p.At.Month()
		if n := len(g.Months); x(i) < right-20 && (n == 0 || x(i) > float64(g.Months[n-1].X)+34) {
			g.Months = append(g.Months, mark{X: int(x(i)), Text: p.At.Format("Jan")})
		}
	}
	return g
}

// weeksShown is how many weeks the picture of days has.
const weeksShown = 26

func (f Figures) days(now time.Time) *days {
	most, total := 0, 0
	for _, n := range f.Days {
		most, total = max(most, n), total+n
	}
	if most == 0 {
		return nil
	}
	d := &days{Says: fmt.Sprintf("Decisions by day: %s", Count(total))}
	if f.Streak > 1 {
		d.Streak = fmt.Sprintf("best streak %d days", f.Streak)
	}
	for i, name := range []string{"Mon", "", "Wed", "", "Fri", "", "Sun"} {
		if name != "" {
			d.Names = append(d.Names, mark{Y: 18 + 19*i, Text: name})
		}
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, now.Location())
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7-7*(weeksShown-1))
	for w := range weeksShown {
		x := 44 + 19*w
		for i := range 7 {
			day := monday.AddDate(0, 0, 7*w+i)
			if day.After(today) {
				break
			}
			if day.Day() == 1 && (len(d.Months) == 0 || x > d.Months[len(d.Months)-1].X+30) {
				d.Months = append(d.Months, mark{X: x, Text: day.Format("Jan")})
			}
			n := f.Days[day.Format("2006-01-02")]
			d.Cells = append(d.Cells, cell{x, 5 + 19*i, level(n, most), fmt.Sprintf("%s: %s", day.Format("2 Jan 2006"), Count(n))})
		}
	}
	return d
}

// level is one of five grounds: on a scale of roots, for one large day is not to make
// all others look like nothing.
func level(n, most int) int {
	if n == 0 {
		return 0
	}
	return min(4, 1+int(3.999*math.Sqrt(float64(n)/float64(most))))
}

// bars are a trend within 100 by 20.
func bars(trend []int) []bar {
	most := max(1, slices.Max(append([]int{0}, trend...)))
	var out []bar
	for i, n := range trend {
		step := 100 / float64(len(trend))
		h := 1 + 18*float64(n)/float64(most)
		out = append(out, bar{fmt.Sprintf("%.1f", step*float64(i)), fmt.Sprintf("%.1f", 20-h), fmt.Sprintf("%.1f", step-1.5), fmt.Sprintf("%.1f", h)})
	}
	return out
}

// Count writes a number as people read it: 14,391.
func Count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// sure are bars within 560 by 60: a tenth of confidence each, what waits upon what is in
// force.
func (f Figures) sure() []sure {
	const high = 44.0
	most := 0
	for i := range f.Active {
		most = max(most, f.Active[i]+f.Waiting[i])
	}
	if most == 0 {
		return nil
	}
	var out []sure
	for i := range f.Active {
		h, w := high*float64(f.Active[i])/float64(most), high*float64(f.Waiting[i])/float64(most)
		out = append(out, sure{
			X: fmt.Sprintf("%.0f", left+51*float64(i)), Y: fmt.Sprintf("%.1f", high-h), H: fmt.Sprintf("%.1f", h), WaitY: fmt.Sprintf("%.1f", high-h-w), WaitH: fmt.Sprintf("%.1f", w),
			Says: fmt.Sprintf("0.%d to %.1f: %s active, %s wait", i, float64(i+1)/10, Count(f.Active[i]), Count(f.Waiting[i])),
		})
	}
	return out
}
