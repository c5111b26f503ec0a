package rules

import (
	"slices"
	"strings"
	"unicode"
)

// maxText is how much of one turn is read for lessons, in bytes. A person
// states rules in the first pages of a message; what is longer is pasted.
const maxText = 16 << 10

// cleaned returns what a person wrote in a turn, without code blocks, quoted
// lines, tagged blocks that a harness or a memory injected, pasted logs, diffs and
// tables; cut reports whether there was code, a log or the like. Line breaks stay,
// because they are the only punctuation that many people use.
func cleaned(s string) (text string, cut bool) {
	s = dropTagged(head(s, maxText))
	var b strings.Builder
	fenced := ""
	for line := range strings.Lines(s) {
		t := strings.TrimSpace(line)
		switch {
		case fenced != "":
			if strings.HasPrefix(t, fenced) {
				fenced = ""
			}
			continue
		case startsWith(t, "```", "~~~"): // a fence with no end hides the rest: a cut paste, not words
			fenced, cut, line = t[:3], true, ""
		case pasted(t):
			cut, line = true, ""
		}
		b.WriteString(strings.TrimRight(line, "\r\n") + "\n")
	}
	return strings.TrimSpace(b.String()), cut
}

// startsWith reports whether a text begins with one of some words.
func startsWith(text string, any ...string) bool {
	return slices.ContainsFunc(any, func(w string) bool { return strings.HasPrefix(text, w) })
}

var straight = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "\u00a0", " ", "…", "...")

// dropTagged removes injected <tag>…</tag> blocks: those whose tag consists of
// lower-case words joined by a hyphen or underscore, as harnesses and memories
// (ours too) write them.
func dropTagged(s string) string {
	from := 0
	for {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return s
		}
		i += from
		name := tagName(s[i+1:])
		if name == "" {
			from = i + 1
			continue
		}
		if j := strings.Index(s[i:], "</"+name+">"); j >= 0 {
			s = s[:i] + "\n" + s[i+j+len(name)+3:]
			from = i
			continue
		}
		from = i + 1
	}
}

func tagName(s string) string {
	n := strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '_' })
	if n < 1 || n >= 60 || s[n] != '>' && s[n] != ' ' || s[0] == '-' || s[0] == '_' || !strings.ContainsAny(s[:n], "-_") {
		return ""
	}
	return s[:n]
}

// pasted reports whether a line was not written by hand: a quote, a log line, a
// diff, a shell prompt, a table, a stack frame, an image marker.
func pasted(t string) bool {
	return startsWith(t, "|", "$ ", "@@ ", "diff --git", "+++ ", "--- ", "❯", "➜", "⏺", "⎿", "●", "[Request interrupted", "[Image", "[Pasted text", ">",
		"Traceback (most recent", "goroutine ") || strings.HasPrefix(t, "at ") && strings.HasSuffix(t, ")") && strings.Contains(t, ":") || mostlySigns(t)
}

// mostlySigns recognises the output of programs by its look: few letters, or a
// date at the start of the line.
func mostlySigns(t string) bool {
	letters, others, n := 0, 0, 0
	for _, r := range t {
		switch {
		case unicode.IsLetter(r):
			letters++
		case r != ' ' && r != '\'' && r != '.' && r != ',':
			others++
		}
		n++
	}
	if n >= 12 && others*10 > (letters+others)*4 {
		return true
	}
	return len(t) > 18 && t[0] >= '1' && t[0] <= '2' && (t[4] == '-' || t[4] == '/') && t[7] == t[4]
}

// A sentence is one statement of a turn.
type sentence struct {
	text   string // trimmed, with its closing mark, without bullet
	bullet bool   // an item of a list
	head   string // the line that introduced the list ("Constraints:")
	words  []string
	signs  []int

	featured []string // see [sentence.features]
}

// sentences cuts text at the ends of sentences, lines and bullets.
func sentences(s string) []sentence {
	var out []sentence
	head := ""
	for _, t := range unwrap(s) {
		if heading := strings.TrimLeft(t, "#"); heading != t {
			head = strings.TrimSpace(heading)
			continue
		}
		item, bullet := unbullet(t)
		if !bullet && strings.HasSuffix(t, ":") {
			head = t
		} else if !bullet {
			head = ""
		}
		for _, part := range split(item) {
			w := words(part)
			out = append(out, sentence{text: part, bullet: bullet, head: head, words: w, signs: lookUp(phrases(), w)})
		}
	}
	return out
}

// unwrap returns the non-empty lines, trimmed, and joins those that an editor or
// a terminal broke at its width.
func unwrap(s string) []string {
	const width = 60 // no shorter line was broken for its length
	var out []string
	long := false
	for line := range strings.Lines(s) {
		t := strings.TrimSpace(line)
		if t == "" {
			long = false
			continue
		}
		if _, item := unbullet(t); long && !item && t[0] >= 'a' && t[0] <= 'z' {
			out[len(out)-1] += " " + t
		} else {
			out = append(out, t)
		}
		long = len(t) >= width && strings.IndexByte(".?!:;", t[len(t)-1]) < 0
	}
	return out
}

