package model

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"learnings/lessons/lazy"
)

// ErrAnswer says that an answer holds nothing that can be read as lessons, not
// even the decision that there are none.
var ErrAnswer = errors.New("the answer holds neither lessons nor the decision that there are none")

// A Form is how a model wrote its answer.
type Form string

const (
	FormJSON      Form = "json"
	FormLessons   Form = "lesson tags"      // Octomind's <decision> and <lesson …>
	FormMemory    Form = "observation tags" // claude-mem's <observation> and <summary>
	maxAnswerText      = 4 << 20
	maxItems           = 200
)

// A proposal is one lesson as the model gave it, before anything is checked.
type proposal struct {
	content, why, example string
	quotes                []string // any of them will do
	handle                string
	category              string
	level                 Level
	global                bool
	tags, triggers        []string
	supersedes            string // "L3"
}

// An answer is what could be read of a model's text.
type answer struct {
	form    Form
	none    bool   // decided that there is nothing to learn
	reason  string // of the decision, where it was asked for
	partial bool   // it breaks off; the items are the whole ones
	items   []proposal
}

// says reports whether an answer holds lessons, or the decision that there are none.
func (a answer) says() bool { return a.none || len(a.items) > 0 }

// parseAnswer reads an answer in any of the three forms, in a code fence or
// with prose around it, and as far as it goes when it was cut off.
func parseAnswer(text string) (answer, error) {
	if len(text) > maxAnswerText {
		text = text[:maxAnswerText]
	}
	text = strings.TrimSpace(withoutThinking(text))
	bare := unfence(text)
	if strings.HasPrefix(bare, "{") || strings.HasPrefix(bare, "[") {
		if a, ok := parseJSON(bare); ok {
			return a, nil
		}
	}
	if a, ok := parseLessonTags(text); ok {
		return a, nil
	}
	if a, ok := parseMemoryTags(text, "discovery"); ok {
		return a, nil
	}
	for rest, tries := text, 0; tries < 50; tries++ {
		i := strings.IndexAny(rest, "{[")
		if i < 0 {
			break
		}
		// An empty list within something else, such as an error, decides nothing.
		if a, ok := parseJSON(rest[i:]); ok && (rest[i] == '{' || len(a.items) > 0) {
			return a, nil
		}
		rest = rest[i+1:]
	}
	return answer{}, fmt.Errorf("%w: %s", ErrAnswer, unread(text))
}

// unread says what an answer is that cannot be read, with how it begins.
func unread(text string) string {
	switch writtenAs(text) {
	case idle:
		return "it is empty"
	case tagged:
		return "its blocks say nothing: " + preview(text, previewed)
	}
	return "it is prose: " + preview(text, previewed)
}

// Kinds of answers, in the words of claude-mem.
const (
	tagged = "xml"
	idle   = "idle"
	prose  = "prose"
)

// writtenAs tells blocks of observations from prose and from nothing, as claude-mem does.
func writtenAs(text string) string {
	switch {
	case strings.TrimFunc(text, blank) == "":
		return idle
	case blocks().MatchString(text):
		return tagged
	}
	return prose
}

var blocks = lazy.Regexp(`(?i)<(?:observation|summary|skip_summary)\b`)

// blank reports white space as JavaScript has it.
func blank(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) }

// previewed is how much of an answer is shown.
const previewed = 200

// preview is the beginning of a text in one line, with how much more there is; both
// are counted in units of UTF-16, as claude-mem does.
func preview(text string, most int) string {
	units := utf16.Encode([]rune(strings.Join(strings.FieldsFunc(text, blank), " ")))
	if len(units) <= most {
		return string(utf16.Decode(units))
	}
	return fmt.Sprintf("%s…(+%d chars)", string(utf16.Decode(units[:most])), len(units)-most)
}

// withoutThinking drops the reasoning that some local models print first.
func withoutThinking(text string) string {
	trimmed := strings.TrimSpace(text)
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		if strings.HasPrefix(trimmed, "<"+tag+">") {
			if _, rest, ok := strings.Cut(trimmed, "</"+tag+">"); ok {
				return rest
			}
		}
	}
	return text
}

// unfence takes a code fence off that is around the whole text, or that was
// never closed.
func unfence(text string) string {
	if !strings.HasPrefix(text, "```") {
		return text
	}
	_, body, ok := strings.Cut(text, "\n")
	if !ok {
		return text
	}
	body = strings.TrimSpace(body)
	return strings.TrimSpace(strings.TrimSuffix(body, "```"))
}
