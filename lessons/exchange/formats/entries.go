package formats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Limits on what can be a lesson.
const (
	maxEntries = 500 // per file
	maxText    = 600 // bytes of a block; a longer one is a description
	maxContent = 240 // characters; the rest of a longer text becomes the insight
	maxReasons = 5   // paragraphs of reasons of a memory
	minWords   = 3
)

// An entry is what one block, or several that belong together, tells agents.
type entry struct {
	content, insight string
	quote            string // the block as written
	memory           bool   // an agent wrote it for itself
	blocks           []Block
}

var (
	// pointer matches an item that names another file: "[Testing](testing.md) — how".
	pointer = lessons.LazyRegexp(`^(?:@\S+|\[[^\]]*\]\([^)]*\))`)
	// explains matches the beginning of a paragraph that says why or where a memory holds.
	explains = lessons.LazyRegexp(`^\*{0,2}(?:Why|How to apply|Reason|Because)\b[^:]{0,20}:`)
	// demands matches words of a rule, including in languages that stances do not cover.
	demands = lessons.LazyRegexp(`(?i)\b(?:always|never|must|mustn't|should|shouldn't|don't|do not|avoid|prefer|ensure|make sure|instead of|only use|required|forbidden` +
		`|immer|niemals|nie|muss|müssen|vermeide|siempre|nunca|debe|evita|toujours|jamais|doit|évite[rz]?|sempre|mai|deve|всегда|никогда|нельзя)\b|必须|不要|禁止|务必|必ず|しないで|항상|절대`)
)

// entries returns what in a file could be a lesson: nearly all of an agent's own memory; of
// instructions, what demands something.
func entries(f File) []entry {
	var out []entry
	section := ""
	for _, b := range Blocks(f.Text) {
		if len(out) == maxEntries {
			break
		}
		if b.Kind == Heading {
			section = b.Text
			continue
		}
		memory := f.Memory || strings.HasSuffix(section, "Added Memories")
		text := lessons.Line(plainText(b.Text))
		switch {
		case memory && len(out) > 0 && len(b.Text) <= maxText && explains().MatchString(b.Text):
			last := &out[len(out)-1]
			if len(last.blocks) > maxReasons {
				continue
			}
			last.insight = strings.TrimSpace(last.insight + "\n\n" + text)
			last.blocks = append(last.blocks, b)
		case b.Kind == Aside, len(b.Text) > maxText, !sayable(text), pointer().MatchString(b.Text):
		case memory || demands().MatchString(text) || pairs.Asks(text):
			e := entry{quote: lessons.Block(b.Text), memory: memory, blocks: []Block{b}}
			e.content, e.insight = parted(plainText(b.Text))
			out = append(out, e)
		}
	}
	return out
}

// plainText returns a text without emphasis, as valid UTF-8.
func plainText(s string) string {
	return strings.ToValidUTF8(strings.NewReplacer("**", "", "__", "").Replace(s), "")
}

// sayable reports whether a text makes sense by itself: it has a few words, and does not
// announce a list.
func sayable(text string) bool {
	n, wide := 0, 0
	for w := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			n++
		}
	}
	for _, r := range text {
		if r >= 0x2e80 && unicode.IsLetter(r) { // scripts without blanks between words
			wide++
		}
	}
	return (n >= minWords || wide >= 2*minWords) && !strings.HasSuffix(strings.TrimRight(text, "*_ "), ":")
}

// parted splits a long text into its statement and the rest.
func parted(text string) (content, rest string) {
	if utf8.RuneCountInString(text) <= maxContent {
		return text, ""
	}
	n := SentenceEnd(text)
	return strings.TrimSpace(text[:n]), strings.TrimSpace(text[n:])
}

// SentenceEnd returns the length of the first sentence of a text, including the blank after
// it. A full stop before a lower-case letter does not end a sentence, as in "e.g. this".
func SentenceEnd(text string) int {
	for i := 0; i+2 < len(text); i++ {
		if strings.IndexByte(".!?", text[i]) >= 0 && text[i+1] == ' ' {
			if r, _ := utf8.DecodeRuneInString(text[i+2:]); !unicode.IsLower(r) {
				return i + 2
			}
		}
	}
	return len(text)
}

// limitKeys are the agents' names for the patterns of a rule file.
var limitKeys = []string{"paths", "globs", "applyTo", "fileMatchPattern"}

// paths returns the file patterns that a rule file is limited to. The forms differ, and
// globs is not even YAML: patterns after the key, separated by commas or in brackets, or a
// list below it.
func paths(text string) (out []string) {
	lines := strings.Split(text, "\n")
	if len(lines) == 0 || strings.TrimSpace(lines[0]) != "---" {
		return nil
	}
	below := false
	for _, line := range lines[1:] {
		t := strings.TrimSpace(line)
		if t == "---" || len(out) >= lessons.MaxTerms {
			break
		}
		if item, ok := strings.CutPrefix(t, "- "); ok && below {
			out = append(out, patterns(item)...)
			continue
		}
		below = false
		for _, key := range limitKeys {
			if value, ok := strings.CutPrefix(t, key+":"); ok {
				out, below = append(out, patterns(value)...), strings.TrimSpace(value) == ""
			}
		}
	}
	if len(out) == 1 && (out[0] == "**" || out[0] == "**/*" || out[0] == "*") {
		return nil
	}
	return out[:min(len(out), lessons.MaxTerms)]
}

var onePattern = lessons.LazyRegexp(`(?:\{[^}]*\}|[^,])+`)

// patterns splits a list at its commas, except those in braces: "*.{ts,tsx}".
func patterns(list string) (out []string) {
	for _, p := range onePattern().FindAllString(strings.Trim(strings.TrimSpace(list), "[]"), -1) {
		if p = strings.ToValidUTF8(strings.Trim(strings.TrimSpace(p), `"'`), ""); p != "" && len(p) < maxText {
			out = append(out, p)
		}
	}
	return out
}
