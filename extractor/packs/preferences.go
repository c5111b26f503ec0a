package packs

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Message is one of a conversation.
type Message struct {
	Role      string `json:"role"` // "user" is the person
	Content   string `json:"content"`
	Timestamp string `json:"timestamp"`
}

// A Preference is how a person seems to like to be answered.
type Preference struct {
	Type       string  `json:"type"`
	Key        string  `json:"key"`
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence"`
	Evidence   int     `json:"evidenceCount"` // messages
	LastSeen   string  `json:"lastSeen"`

	from []int // some of the messages
}

// Thresholds say which preferences count.
type Thresholds struct {
	MinConfidence float64 `json:"minConfidence"`
	MinEvidence   int     `json:"minEvidenceCount"`
	MaxMessages   int     `json:"maxMessagesToAnalyze"` // the last ones; 0 is all
}

// DefaultThresholds are Gimli's.
var DefaultThresholds = Thresholds{MinConfidence: 0.4, MinEvidence: 2, MaxMessages: 100}

// A sign is what is counted: messages that match one of its expressions.
type sign struct {
	kind, key, value string
	least, plus      float64 // of the confidence: the most it can be, and what is added to the share
	signs            []func() *regexp.Regexp
}

// signs are Gimli's, in its order.
var signs = []sign{
	{"tone", "formality", "formal", 1, 0, []func() *regexp.Regexp{
		ignoringCase(`\b(please|kindly|would you|could you)\b`), ignoringCase(`\b(thank you|thanks|appreciate)\b`), ignoringCase(`\b(sincerely|regards|respectfully)\b`),
	}},
	{"tone", "formality", "casual", 1, 0, []func() *regexp.Regexp{
		ignoringCase(`\b(hey|hi|yo|sup)\b`), ignoringCase(`\b(gonna|wanna|gotta|kinda|sorta)\b`), ignoringCase(`\b(cool|awesome|nice|sweet)\b`), ignoringCase(`!{2,}`), ignoringCase(`\b(lol|lmao|haha)\b`),
	}},
	{"tone", "communication-style", "direct", 1, 0, []func() *regexp.Regexp{
		ignoringCase(`^(do|make|create|fix|change|update|delete|remove)\b`), ignoringCase(`^(just|simply)\b`), ignoringCase(`\bASAP\b`),
	}},
	{"detail-level", "response-length", "brief", 0.9, 0.2, []func() *regexp.Regexp{
		ignoringCase(`\b(brief|concise|short|quick|summary|tl;?dr)\b`), ignoringCase(`\b(just|only)\s+(the|a)\s+(answer|result|output)`),
		ignoringCase(`\bno\s+(need\s+for\s+)?(explanation|details?|context)\b`), ignoringCase(`\bkeep it (short|simple|brief)\b`),
	}},
	{"detail-level", "response-length", "detailed", 0.9, 0.2, []func() *regexp.Regexp{
		ignoringCase(`\b(explain|detail|elaborate|expand|describe)\b`), ignoringCase(`\b(why|how|what\s+is)\b.*\?`),
		ignoringCase(`\b(step[\s\-]by[\s\-]step|in[\s\-]depth|thorough|comprehensive)\b`), ignoringCase(`\b(walk\s+me\s+through|break\s+(it\s+)?down)\b`),
	}},
	{"format", "output-format", "code-focused", 0.9, 0.1, []func() *regexp.Regexp{
		ignoringCase(`\b(code|snippet|example|implementation)\b`), ignoringCase(`\b(show\s+me\s+the\s+code)\b`), ignoringCase("```"),
	}},
	{"format", "output-format", "list-format", 0.9, 0.1, []func() *regexp.Regexp{
		ignoringCase(`\b(list|bullet|steps|items)\b`), ignoringCase(`\b(give\s+me\s+a\s+list|in\s+list\s+form)\b`),
	}},
	{"format", "output-format", "prose", 0.9, 0.1, []func() *regexp.Regexp{
		ignoringCase(`\b(paragraph|narrative|prose|story)\b`), ignoringCase(`\b(explain\s+in\s+words|without\s+code)\b`),
	}},
}

