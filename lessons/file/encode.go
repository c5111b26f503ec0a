package file

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"learnings/lessons"
)

// Limits of a lesson's file. YAML takes quadratic time to check for duplicate keys,
// so the frontmatter is kept small.
const (
	MaxSize = 1 << 20  // bytes of a whole file
	maxHead = 64 << 10 // bytes of the frontmatter
)

// maxKey is the longest key that is written: YAML reads a key of up to 1,024
// characters.
const maxKey = 1000

// stamp is how Octomind writes times, with fractions of a second only where a time
// has them.
const stamp = "2006-01-02T15:04:05.999999999-07:00"

// Encode gives a lesson as the text of a Markdown file. What [Decode] reads from
// it is the lesson's normal form:
//
//   - Rev is not part of the file, and empty.
//   - Text is valid UTF-8 (other bytes become U+FFFD). Insight and Example have
//     bare newlines for line ends and no blank lines around them.
//   - Tags and Triggers have no space around them, and none is empty.
//   - Confidence and prior have two decimals, the weights of a proof four; all are
//     within their limits. Counters and line numbers are not negative.
//   - Times are in UTC; one outside of the years 1 to 9999 is zero.
//   - A lesson without a category has the one that its memory type suggests.
//   - Octomind's evidence (session://…) comes before all other evidence, and
//     evidence that says nothing is left out.
//   - Extra holds no key twice, and none of ours but what of Octomind a lesson has
//     no place for (see extra.go), which comes first; a value that is not one YAML
//     value by itself is a text.
//   - HoldsWith names each lesson once, with its reason on one line.
//   - Without names each thing once.
//   - Empty lists are nil.
//
// How a person settled a contradiction is recorded by two keys. superseded_by, in
// the file of the lesson that lost, is the id of the lesson in whose favour it was
// archived or rejected; like reason it belongs to that decision, and the next one
// clears it. holds_with, in the files of both lessons, lists the lessons that hold
// beside them: an id and, after a colon, why. It is in the files rather than in the
// state of a machine so that it is synced with them.
//
// A lesson that is invalid, or would be too large to be read back, is refused
// with [lessons.ErrInvalid].
func Encode(l lessons.Lesson) ([]byte, error) {
	l = Normal(l)
	if err := l.Validate(); err != nil {
		return nil, err
	}
	for _, f := range l.Extra {
		if n := len(quoteYAML(f.Key)); n > maxKey {
			return nil, fmt.Errorf("%w: %s has a key of %d bytes, more than %d", lessons.ErrInvalid, l.ID, n, maxKey)
		}
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	writeHead(&b, l)
	if n := b.Len() - len("---\n"); n > maxHead {
		return nil, fmt.Errorf("%w: %s has %d KB of frontmatter, more than %d KB", lessons.ErrInvalid, l.ID, n>>10, maxHead>>10)
	}
	b.WriteString("---\n")
	writeBody(&b, l)
	if b.Len() > MaxSize {
		return nil, fmt.Errorf("%w: %s would be a file of %d KB, more than %d KB", lessons.ErrInvalid, l.ID, b.Len()>>10, MaxSize>>10)
	}
	return b.Bytes(), nil
}

// writeHead writes Octomind's keys in Octomind's order, then ours, then unknown ones.
// Octomind ends the frontmatter at the first "---" it finds, even inside a value, so
// our values have none; unknown keys come last because they are not changed.
func writeHead(b *bytes.Buffer, l lessons.Lesson) {
	put := func(key, value string) { b.WriteString(key + ": " + value + "\n") }
	if title, ok := titleOf(l); ok {
		put("title", sentence(title))
	}
	put("content", sentence(l.Content))
	put("memory_type", memoryType(l))
	put("importance", importanceOf(l))
	put("confidence", l.Confidence.Word())
	put("tags", list(l.Tags))
	put("source", quoteText(l.Origin.Source))
	put("role", quoteText(l.Scope.Role))
	put("project", quoteText(l.Scope.Project))
	put("created", quoteYAML(when(!l.Created.IsZero(), l.Created.Format(stamp))))
	for _, k := range keys {
		if value := k.text(&l); value != "" {
			put(k.name, value)
		}
	}
	for _, f := range l.Extra {
		if !placed(f.Key) {
			b.WriteString(extraField(f).text())
		}
	}
}

// list gives a YAML flow list. Octomind splits it at commas and keeps quotes, so
// only what YAML would misread is quoted.
func list(items []string) string {
	out := make([]string, len(items))
	for i, s := range items {
		if out[i] = s; !plainItem(s) {
			out[i] = quoteYAML(s)
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// plainItem reports whether YAML reads the text as itself inside a flow list.
func plainItem(s string) bool {
	if strings.Contains(s, "---") || strings.Contains(s, "  ") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, " ") {
		return false
	}
	var last rune
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' || r == '/' || r == '+' || r == '$':
		case i == 0 && (r != '-' || len(s) == 1 || s[1] == ' '):
			return false
		case r == ' ':
			if last == ':' {
				return false
			}
		case r == '#':
			if last == ' ' {
				return false
			}
		case r == '-' || r == ':' || r == '@' || r == '=' || r == '*' || r == '~' || r == '^' || r == '(' || r == ')' || r == ';':
		default:
			return false
		}
		last = r
	}
	return s != ""
}

// word gives a value that is quoted only where it is not a plain word.
func word(s string) string {
	if !simple(s) || slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, s) {
		return quoteYAML(s)
	}
	return s
}

