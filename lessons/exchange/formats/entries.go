package formats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Limits of what is a lesson.
const (
	maxEntries = 500 // of one file
	maxText    = 600 // bytes of a block; what is longer is a description
	maxContent = 240 // characters; of a longer text the rest is its insight
	maxReasons = 5   // paragraphs that say why a memory holds
	minWords   = 3
)

// An entry is what one block of a file, or several that belong together, tells agents.
type entry struct {
	content, insight string
	quote            string // the block as it stands
	memory           bool   // an agent wrote it for itself
	blocks           []Block
}

var (
	// pointer is an item that names another file: "[Testing](testing.md) — how".
	pointer = lessons.LazyRegexp(`^(?:@\S+|\[[^\]]*\]\([^)]*\))`)
	// explains begins a paragraph that says why a memory holds, or where.
	explains = lessons.LazyRegexp(`^\*{0,2}(?:Why|How to apply|Reason|Because)\b[^:]{0,20}:`)
	// demands are words of a rule, in the languages of which stance knows nothing too.
	demands = lessons.LazyRegexp(`(?i)\b(?:always|never|must|mustn't|should|shouldn't|don't|do not|avoid|prefer|ensure|make sure|instead of|only use|required|forbidden` +
		`|immer|niemals|nie|muss|müssen|vermeide|siempre|nunca|debe|evita|toujours|jamais|doit|évite[rz]?|sempre|mai|deve|всегда|никогда|нельзя)\b|必须|不要|禁止|务必|必ず|しないで|항상|절대`)
)

// entries reads what a file tells agents, as far as it could be a lesson. Of what an
// agent wrote for itself that is nearly all; of instructions, what asks for something.
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

// plainText is a text without emphasis, valid as UTF-8.
func plainText(s string) string {
	return strings.ToValidUTF8(strings.NewReplacer("**", "", "__", "").Replace(s), "")
}

// sayable reports that a text can say something by itself: it has a few words, and
// announces no list.
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

// parted cuts a text into what it says and the rest, when it is long.
func parted(text string) (content, rest string) {
	if utf8.RuneCountInString(text) <= maxContent {
		return text, ""
	}
	n := SentenceEnd(text)
	return strings.TrimSpace(text[:n]), strings.TrimSpace(text[n:])
}

// SentenceEnd is the length of the first sentence of a text, with the blank behind
// it. A full stop ends one where no small letter follows: "e.g. this" goes on.
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

// limitKeys are the names that agents give to the patterns of a rule file.
var limitKeys = []string{"paths", "globs", "applyTo"}

// paths are the patterns of files for which a rule file says that it holds. The forms
// differ, and that of globs is not even YAML: patterns beside the key, with commas
// between them or in brackets, or a list below it.
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

// patterns cuts a list at its commas, but for those in braces: "*.{ts,tsx}".
func patterns(list string) (out []string) {
	depth := 0
	fields := strings.FieldsFunc(strings.Trim(strings.TrimSpace(list), "[]"), func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ',' && depth <= 0
	})
	for _, p := range fields {
		if p = strings.ToValidUTF8(strings.Trim(strings.TrimSpace(p), `"'`), ""); p != "" && len(p) < maxText {
			out = append(out, p)
		}
	}
	return out
}