// timing is counted behind the topics.
var timing = []sign{
	{"timing", "urgency", "time-sensitive", 0.9, 0.2, []func() *regexp.Regexp{
		ignoringCase(`\b(urgent|asap|immediately|now|quickly|hurry)\b`), ignoringCase(`\b(deadline|due|by\s+\w+day)\b`),
	}},
	{"timing", "urgency", "patient", 0.9, 0.2, []func() *regexp.Regexp{
		ignoringCase(`\b(when\s+you\s+have\s+time|no\s+rush|whenever)\b`), ignoringCase(`\b(take\s+your\s+time|not\s+urgent)\b`),
	}},
}

var topics = []func() *regexp.Regexp{
	ignoringCase(`(?:about|regarding|concerning|related\s+to)\s+([a-z][a-z\s\-]+)`),
	ignoringCase(`(?:help\s+(?:me\s+)?with)\s+([a-z][a-z\s\-]+)`),
	ignoringCase(`(?:working\s+on|building|creating)\s+(?:a\s+)?([a-z][a-z\s\-]+)`),
	ignoringCase(`(?:question\s+about|interested\s+in)\s+([a-z][a-z\s\-]+)`),
}

const (
	leastTopic, mostTopic = 3, 50 // characters
	mostTopics            = 10
	mostFrom              = 3
)

// A talk is the person's part of a conversation.
type talk struct {
	all  []Message
	user []int // of all
}

// Read gives the preferences that a conversation shows, by Gimli's rules.
func Read(all []Message, t Thresholds) []Preference {
	from := 0
	if n := t.MaxMessages; n > 0 && len(all) > n {
		from = len(all) - n
	}
	c := talk{all: all}
	for i := from; i < len(all); i++ {
		if all[i].Role == "user" {
			c.user = append(c.user, i)
		}
	}
	if len(c.user) == 0 {
		return nil
	}
	var out []Preference
	counted := func(ss []sign) {
		for _, s := range ss {
			out = append(out, c.count(s)...)
			if s.value == "detailed" {
				out = append(out, c.length(out)...)
			}
		}
	}
	counted(signs)
	out = append(out, c.topics()...)
	counted(timing)
	out = append(out, c.style(from)...)
	return slices.DeleteFunc(out, func(p Preference) bool { return p.Confidence < t.MinConfidence || p.Evidence < t.MinEvidence })
}

// preference is one that n messages show.
func (c talk) preference(kind, key, value string, confidence float64, n int, from []int) Preference {
	return Preference{kind, key, value, confidence, n, c.all[c.user[len(c.user)-1]].Timestamp, from[:min(len(from), mostFrom)]}
}

func (c talk) share(n int) float64 { return float64(n) / float64(len(c.user)) }

// count counts the messages with a sign.
func (c talk) count(s sign) []Preference {
	var from []int
	for _, i := range c.user {
		if slices.ContainsFunc(s.signs, func(re func() *regexp.Regexp) bool { return re().MatchString(c.all[i].Content) }) {
			from = append(from, i)
		}
	}
	if len(from) == 0 {
		return nil
	}
	return []Preference{c.preference(s.kind, s.key, s.value, min(s.least, c.share(len(from))+s.plus), len(from), from)}
}

// length guesses from the length of messages, where none says what is wanted.
func (c talk) length(have []Preference) []Preference {
	if slices.ContainsFunc(have, func(p Preference) bool { return p.Type == "detail-level" }) {
		return nil
	}
	sum := 0
	for _, i := range c.user {
		sum += units(c.all[i].Content)
	}
	value := ""
	switch average := c.share(sum); {
	case average < 50:
		value = "brief"
	case average > 200:
		value = "detailed"
	default:
		return nil
	}
	return []Preference{c.preference("detail-level", "response-length", value, 0.3, min(3, len(c.user)), c.user)}
}

// topics are what is asked about, the most frequent first.
func (c talk) topics() []Preference {
	var out []Preference
	at := map[string]int{}
	for _, i := range c.user {
		for _, re := range topics {
			for _, m := range re().FindAllStringSubmatch(c.all[i].Content, -1) {
				topic := strings.Join(strings.FieldsFunc(strings.ToLower(m[1]), isSpace), " ")
				if len(topic) < leastTopic || len(topic) > mostTopic {
					continue
				}
				k, ok := at[topic]
				if !ok {
					k = len(out)
					at[topic] = k
					out = append(out, Preference{Type: "topic", Key: "interest", Value: topic})
				}
				out[k].Evidence++
				out[k].LastSeen = c.all[i].Timestamp
				if len(out[k].from) < mostFrom && !slices.Contains(out[k].from, i) {
					out[k].from = append(out[k].from, i)
				}
			}
		}
	}
	for k := range out {
		out[k].Confidence = min(0.8, c.share(out[k].Evidence)+0.1)
	}
	slices.SortStableFunc(out, func(a, b Preference) int { return cmp.Compare(b.Evidence, a.Evidence) })
	return out[:min(len(out), mostTopics)]
}

