package match

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// Kind is the class of categories within which lessons are compared: the shelf of a
// category, or the category itself if no known system uses it.
func Kind(c lessons.Category) string {
	if s := c.Shelf(); s != lessons.Other {
		return string(s)
	}
	return strings.ToLower(string(c))
}

// Same reports whether two lessons say the same, so that one of them is enough:
// equal [Normal] text; or, within a [Kind], a word Jaccard of at least [Alike], the
// same literals, and the same words that negate or join. Their scopes are not compared.
func Same(a, b lessons.Lesson) bool {
	if Normal(a.Content) == Normal(b.Content) {
		return true
	}
	return Kind(a.Category) == Kind(b.Category) && Jaccard(a.Content, b.Content) >= Alike && compatible(a.Content, b.Content)
}

// Mergeable reports whether two lessons may be merged without a person comparing
// them: they have the same scope and [Kind], and their texts are equal after [Normal];
// or their word Jaccard is at least [Alike], their literals are the same, and they
// differ only in fillers (the, is, this) or forms of one word, in the same order. Of
// real technical instructions with such a Jaccard only one in fourteen means the same,
// hence the care. Two lessons that a person has said both hold are not mergeable.
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

// hinges are words that turn the meaning of a sentence around: they negate it, offer
// a choice of its parts, or say when it holds. "and" is none, since it may be a comma
// as well; if it takes the place of an "or", the other text has a hinge more.
var hinges = setOf(`not no never none without avoid stop don't dont or nor unless except only but before after
	instead nothing neither longer`)

// compatible reports whether two texts that are alike can mean the same: their
// literals and hinges are the same.
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
