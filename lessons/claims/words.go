package claims

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A word is a word of a sentence, or text in backquotes.
type word struct {
	text string // without the punctuation around it
	low  string // in lower case
	code bool
	open bool // a parenthesis opens before it
	shut bool // a parenthesis closes after it
	end  byte // what ends after it: ',' or ';' a clause, '.' the sentence, 0 nothing
}

// split splits a text into words.
func split(text string) []word {
	var ws []word
	text = strings.ReplaceAll(text, "](", " ")
	open := false // a parenthesis stands before the next word
	for len(text) > 0 && len(ws) < 2000 {
		rest := strings.TrimLeft(text, " \t\r\n")
		if len(ws) > 0 && breaks(text[:len(text)-len(rest)], rest) {
			ws[len(ws)-1].end = '.'
		}
		if rest == "" {
			break
		}
		var w word
		w, text = next(rest)
		if w.text == "" {
			if len(ws) > 0 {
				last := &ws[len(ws)-1]
				last.end, last.shut = stronger(last.end, w.end), last.shut || w.shut
			}
			open = open || w.open
			continue
		}
		w.open, open = w.open || open, false
		w.low = strings.ToLower(w.text)
		ws = append(ws, w)
	}
	return ws
}

// breaks reports whether a line break between two words ends a sentence.
func breaks(space, rest string) bool {
	n := strings.Count(space, "\n")
	if n == 0 || rest == "" {
		return false
	}
	return n > 1 || strings.ContainsRune("-*#•", rune(rest[0])) || rest[0] >= '0' && rest[0] <= '9'
}

func stronger(a, b byte) byte {
	for _, c := range []byte{'.', ';', ','} {
		if a == c || b == c {
			return c
		}
	}
	return 0
}

// next takes the first word off a text that does not begin with a blank.
func next(text string) (w word, rest string) {
	start := 0
	for start < len(text) && strings.ContainsRune(`([{"'*`, rune(text[start])) {
		w.open = w.open || text[start] == '('
		start++
	}
	if r, n := utf8.DecodeRuneInString(text[start:]); r == '“' || r == '‘' {
		start += n
	}
	if start < len(text) && text[start] == '`' {
		ticks := len(text[start:]) - len(strings.TrimLeft(text[start:], "`"))
		body := text[start+ticks:]
		if n := strings.Index(body, text[start:start+ticks]); n >= 0 {
			w.code, w.text = true, strings.TrimSpace(body[:n])
			rest = body[n+ticks:]
			tail := rest[:blank(rest)]
			if i := strings.IndexByte(tail, '`'); i >= 0 {
				tail = tail[:i]
			}
			w.punctuate(tail)
			return w, rest[len(tail):]
		}
	}
	n := max(blank(text[start:]), 0)
	if i := strings.IndexByte(text[start:start+n], '`'); i > 0 {
		n = i
	}
	whole := text[start : start+n]
	if start+n == 0 || n == 0 && start == 0 {
		_, size := utf8.DecodeRuneInString(text)
		return w, text[size:]
	}
	w.text = bare(whole)
	w.punctuate(whole[len(w.text):])
	if strings.ContainsAny(w.text, "`") || isDash(w.text) {
		w.end, w.text = stronger(w.end, ';'), strings.Trim(w.text, "`-–—")
	}
	return w, text[start+n:]
}

func blank(s string) int {
	if n := strings.IndexAny(s, " \t\r\n"); n >= 0 {
		return n
	}
	return len(s)
}

func isDash(s string) bool { return s == "-" || s == "–" || s == "—" || s == "--" }

// bare trims punctuation from the end of a word, except for that of a call and of Go's
// "/...".
func bare(s string) string {
	for s != "" {
		r, n := utf8.DecodeLastRuneInString(s)
		switch {
		case strings.HasSuffix(s, "/..."), r == ')' && strings.Contains(s, "("):
			return s
		case strings.ContainsRune(`.,;:!?)]}"'*”’…`, r):
			s = s[:len(s)-n]
		default:
			return s
		}
	}
	return s
}

