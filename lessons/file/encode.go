package file

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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
	h := head{b}
	h.octominds(l)
	h.ours(l)
	for _, f := range l.Extra {
		if !placed(f.Key) {
			b.WriteString(extraField(f).text())
		}
	}
}

// A head is frontmatter that is being written. Its methods but put leave out a key
// that has no value.
type head struct{ *bytes.Buffer }

func (h head) put(key, value string) { h.WriteString(key + ": " + value + "\n") }

func (h head) text(key, value string) {
	if value != "" {
		h.put(key, quoteYAML(value))
	}
}

func (h head) moment(key string, t time.Time) {
	if !t.IsZero() {
		h.put(key, quoteYAML(t.Format(stamp)))
	}
}

func (h head) count(key string, n int) {
	if n != 0 {
		h.put(key, strconv.Itoa(n))
	}
}

func (h head) weight(key string, x float64) {
	if x != 0 {
		h.put(key, strconv.FormatFloat(x, 'f', -1, 64))
	}
}

// octominds writes the keys that Octomind writes, in its order.
func (h head) octominds(l lessons.Lesson) {
	if title, ok := titleOf(l); ok {
		h.put("title", sentence(title))
	}
	h.put("content", sentence(l.Content))
	h.put("memory_type", memoryType(l))
	h.put("importance", importanceOf(l))
	h.put("confidence", l.Confidence.Word())
	h.put("tags", list(l.Tags))
	h.put("source", quoteText(l.Origin.Source))
	h.put("role", quoteText(l.Scope.Role))
	h.put("project", quoteText(l.Scope.Project))
	created := ""
	if !l.Created.IsZero() {
		created = l.Created.Format(stamp)
	}
	h.put("created", quoteYAML(created))
}

// ours writes the keys that only this program knows.
func (h head) ours(l lessons.Lesson) {
	h.put("id", quoteYAML(string(l.ID)))
	h.put("category", word(string(l.Category)))
	h.put("score", l.Confidence.String())
	h.put("status", string(l.Status))
	if l.Scope.Global {
		h.put("scope", "global")
	}
	if len(l.Triggers) > 0 {
		h.put("triggers", list(l.Triggers))
	}
	if len(l.Limit.Paths) > 0 {
		h.put("paths", list(l.Limit.Paths))
	}
	h.text("agent", l.Limit.Agent)
	h.moment("expires", l.Limit.Until)
	h.text("extractor", l.Origin.Extractor)
	h.text("rule", l.Origin.Rule)
	h.weight("raw_score", float64(l.Origin.Score))
	h.text("declined", string(l.Origin.Declined))
	h.moment("declined_at", l.Origin.DeclinedAt)
	if l.Lane == lessons.Maybe {
		h.put("lane", string(l.Lane))
	}
	h.text("stands", l.Origin.Stands)
	h.text("stands_against", l.Origin.Against)
	if len(l.Origin.Unsaid) > 0 {
		h.put("unsaid", list(l.Origin.Unsaid))
	}
	h.text("offer", l.Offer.Content)
	h.text("offer_insight", l.Offer.Insight)
	h.text("offer_example", l.Offer.Example)
	h.text("offer_category", string(l.Offer.Category))
	h.text("offer_by", l.Offer.Extractor)
	h.text("approved_by", l.Elsewhere.By)
	h.moment("approved_at", l.Elsewhere.At)
	h.text("approved_reason", l.Elsewhere.Reason)
	h.moment("decided", l.Decided.At)
	h.text("decided_by", l.Decided.By)
	h.text("reason", l.Decided.Reason)
	h.text("into", string(l.Decided.Into))
	h.moment("until", l.Decided.Until)
	h.text("superseded_by", string(l.Decided.SupersededBy))
	if len(l.HoldsWith) > 0 {
		items := make([]string, len(l.HoldsWith))
		for i, h := range l.HoldsWith {
			items[i] = h.String()
		}
		h.put("holds_with", list(items))
	}
	if len(l.Without) > 0 {
		h.put("holds_without", list(l.Without))
	}
	h.count("used", l.Use.Used)
	h.count("helped", l.Use.Helped)
	h.count("harmed", l.Use.Harmed)
	h.moment("last_used", l.Use.Last)
	if l.Pinned {
		h.put("pinned", "true")
	}
	h.guard(l.Guard)
	if l.Proof.Own {
		h.put("score_by", byPerson)
	}
	h.weight("prior", float64(l.Proof.Prior))
	h.weight("alpha", l.Proof.Alpha)
	h.weight("beta", l.Proof.Beta)
	h.count("outcomes", l.Proof.Outcomes)
	h.moment("last_outcome", l.Proof.Last)
	h.moment("confirmed", l.Proof.Confirmed)
	h.count("confirmations", l.Proof.Confirmations)
	if n := sessionEvidence(l.Evidence); n > 0 {
		links := make([]string, n)
		for i, e := range l.Evidence[:n] {
			links[i] = quoteYAML(e.Path)
		}
		h.put("evidence", "["+strings.Join(links, ",")+"]")
	}
}

func (h head) guard(g lessons.Guard) {
	if g.IsZero() {
		return
	}
	h.put("guard", list(g.Patterns))
	if g.Deny {
		h.put("guard_denies", "true")
	}
	h.text("guard_by", g.By)
	h.text("guard_of", string(g.Of))
}

// byPerson is the value of score_by for a score that a person set.
const byPerson = "person"

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

// Octomind ends the frontmatter at the first three hyphens, wherever they are. In its
// texts the third is therefore written as the hyphen of Unicode, which looks the same
// to a person and a model; one that a text has of its own after two hyphens is an
// escape.
const (
	hyphens = "--\u2010"
	escaped = `--\x2d`
)

var softHyphens = strings.NewReplacer("---", hyphens, hyphens, `--\u2010`)

// quoteText is quoteYAML for the texts that Octomind reads.
func quoteText(s string) string { return softHyphens.Replace(quote(s, "\t", wideYAML)) }

// sentence is quoteText for what may have quotation marks in it. The first Octomind
// does not undo \", so where every reader takes the text for itself it stands as it is.
func sentence(s string) string {
	if plainSentence(s) {
		return s
	}
	return quoteText(s)
}

// plainSentence reports text with quotation marks within that is itself without any
// around it, to YAML and to each reader of Octomind.
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
