package file

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// plainFields reads frontmatter of the kind that we and Octomind write: one line for
// each key, with a word, a quoted text or a list of plain items. For anything else it
// gives up, and a YAML parser must be used, which takes ten times as long
// (BenchmarkDecode): with many thousand files, seconds. Where it does not give up it
// reads what YAML reads; FuzzDecode checks that.
func plainFields(head string) ([]field, bool) {
	all := make([]field, 0, 24)
	line := 1
	for text := range strings.Lines(head) {
		line++
		text, ended := strings.CutSuffix(text, "\n")
		key, raw, ok := strings.Cut(text, ": ")
		if !ended || !ok || !plainWord(key) {
			return nil, false
		}
		node, ok := plainValue(raw)
		if !ok {
			return nil, false
		}
		all = append(all, field{key: key, node: node, raw: raw, line: line})
	}
	return all, len(all) > 0
}

func plainValue(raw string) (*yaml.Node, bool) {
	inner, list := strings.CutPrefix(raw, "[")
	if !list {
		n, ok := plainScalar(raw)
		return n, ok || plainSentence(raw)
	}
	inner, closed := strings.CutSuffix(inner, "]")
	node := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	if inner == "" {
		return node, closed
	}
	for item := range strings.SplitSeq(inner, ", ") {
		n, ok := plainScalar(item)
		if !ok && (!plainItem(item) || strings.EqualFold(item, "null")) {
			return nil, false
		}
		node.Content = append(node.Content, n)
	}
	return node, closed
}

func plainScalar(raw string) (*yaml.Node, bool) {
	inner, quoted := strings.CutPrefix(raw, `"`)
	if !quoted {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: raw}, plainWord(raw)
	}
	inner, closed := strings.CutSuffix(inner, `"`)
	value, ok := plainQuoted(inner)
	return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: value}, closed && ok
}

// plainQuoted undoes the escapes that quoteYAML writes.
func plainQuoted(s string) (string, bool) {
	for _, r := range s {
		if r < ' ' || r >= 0x7f && Invisible(r) {
			return "", false
		}
	}
	if !strings.ContainsAny(s, `"\`) {
		return s, true
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, `"\`)
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		if s = s[i:]; s[0] == '"' || len(s) < 2 {
			return "", false
		}
		n := 2
		switch s[1] {
		case '"', '\\':
			b.WriteByte(s[1])
		case 'n':
			b.WriteByte('\n')
		case 'x', 'u', 'U':
			n = map[byte]int{'x': 4, 'u': 6, 'U': 10}[s[1]]
			if len(s) < n {
				return "", false
			}
			r, err := strconv.ParseUint(s[2:n], 16, 21)
			if err != nil || !utf8.ValidRune(rune(r)) {
				return "", false
			}
			b.WriteRune(rune(r))
		default:
			return "", false
		}
		s = s[n:]
	}
	return b.String(), true
}

// plainWord reports ASCII letters and digits, with -, _, . and + within, that YAML
// takes for themselves. Whether it takes them for a number or a bool does not matter
// here; whether it takes them for null does.
func plainWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '-' && c != '_' && c != '.' && c != '+') {
			return false
		}
	}
	return s != "" && !strings.EqualFold(s, "null")
}