// punctuate records the punctuation after a word.
func (w *word) punctuate(tail string) {
	for _, r := range tail {
		switch r {
		case '.', '!', '?':
			w.end = stronger(w.end, '.')
		case ';', ':', '—':
			w.end = stronger(w.end, ';')
		case ',':
			w.end = stronger(w.end, ',')
		case ')':
			w.shut = true
		}
	}
}

// A scope is the effect of the words so far on the following ones:
type scope struct {
	not     bool // they are forbidden, or said not to be
	denied  bool // a "not" was seen: "not without X" presupposes X
	gone    bool // they are replaced by something else
	makes   bool // they are to be made
	writes  bool // they are written to
	from    bool // they are what something was moved from
	example bool
	prefers bool // an "over" would say that they are replaced
}

func (s scope) excuses() bool {
	return s.not || s.gone || s.makes || s.writes || s.from || s.example
}

// excused marks the words that the sentence does not presuppose.
func excused(ws []word) []bool {
	out := make([]bool, len(ws))
	var s scope
	for i, w := range ws {
		if !w.code {
			s.read(ws, i)
		}
		out[i] = s.excuses() || after(ws, i)
		switch {
		case w.end == '.' || w.end == ';':
			s = scope{}
		case w.end == ',':
			s.gone, s.makes, s.writes, s.from = false, false, false, false
			if i+1 < len(ws) && !ws[i+1].code && !in(ws[i+1].low, "or nor and") && !shaped(ws[i+1].text) {
				s.not, s.example = false, false
			}
		case w.shut:
			s.gone, s.example = false, false
		}
	}
	return out
}

// read handles a word that is not code.
func (s *scope) read(ws []word, i int) {
	low := strings.ReplaceAll(ws[i].low, "’", "'")
	before, then := "", ""
	if i > 0 && ws[i-1].end == 0 {
		before = ws[i-1].low
	}
	if i+1 < len(ws) {
		then = ws[i+1].low
	}
	fresh := i == 0 || ws[i-1].end != 0 || in(before, "and but then just instead or")
	switch {
	case low == "without" && s.denied:
		s.not = false
	case in(low, negations):
		s.not, s.denied = true, true
	case s.not && (in(low, keeping) || in(low, "of to in") && in(before, parts)):
		s.not = false
	case low == "instead" && then == "of", low == "rather" && then == "than", low == "place" && then == "of", low == "than", low == "over" && s.prefers,
		in(low, "formerly previously replaces replaced replacing replace supersedes superseded unlike"), in(low, "was were") && i+1 < len(ws) && ws[i+1].code:
		*s = scope{gone: true, prefers: s.prefers}
	case in(low, "prefer favor favour"):
		*s = scope{prefers: true}
	case in(low, "renamed moved migrated switched changed migrating"), in(low, "rename move migrate switch"):
		*s = scope{from: true, writes: in(low, "rename move")}
	case in(low, "example instance e.g eg") || low == "such" && then == "as" || low == "like" && i+1 < len(ws) && (ws[i+1].code || shaped(ws[i+1].text)):
		s.example = true
	case in(low, "make makes") && in(before, "run runs running via with use"):
	case in(low, making) && (low != "new" || !s.excuses()):
		s.makes = true
	case in(low, "write writes writing save saves saving dump dumps outputs emit emits produce produces download downloads"),
		in(before, "is are be gets get been") && in(low, "written saved stored cached dumped logged downloaded put"):
		*s = scope{writes: true, not: s.not}
	case in(low, "but because since so then unless until before after when while if once"), low == "instead":
		*s = scope{prefers: s.prefers}
	case fresh && in(low, "use run call prefer always pass do"):
		*s = scope{prefers: low == "use" || low == "prefer"}
	case low == "use":
		s.prefers = true
	case in(low, "to into with by"):
		s.makes, s.from = false, false
		s.gone = s.gone && !in(low, "with by")
		s.writes = s.writes && in(low, "to into")
	case in(low, "in under at for from using via on of that which inside"):
		s.makes = false
		s.writes = s.writes && in(low, "under at on") || s.writes && low == "in" && in(before, "written saved stored cached dumped logged put")
	}
}

