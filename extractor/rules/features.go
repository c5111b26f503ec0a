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

// A featureList is features, in the order in which they were found.
type featureList []string

// is adds a feature that is so.
func (f *featureList) is(name string, so bool) {
	if so {
		*f = append(*f, name)
	}
}

// unique is a list without repetition.
func unique(list []string) []string {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(x string) bool {
		was := seen[x]
		seen[x] = true
		return was
	})
}

// features are those of the turn as a whole, and with these the ones of its sentences.
func (m *moment) features() (around, all []string) {
	around = m.around()
	all = slices.Clone(around)
	for i := range m.all {
		all = append(all, m.all[i].features()...)
	}
	return around, slices.Concat(around, unique(all[len(around):]))
}

// sentenceFeatures returns the features of one sentence in its turn.
func (m *moment) sentenceFeatures(i int, around []string) []string {
	s := &m.all[i]
	f := featureList(slices.Concat(around, s.features()))
	f.is("s asks", s.asks())
	f.is("s item", s.bullet)
	f.is("s first", i == 0)
	f.is("s last", i == len(m.all)-1)
	f.is("s length "+step(len(s.words), 2, 4, 6, 9, 13, 18, 25, 40), true)
	for _, w := range words(s.head) {
		f.is("h "+w, true)
	}
	return f
}

// asks reports a question by its mark.
func (s *sentence) asks() bool { return strings.HasSuffix(s.text, "?") }

// features are those of the words of a sentence, without repetition.
func (s *sentence) features() []string {
	if len(s.words) == 0 || s.featured != nil {
		return s.featured
	}
	end := " ."
	if s.asks() {
		end = " ?"
	}
	var f []string
	for _, k := range s.signs {
		f = append(f, "p "+signs()[k].name, "p "+signs()[k].name+end)
	}
	prev := "^"
	for _, w := range s.words {
		f = append(f, "w "+w, "w "+prev+" "+w)
		prev = w
	}
	s.featured = unique(append(f, "w "+prev+" $"))
	return s.featured
}

// step names the interval between the bounds that n falls into: a, b, c …
func step(n int, bounds ...int) string {
	at, _ := slices.BinarySearch(bounds, n)
	return string(rune('a' + at))
}

// length is how many words a moment has.
func (m *moment) length() (n int) {
	for i := range m.all {
		n += len(m.all[i].words)
	}
	return n
}

func (m *moment) around() []string {
	asks, items, last := 0, 0, len(m.all)-1
	for i := range m.all {
		if m.all[i].asks() {
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
	n := m.length()
	f := featureList{"bias", "kind " + string(kind), "length " + step(n, 2, 5, 9, 14, 22, 35, 60, 120, 250), "sentences " + step(len(m.all), 1, 2, 4, 8, 16)}
	f.is("asks nothing", asks == 0)
	f.is("asks only", asks > 0 && asks == len(m.all))
	f.is("asks too", asks > 0 && asks < len(m.all))
	f.is("items "+step(items, 1, 4), items > 0)
	f.is("asks last", last >= 0 && m.all[last].asks())
	if last >= 0 && len(m.all[0].words) > 0 {
		f.is("w begins "+m.all[0].words[0], true)
	}
	m.style(&f, n)
	m.agentBefore(&f)
	return f
}

// style tells pasted prose, such as a review or a ticket, from what was typed.
func (m *moment) style(f *featureList, n int) {
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
		return
	}
	*f = append(*f, "capitals "+step(caps*10/k, 2, 6, 9), "stops "+step(stops*10/k, 0, 5, 8), "code "+step(code*100/n, 0, 4, 9, 16), "us "+step(us*100/n, 0, 3, 7, 12))
	formal := caps == k && stops*2 >= k && us == 0 && n > 15
	f.is("formal", formal)
	f.is("formal code", formal && code > 1)
}

var personal = wordSet("personal")

var offers = lineList("offers")

// agentAsked reports that the agent ended with a question.
func (m *moment) agentAsked() bool { return strings.HasSuffix(strings.TrimSpace(m.before), "?") }

// agentWorked reports that the agent was at work.
func (m *moment) agentWorked() bool { return !m.first && m.before == "" }

func (m *moment) agentBefore(f *featureList) {
	f.is("agent silent", m.first)
	f.is("agent stopped", m.interrupted)
	f.is("said again", m.again)
	f.is("agent working", m.agentWorked())
	if m.before == "" {
		return
	}
	f.is("agent asks", m.agentAsked())
	f.is("agent says", !m.agentAsked())
	low := strings.ToLower(m.before)
	for _, x := range offers() {
		f.is("agent: "+x, strings.Contains(low, x))
	}
	theirs, shared := setOf(words(m.before)), 0
	for i := range m.all {
		for _, w := range m.all[i].words {
			if len(w) > 4 && w[0] != '<' && theirs[w] {
				shared++
			}
		}
	}
	f.is("shared "+step(shared, 0, 1, 3), true)
}

var concedes = lineList("concedes")

func (m *moment) conceded() bool {
	low := strings.ToLower(m.after)
	return slices.ContainsFunc(concedes(), func(x string) bool {
		i := strings.Index(low, x)
		return i >= 0 && i < 100
	})
}
