package match

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// Kind is within what lessons are compared: the shelf of a category, and for a
// category that no system we know uses, that category.
func Kind(c lessons.Category) string {
	if s := c.Shelf(); s != lessons.Other {
		return string(s)
	}
	return strings.ToLower(string(c))
}

// Same reports whether two lessons say the same, so that one of them is enough:
// equal [Normal] text; or, in one category, a word Jaccard from [Alike] on with
// the same literals, where nothing is negated or joined otherwise. Their scopes
// are not compared.
func Same(a, b lessons.Lesson) bool {
	if Normal(a.Content) == Normal(b.Content) {
		return true
	}
	return Kind(a.Category) == Kind(b.Category) && Jaccard(a.Content, b.Content) >= Alike && compatible(a.Content, b.Content)
}

// Mergeable reports whether two lessons may be made one without a person who
// compares them: they hold in the same scope, in one category, and their text
// is equal after [Normal], or their word Jaccard is [Alike], their literals are
// the same, and the words that differ are only fillers (the, is, this) or forms
// of one word, in the same order. Of real technical instructions with such a
// Jaccard one in fourteen means the same, hence the care. Two of which a person
// has said that both hold may not.
func Mergeable(a, b lessons.Lesson) bool {
	if lessons.BothHold(a, b) || !sameScope(a.Scope, b.Scope) || Kind(a.Category) != Kind(b.Category) {
		return false
	}
	if Normal(a.Content) == Normal(b.Content) {
		return true
	}
	return Jaccard(a.Content, b.Content) >= Alike && SameLiterals(a.Content, b.Content) &&
		slices.Equal(backbone(a.Content), backbone(b.Content))
}

func sameScope(a, b lessons.Scope) bool {
	return a.Global == b.Global && a.Role == b.Role && (a.Global || a.Project == b.Project)
}

// backbone is a text without fillers and inflections, in order. Literals and
// signs stay as they are.
func backbone(text string) []string {
	var out []string
	for _, f := range fields(text) {
		if literal(f) || allCaps(f) {
			out = append(out, f)
			continue
		}
		for _, w := range expand(f) {
			if !fillers[w] {
				out = append(out, stem(w))
			}
		}
	}
	return out
}

// hinges turn the meaning of a sentence around: what negates it, makes a choice
// of its parts, or says when it holds. An "and" may be a comma as well; where it
// stands for an "or", that is one text's hinge and not the other's.
var hinges = setOf(`not no never none without avoid stop don't dont or nor unless except only but before after
	instead nothing neither longer`)

// compatible reports that nothing keeps two texts that are alike from meaning
// the same: their literals and hinges are the same.
func compatible(a, b string) bool {
	return SameLiterals(a, b) && slices.Equal(hinged(a), hinged(b))
}

func hinged(text string) []string {
	var out []string
	for _, w := range Words(text) {
		for _, w := range expand(w) {
			if hinges[w] {
				out = append(out, w)
			}
		}
	}
	slices.Sort(out)
	return out
}