// unbullet removes the marker of a list item.
func unbullet(t string) (string, bool) {
	for _, m := range []string{"- [ ] ", "- [x] ", "- ", "* ", "• ", "+ ", "– "} {
		if rest, ok := strings.CutPrefix(t, m); ok {
			return strings.TrimSpace(rest), true
		}
	}
	rest := strings.TrimLeft(t, "0123456789")
	if n := len(t) - len(rest); n > 0 && n <= 3 && startsWith(rest, ". ", ") ") {
		return strings.TrimSpace(rest[2:]), true
	}
	return t, false
}

// split cuts a line at the ends of sentences: a mark, then white space. Full stops
// of "e.g. " and the like, and marks within quotation marks or code, do not end a
// sentence.
func split(t string) []string {
	var out []string
	from := 0
	end := func(at int) {
		if part := strings.TrimSpace(t[from:at]); part != "" {
			out = append(out, part)
		}
		from = at
	}
	for i := 0; i+1 < len(t); i++ {
		if n := wideStop(t[i:]); n > 0 {
			end(i + n)
			i += n - 1
		} else if strings.IndexByte(".?!;", t[i]) >= 0 && t[i+1] == ' ' && (t[i] != '.' || !abbreviated(t[from:i])) && !quoted(t[from:i], t[i+1:]) {
			end(i + 1)
		}
	}
	end(len(t))
	return out
}

// quoted reports whether a mark between two texts stands within quotation marks
// or code that begin before it and end soon after it.
func quoted(before, after string) bool {
	const soon = 80
	before, after = strings.ReplaceAll(before, "```", ""), strings.ReplaceAll(after, "```", "")
	for _, q := range []string{`"`, "`"} {
		if strings.Count(before, q)%2 == 1 && strings.Contains(head(after, soon), q) {
			return true
		}
	}
	return false
}

// wideStop returns the length of a Chinese or Japanese mark at the start of s that
// ends a sentence without a space after it, or 0.
func wideStop(s string) int {
	if s[0] >= 0xe3 && s[0] <= 0xef && startsWith(s, "。", "！", "？", "；") {
		return len("。")
	}
	return 0
}

func abbreviated(s string) bool {
	low := strings.ToLower(s)
	return slices.ContainsFunc([]string{"e.g", "i.e", "etc", "vs", "cf", " eg", " ie", "approx", " no", " st", " dr"}, func(a string) bool { return strings.HasSuffix(low, a) })
}

// words splits a sentence into lower-case words and punctuation. What means
// nothing in another project becomes a class: <code>, <path>, <doc>, <url>, <num>.
func words(s string) []string {
	var out []string
	for _, f := range strings.Fields(straight.Replace(s)) {
		for len(f) > 0 && strings.IndexByte(`"(*[{`, f[0]) >= 0 {
			if f[0] == '(' {
				out = append(out, "(")
			}
			f = f[1:]
		}
		tail := len(f)
		for tail > 0 && strings.IndexByte(`").,;:?!*]}`, f[tail-1]) >= 0 {
			if strings.HasSuffix(f[:tail], "()") {
				break
			}
			tail--
		}
		if w := f[:tail]; w != "" {
			out = append(out, class(w))
		}
		last := byte(0)
		for _, c := range []byte(f[tail:]) {
			if c != last && strings.IndexByte(".,;:?!", c) >= 0 {
				out = append(out, string(c))
			} else if c == '.' && last == '.' {
				out[len(out)-1] = "..."
			}
			last = c
		}
	}
	return out
}

func class(w string) string {
	if strings.Contains(w, "://") {
		return "<url>"
	}
	if w[0] == '@' || w[0] == '/' && len(w) > 1 || w[0] == '~' || strings.Count(w, "/") > 1 || strings.Contains(w, `\`) {
		return "<path>"
	}
	if strings.HasSuffix(w, ".md") {
		return "<doc>"
	}
	digits, letters, upper, inner := 0, 0, 0, false
	for i, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
				inner = inner || i > 0
			}
		case r == '_' || r == '`' || r == '=' || r == '$' || r == '<' || r == '{':
			return "<code>"
		case r == '.' && i > 0 && i < len(w)-1:
			if letters > 0 {
				return "<path>"
			}
		}
	}
	switch {
	case strings.HasPrefix(w, "--") && letters > 0, strings.HasSuffix(w, "()"):
		return "<code>"
	case letters == 0 && digits > 0:
		return "<num>"
	case digits > 0:
		return "<code>"
	case inner && upper < letters:
		return "<code>"
	}
	w = strings.ToLower(w)
	if full, ok := apostrophe()[w]; ok {
		return full
	}
	return w
}

var apostrophe = wordMap("spelling")