// simple reports a lower-case word, which may have digits and hyphens in it.
func simple(s string) bool {
	for i, r := range s {
		if (r < 'a' || r > 'z') && (i == 0 || (r < '0' || r > '9') && r != '-' && r != '_') {
			return false
		}
	}
	return s != "" && !strings.Contains(s, "---")
}

// Octomind ends the frontmatter at the first three hyphens, even within a value. In its
// texts the third is therefore written as the Unicode hyphen, which looks the same to a
// person and a model. A Unicode hyphen that really follows two hyphens is escaped.
const (
	hyphens = "--\u2010"
	escaped = `--\x2d`
)

var softHyphens = strings.NewReplacer("---", hyphens, hyphens, `--\u2010`)

// quoteText is quoteYAML for the texts that Octomind reads.
func quoteText(s string) string { return softHyphens.Replace(quote(s, "\t", wideYAML)) }

// sentence is quoteText for text that may contain quotation marks. The first Octomind
// does not undo \", so text that every reader takes literally is not quoted.
func sentence(s string) string {
	if plainSentence(s) {
		return s
	}
	return quoteText(s)
}

// plainSentence reports whether text with inner quotation marks can stand unquoted, for
// YAML and every version of Octomind.
func plainSentence(s string) bool {
	if !strings.Contains(s, `"`) || strings.HasSuffix(s, `"`) || strings.HasSuffix(s, ":") || strings.HasSuffix(s, " ") ||
		strings.Contains(s, `\`) || strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.Contains(s, "---") {
		return false
	}
	for i, r := range s {
		if i == 0 && !unicode.IsLetter(r) && !unicode.IsDigit(r) || !unicode.IsPrint(r) || r > 0xffff || Invisible(r) {
			return false
		}
	}
	return true
}

// quoteYAML gives a double-quoted scalar on one line. It escapes as little as it
// can, because Octomind undoes only \", \\ and \n.
func quoteYAML(s string) string {
	return strings.ReplaceAll(quote(s, "\t", wideYAML), "---", escaped)
}

// QuoteYAML gives a double-quoted scalar on one line for files that Octomind does not
// read.
func QuoteYAML(s string) string { return quote(s, `\t`, wideYAML) }

// quoteJSON gives a JSON string on one line.
func quoteJSON(s string) string {
	return quote(s, `\t`, func(r rune) string {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	})
}

// wideYAML is the escape of a character beyond U+FFFF.
func wideYAML(r rune) string { return fmt.Sprintf(`\U%08x`, r) }

// quote escapes what would break a line, end the text, or be invisible.
func quote(s, tab string, wide func(rune) string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(tab)
		case r > 0xffff && Invisible(r):
			b.WriteString(wide(r))
		case r < ' ' || r >= 0x7f && Invisible(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Invisible reports a character that YAML or a terminal takes for more than text.
// The joiner of emoji is not one: Octomind would not read it back.
func Invisible(r rune) bool {
	switch r {
	case 0x2028, 0x2029, 0xfffe, 0xffff, 0xfeff:
		return true
	case 0x200d:
		return false
	}
	return unicode.IsControl(r) || lessons.Hidden(string(r))
}