const (
	negations = "never don't dont not avoid cannot can't mustn't shouldn't without no nor neither stop forbid forbids ban bans doesn't isn't aren't won't wasn't nothing none"
	keeping   = "edit edits editing modify modifying touch touching change changing alter overwrite break breaking skip skipping bypass bypassing forget ignore omit disable miss delete remove rename move hand-edit patch " +
		"merge reorder refactor rewrite reformat trust push ship release block close open duplicate inline mutate extend override expose swallow lose leave simplify weaken lock unlock format lint reimplement"
	parts     = "changes callers users copies signature body output result results fields values contents content order"
	making    = "create creates creating add adds adding introduce introduces introducing install installs installing scaffold scaffolds generate generates generating propose invent new make makes"
	auxiliary = "is was were are has have had been got be being does do did doesn't don't didn't must should may might will would isn't aren't which that no if when"
	goneWords = "removed deleted dropped renamed replaced gone retired superseded obsolete deprecated generated gitignored git-ignored untracked missing exists exist absent forbidden banned disallowed outdated moved merged"
)

// after reports whether the words after one say that it is gone, made, or forbidden.
func after(ws []word, i int) bool {
	aux := false
	for j := i + 1; j < len(ws) && j < i+9; j++ {
		if p := ws[j-1].end; p == '.' || p == ';' || p == ',' && !in(ws[j].low, "which that now") && (j > i+1 || !ws[j].code) {
			return false
		}
		low := ws[j].low
		switch {
		case ws[j].code:
			continue
		case in(low, "because so but before after unless while since until and"):
			return false
		case (aux || ws[j].open) && in(low, goneWords), aux && low == "longer":
			return true
		case aux && low == "not" && j+1 < len(ws) && in(ws[j+1].low, "used needed allowed available supported committed tracked part in there be exist"):
			return true
		case aux && in(low, "created written produced emitted downloaded") && j+1 < len(ws) && in(ws[j+1].low, "by at during on when each every if"):
			return true
		case in(low, auxiliary):
			aux = true
		}
	}
	return false
}

// elsewhere reports whether a sentence is about another repository or machine.
func elsewhere(ws []word) bool {
	for i, w := range ws {
		if w.code {
			continue
		}
		switch {
		case in(w.low, "repo repository"):
			// "the agentv-private repo": which one is said.
			if i > 0 && (ws[i-1].code || strings.Contains(ws[i-1].low, "-")) || i > 0 && in(ws[i-1].low, "other another upstream sibling separate private external public") {
				return true
			}
			if i+1 < len(ws) && ws[i+1].code && w.end == 0 && strings.Count(ws[i+1].text, "/") <= 1 && !hasExtension(ws[i+1].text) {
				return true
			}
		case in(w.low, "upstream"):
			return true
		case in(w.low, "server host container cluster vm machine bucket") && i > 1 && in(ws[i-1].low, "the remote production staging your our") && in(ws[i-2].low, "on in from inside to the"):
			return true
		}
	}
	return false
}

// in reports whether a list contains a word.
func in(w, list string) bool {
	for len(list) > 0 && w != "" {
		one, rest, _ := strings.Cut(list, " ")
		if one == w {
			return true
		}
		list = rest
	}
	return false
}

// shaped reports whether a word without backquotes looks like a name in code.
func shaped(s string) bool {
	return strings.ContainsAny(s, "_/") || strings.HasSuffix(s, "()") || hasExtension(s) || humped(s)
}

// near reports whether a word of a list is close before or after another word.
func near(ws []word, i, before, behind int, list string) bool {
	from, to := max(i-before, 0), min(i+behind+1, len(ws))
	for j := i - 1; j >= from; j-- {
		if in(ws[j].low, list) {
			return true
		}
		if ws[j].end != 0 {
			break
		}
	}
	if ws[i].end != 0 {
		return false
	}
	return slices.ContainsFunc(ws[i+1:to], func(w word) bool { return !w.code && in(strings.TrimSuffix(w.low, "s"), list) })
}
