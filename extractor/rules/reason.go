package rules

import (
	"slices"
	"strings"
	"unicode"

	"learnings/extractor/transcript"
)

// insight adds to a reason that a person gave at what occasion a refusal was
// made; the words alone seldom say it.
func insight(why string, m *moment, t *transcript.Turn) string {
	if m.kind != transcript.Rejection || t.Tool == nil {
		return why
	}
	return strings.Trim(why+"\n\n"+occasion(t), "\n")
}

// withReason parts a rule from the reason at its end, "because …", "since …",
// "so that …" or "otherwise …"; why is "" when there is none.
func withReason(content string) (rule, why string) {
	low := strings.ToLower(content)
	if len(low) != len(content) {
		return content, ""
	}
	for _, join := range []string{" because ", ", since ", " since ", " so that ", ", otherwise ", "; otherwise ", " otherwise "} {
		at := strings.Index(low, join)
		if at < 0 {
			continue
		}
		rule, why := content[:at], strings.TrimLeft(content[at:], " ,;")
		w, before := words(why), words(rule)
		if len(before) < 4 || isOf("joins", before[len(before)-1]) || len(w) < 4 || strings.TrimSpace(join) == "since" && !begins()[w[1]] || w[1] == "all" || w[1] == "good" || w[1] == "fine" || w[1] == "looks" || strings.Count(rule, "(") != strings.Count(rule, ")") || strings.Count(rule, "`")%2 == 1 || strings.Count(rule, `"`)%2 == 1 {
			continue
		}
		return finished(strings.TrimRight(rule, " ,;")), finished(why)
	}
	return content, ""
}

var begins = wordSet("begins")

func occasion(t *transcript.Turn) string {
	what := t.Tool.Command // which file it was, or that a plan was shown, says nothing later
	what = strings.Join(strings.Fields(head(what, 400)), " ")
	if len(what) > 160 {
		what = head(what, 160) + "…"
	}
	if what == "" {
		return ""
	}
	return "Said when refusing a call of " + t.Tool.Name + ": `" + strings.ReplaceAll(what, "`", "'") + "`"
}

// reasonBeside gives the sentence behind a rule, or else the one before it,
// when that is plainly its reason; "" when the rule says its reason itself.
func reasonBeside(s *sentence, m *moment) string {
	if s.bullet || s.has("reason") {
		return ""
	}
	at := m.indexOf(s)
	if at+1 < len(m.all) && justifies(&m.all[at+1], s, true) {
		return m.all[at+1].text
	}
	if at > 0 && justifies(&m.all[at-1], s, false) {
		return m.all[at-1].text
	}
	return ""
}

// justifies reports that a sentence says what comes of a thing: it begins like
// a reason, or names an effect and a thing of which the rule speaks.
func justifies(o, rule *sentence, behind bool) bool {
	w := o.words
	if o.bullet || len(w) < 4 || len(w) > 40 || len(o.text) > 300 || strings.HasSuffix(o.text, "?") || o.has("asks you") || o.has("lets") || o.has("goes on") {
		return false
	}
	if behind {
		switch w[0] {
		case "because", "otherwise":
			return true
		case "that's", "the":
			if len(w) > 1 && (w[1] == "why" || w[1] == "because" || w[1] == "reason") {
				return true
			}
		}
	}
	if !slices.ContainsFunc(w, func(x string) bool { return effects()[x] }) {
		return false
	}
	if behind && (w[0] == "it" || w[0] == "they" || w[0] == "this" || w[0] == "that") {
		return true
	}
	things := contentWords(rule.text)
	for x := range contentWords(o.text) {
		if things[x] {
			return true
		}
	}
	parts := strings.FieldsFunc(strings.ToLower(o.text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) // of names too
	return slices.ContainsFunc(parts, func(x string) bool { return len(x) > 2 && !stopWords()[x] && slices.Contains(rule.words, x) })
}

var effects = wordSet("effects")
