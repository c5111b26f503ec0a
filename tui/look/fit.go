package look

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// This file fits text to cells, each kind as it can best be cut: a sentence at the end
// of a word, a path in the middle. Text has no looks yet; widths are those of a
// terminal.

// Bare takes off letters and digits what makes an emoji of them: they are measured as one
// cell or two, by who measures.
func Bare(text string) string {
	if !strings.Contains(text, "\ufe0f") && !strings.Contains(text, "\u20e3") {
		return text
	}
	var b strings.Builder
	plain := false // the last one was of ASCII
	for _, r := range text {
		if plain && (r == '\ufe0f' || r == '\u20e3') {
			continue
		}
		plain = r < 0x80
		b.WriteRune(r)
	}
	return b.String()
}

// Lines breaks a sentence into at most n lines of at most w cells. What is left out ends
// with an ellipsis, at a word unless half of the last line would be empty.
func Lines(text string, w, n int) []string {
	if w < 1 || n < 1 {
		return nil
	}
	text = Bare(text)
	// More than can be seen need not be broken: of wide characters half as many fit.
	if most := 4 * (w + 2) * n; len(text) > 4*most {
		text = strings.ToValidUTF8(text[:4*most], "")
	}
	all := strings.Split(ansi.Wrap(text, w, ""), "\n")
	if len(all) <= n {
		return all
	}
	last := strings.TrimRight(all[n-1], " ")
	if ansi.StringWidth(last) < w/2 { // the next word is an address or the like: its beginning says more than nothing
		return append(all[:n-1:n-1], ansi.Truncate(last+" "+all[n], w-1, "")+"…")
	}
	if ansi.StringWidth(last)+1 > w {
		if i := strings.LastIndexByte(last, ' '); i >= w/2 {
			last = strings.TrimRight(last[:i], " ")
		} else {
			last = ansi.Truncate(last, w-1, "")
		}
	}
	return append(all[:n-1:n-1], last+"…")
}

// Sentence is a sentence on one line of at most w cells.
func Sentence(text string, w int) string {
	if ls := Lines(text, w, 1); len(ls) > 0 {
		return ls[0]
	}
	return ""
}

// Path is a path, or what ends in one, on one line of at most w cells. What is left out
// is in its middle: the name at its end says most.
func Path(text string, w int) string {
	text = Bare(text)
	n := ansi.StringWidth(text)
	if n <= w {
		return text
	}
	if w < 12 {
		return Sentence(text, w)
	}
	head := (w - 1) / 3
	tail := ansi.TruncateLeft(text, n-(w-1-head), "")
	if i := strings.IndexAny(tail, `/\ `); i >= 0 && i < len(tail)/2 {
		tail = tail[i:]
	}
	return ansi.Truncate(text, head, "") + "…" + tail
}

// mostCause is how long the end of an error is that says why, such as "no space left on
// device".
const mostCause = 30

// Fault is what went wrong, on one line of at most w cells. It is cut as a sentence is,
// but for what the system says at its end, which stays.
func Fault(text string, w int) string {
	text = Bare(text)
	at := strings.LastIndex(text, ": ")
	if ansi.StringWidth(text) <= w || at < 0 {
		return Sentence(text, w)
	}
	why := text[at+2:]
	if n := ansi.StringWidth(why); n > mostCause || n > w/3 || strings.ContainsAny(why, `/\\`) {
		return Sentence(text, w)
	}
	return Sentence(text[:at], w-ansi.StringWidth(why)-1) + " " + why
}

// tags are the four letters of a category, where the first four would say less.
var tags = map[string]string{"error-fix": "err", "tool-usage": "tool", "workflow": "work", "correction": "corr", "preference": "pref", "architecture": "arch"}

// Tag is a category in at most four letters.
func Tag(category string) string {
	if t, ok := tags[category]; ok {
		return t
	}
	return ansi.Truncate(category, 4, "")
}
