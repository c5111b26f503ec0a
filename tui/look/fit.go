package look

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// This file fits unstyled text to terminal cells and cuts each kind where it loses least:
// a sentence at a word, a path in the middle.

// Bare removes emoji selectors from letters and digits: terminals disagree on the width
// of these.
func Bare(text string) string {
	if !strings.Contains(text, "\ufe0f") && !strings.Contains(text, "\u20e3") {
		return text
	}
	var b strings.Builder
	plain := false // the last rune was ASCII
	for _, r := range text {
		if plain && (r == '\ufe0f' || r == '\u20e3') {
			continue
		}
		plain = r < 0x80
		b.WriteRune(r)
	}
	return b.String()
}

// Lines breaks text into at most n lines of at most w cells. A cut text ends with an
// ellipsis, at a word unless half of the last line would stay empty.
func Lines(text string, w, n int) []string {
	if w < 1 || n < 1 {
		return nil
	}
	text = Bare(text)
	// More than can be shown need not be wrapped. Half as many wide characters fit.
	if most := 4 * (w + 2) * n; len(text) > 4*most {
		text = strings.ToValidUTF8(text[:4*most], "")
	}
	all := strings.Split(ansi.Wrap(text, w, ""), "\n")
	if len(all) <= n {
		return all
	}
	last := strings.TrimRight(all[n-1], " ")
	if ansi.StringWidth(last) < w/2 { // the next word is long, such as an address: its beginning is better than an empty line
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

// Sentence cuts text to one line of at most w cells.
func Sentence(text string, w int) string {
	if ls := Lines(text, w, 1); len(ls) > 0 {
		return ls[0]
	}
	return ""
}

// Path cuts text that is or ends in a path to one line of at most w cells. It cuts the
// middle, because the name at the end says most.
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

// mostCause is the greatest length of the cause at the end of an error, such as "no space
// left on device".
const mostCause = 30

// Fault cuts an error to one line of at most w cells and keeps the cause at its end.
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

// tags abbreviates categories whose first four letters say too little.
var tags = map[string]string{"error-fix": "err", "errors": "err", "tool-usage": "tool", "workflow": "work", "correction": "corr", "preference": "pref", "architecture": "arch"}

// Tag returns a category in at most four letters.
func Tag(category string) string {
	if t, ok := tags[category]; ok {
		return t
	}
	return ansi.Truncate(category, 4, "")
}