// style is how a person goes about a conversation, of which the messages from one on count.
func (c talk) style(first int) []Preference {
	var out []Preference
	var asks, follows []int
	sentences := 0
	for _, i := range c.user {
		text := c.all[i].Content
		if strings.Contains(text, "?") {
			asks = append(asks, i)
		}
		if i > first && c.all[i-1].Role == "user" {
			follows = append(follows, i)
		}
		for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '!' || r == '?' }) {
			if trim(s) != "" {
				sentences++
			}
		}
	}
	if ratio := c.share(len(asks)); ratio > 0.5 {
		out = append(out, c.preference("interaction-style", "inquiry-style", "question-oriented", min(0.8, ratio), len(asks), asks))
	}
	if len(follows) > 0 {
		out = append(out, c.preference("interaction-style", "follow-up", "iterative", min(0.7, c.share(len(follows))+0.2), len(follows), follows))
	}
	switch average := c.share(sentences); {
	case average <= 1.5:
		out = append(out, c.preference("interaction-style", "message-complexity", "simple", 0.5, min(5, len(c.user)), c.user))
	case average >= 3:
		out = append(out, c.preference("interaction-style", "message-complexity", "complex", 0.5, min(5, len(c.user)), c.user))
	}
	return out
}

// labels are what the types of preferences are called.
var labels = map[string]string{
	"tone": "Communication Tone", "detail-level": "Detail Preferences", "topic": "Topics of Interest", "timing": "Timing", "format": "Output Format", "interaction-style": "Interaction Style",
}

func label(kind string) string { return cmp.Or(labels[kind], kind) }

// Summary tells preferences, a line for each type.
func Summary(ps []Preference) string {
	if len(ps) == 0 {
		return "No preferences detected."
	}
	var kinds []string
	by := map[string][]Preference{}
	for _, p := range ps {
		if by[p.Type] == nil {
			kinds = append(kinds, p.Type)
		}
		by[p.Type] = append(by[p.Type], p)
	}
	var lines []string
	for _, kind := range kinds {
		slices.SortStableFunc(by[kind], func(a, b Preference) int { return cmp.Compare(b.Confidence, a.Confidence) })
		var values []string
		for _, p := range by[kind] {
			values = append(values, fmt.Sprintf("%s (%.0f%%)", p.Value, math.Floor(p.Confidence*100+0.5)))
		}
		lines = append(lines, label(kind)+": "+strings.Join(values, ", "))
	}
	return strings.Join(lines, "\n")
}

// preferences proposes what a conversation shows.
func preferences(r *reading) {
	var ms []Message
	var turn []int
	for i := range r.turns {
		t := &r.turns[i]
		person := !t.Sidechain && t.Speaker == transcript.Person && t.Kind.Spoken()
		if !person && (t.Sidechain || t.Speaker != transcript.Agent || t.Kind != transcript.Message) || strings.TrimSpace(t.Text) == "" {
			continue
		}
		m := Message{Role: "assistant", Content: t.Text, Timestamp: t.At.UTC().Format(time.RFC3339)}
		if person {
			m.Role = "user"
		}
		ms, turn = append(ms, m), append(turn, i)
	}
	ps := Read(ms, DefaultThresholds)
	for _, p := range ps {
		c := proposal{
			category: "preference", content: label(p.Type) + ": " + p.Value, insight: Summary(ps), confidence: min(lessons.Confidence(p.Confidence), 0.95),
			rule: fmt.Sprintf("%s, seen %d times", p.Key, p.Evidence),
		}
		for _, i := range p.from {
			c.at, c.quotes = append(c.at, turn[i]), append(c.quotes, trim(cutBytes(ms[i].Content, mostQuote)))
		}
		r.propose(c)
	}
}
