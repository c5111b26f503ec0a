package rules

import (
	"slices"
	"strings"

	"learnings/extractor/transcript"
)

// Features have readable names, so that weights.txt can be read. The prefix "p"
// stands for a sign (see signs.go), "w" for one or two words, "h" for a word of
// the heading above, "s" for a property of the sentence. All others describe the
// turn as a whole.

// A featured holds the features of a moment.
type featured struct {
	around []string // of the turn as a whole
	all    []string // those and the ones of the sentences, without repetition
}

func (m *moment) features() featured {
	f := featured{around: m.around()}
	f.all = slices.Clone(f.around)
	seen := map[string]bool{}
	for i := range m.all {
		for _, x := range m.all[i].features() {
			if !seen[x] {
				seen[x] = true
				f.all = append(f.all, x)
			}
		}
	}
	return f
}

// sentenceFeatures returns the features of one sentence in its turn.
func (m *moment) sentenceFeatures(i int, around []string) []string {
	s := &m.all[i]
	f := slices.Concat(around, s.features())
	if strings.HasSuffix(s.text, "?") {
		f = append(f, "s asks")
	}
	if s.bullet {
		f = append(f, "s item")
	}
	if i == 0 {
		f = append(f, "s first")
	}
	if i == len(m.all)-1 {
		f = append(f, "s last")
	}
	f = append(f, "s length "+step(len(s.words), 2, 4, 6, 9, 13, 18, 25, 40))
	for _, w := range words(s.head) {
		f = append(f, "h "+w)
	}
	return f
}

// features are those of the words of a sentence, without repetition.
func (s *sentence) features() []string {
	if len(s.words) == 0 || s.featured != nil {
		return s.featured
	}
	seen := make(map[string]bool, 2*len(s.words))
	add := func(x string) {
		if !seen[x] {
			seen[x] = true
			s.featured = append(s.featured, x)
		}
	}
	end := " ."
	if strings.HasSuffix(s.text, "?") {
		end = " ?"
	}
	for _, k := range s.signs {
		add("p " + signs()[k].name)
		add("p " + signs()[k].name + end)
	}
	prev := "^"
	for _, w := range s.words {
		add("w " + w)
		add("w " + prev + " " + w)
		prev = w
	}
	add("w " + prev + " $")
	return s.featured
}

// step names the interval between the bounds that n falls into: a, b, c …
func step(n int, bounds ...int) string {
	for i, b := range bounds {
		if n <= b {
			return string(rune('a' + i))
		}
	}
	return string(rune('a' + len(bounds)))
}

func (m *moment) around() []string {
	n, asks, items := 0, 0, 0
	for i := range m.all {
		n += len(m.all[i].words)
		if strings.HasSuffix(m.all[i].text, "?") {
			asks++
		}
		if m.all[i].bullet {
			items++
		}
	}
	kind := m.kind
	if kind != transcript.Steering && kind != transcript.Rejection {
		kind = transcript.Message // too few others were labelled
	}
	f := []string{"bias", "kind " + string(kind), "length " + step(n, 2, 5, 9, 14, 22, 35, 60, 120, 250), "sentences " + step(len(m.all), 1, 2, 4, 8, 16)}
	switch asks {
	case 0:
		f = append(f, "asks nothing")
	case len(m.all):
		f = append(f, "asks only")
	default:
		f = append(f, "asks too")
	}
	if items > 0 {
		f = append(f, "items "+step(items, 1, 4))
	}
	if len(m.all) > 0 {
		if strings.HasSuffix(m.all[len(m.all)-1].text, "?") {
			f = append(f, "asks last")
		}
		if len(m.all[0].words) > 0 {
			f = append(f, "w begins "+m.all[0].words[0])
		}
	}
	f = append(f, m.style(n)...)
	return append(f, m.agentBefore()...)
}

// style tells pasted prose, such as a review or a ticket, from what was typed.
func (m *moment) style(n int) []string {
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
		return nil
	}
	f := []string{"capitals " + step(caps*10/k, 2, 6, 9), "stops " + step(stops*10/k, 0, 5, 8), "code " + step(code*100/n, 0, 4, 9, 16), "us " + step(us*100/n, 0, 3, 7, 12)}
	if caps == k && stops*2 >= k && us == 0 && n > 15 {
		f = append(f, "formal")
		if code > 1 {
			f = append(f, "formal code")
		}
	}
	return f
}

var personal = wordSet("personal")

var offers = lineList("offers")

func (m *moment) agentBefore() []string {
	var f []string
	if m.first {
		f = append(f, "agent silent")
	}
	if m.interrupted {
		f = append(f, "agent stopped")
	}
	if m.again {
		f = append(f, "said again")
	}
	if m.before == "" {
		if !m.first {
			f = append(f, "agent working")
		}
		return f
	}
	if strings.HasSuffix(strings.TrimSpace(m.before), "?") {
		f = append(f, "agent asks")
	} else {
		f = append(f, "agent says")
	}
	low := strings.ToLower(m.before)
	for _, x := range offers() {
		if strings.Contains(low, x) {
			f = append(f, "agent: "+x)
		}
	}
	theirs := map[string]bool{}
	for _, w := range words(m.before) {
		theirs[w] = true
	}
	shared := 0
	for i := range m.all {
		for _, w := range m.all[i].words {
			if len(w) > 4 && w[0] != '<' && theirs[w] {
				shared++
			}
		}
	}
	return append(f, "shared "+step(shared, 0, 1, 3))
}

var concedes = lineList("concedes")

func (m *moment) conceded() bool {
	low := strings.ToLower(m.after)
	for _, x := range concedes() {
		if i := strings.Index(low, x); i >= 0 && i < 100 {
			return true
		}
	}
	return false
}
