package file

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
)

// Octomind's fields that a lesson has no field for are kept as extra fields, so that an
// edit here does not change them:
//
//   - memory_type, unless it is "learning".
//   - importance, where it is the lesson's own and not derived from our confidence.
//     It is dropped when the confidence changes.
//   - title; "" for one that follows from the content.
//   - scope, when the file says "scoped", which is the default.
//   - related and outcome, as they are.
//   - use_count: how often it helped there. Used counts what happens here.
var octomindKeys = []string{"memory_type", "importance", "title", "scope", "related", "outcome", "use_count"}

// placed reports whether a key is written in Octomind's position for it.
func placed(key string) bool { return key == "memory_type" || key == "importance" || key == "title" }

const scoped = "scoped" // the scope of a lesson that is not global

// extra gives the value of an extra field.
func extra(l lessons.Lesson, key string) (string, bool) {
	i := slices.IndexFunc(l.Extra, func(f lessons.Field) bool { return f.Key == key })
	if i < 0 {
		return "", false
	}
	return l.Extra[i].Value, true
}

func memoryType(l lessons.Lesson) string {
	if kind, ok := extra(l, "memory_type"); ok {
		return kind
	}
	return learning
}

func importanceOf(l lessons.Lesson) string {
	if own, ok := extra(l, "importance"); ok {
		return own
	}
	return strconv.FormatFloat(l.Confidence.Importance(), 'g', -1, 64)
}

// TitleOf returns the title that Octomind makes from a content. An identical title is not
// kept, because it would outlive the content.
func TitleOf(content string) string {
	if len(content) <= 80 {
		return content
	}
	cut := content[:80]
	for !utf8.ValidString(cut) && cut != "" {
		cut = cut[:len(cut)-1]
	}
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "..."
}

// titleOf gives the title of a lesson that has one.
func titleOf(l lessons.Lesson) (string, bool) {
	value, ok := extra(l, "title")
	if !ok || value == "" {
		return TitleOf(l.Content), ok
	}
	title, ok := scalar(value)
	return title, ok
}

// Retitled returns an edited lesson with its title made from the new content, if it was
// made from the old one and the edit did not change it.
func Retitled(before, edited lessons.Lesson) lessons.Lesson {
	if value, ok := extra(before, "title"); !ok || value != "" {
		return edited
	}
	title, ok := titleOf(edited)
	if i := slices.IndexFunc(edited.Extra, func(f lessons.Field) bool { return f.Key == "title" }); ok && title == TitleOf(before.Content) {
		edited.Extra = slices.Clone(edited.Extra)
		edited.Extra[i].Value = ""
	}
	return edited
}

// scalar gives the text that a value is, if it is one.
func scalar(value string) (string, bool) {
	all, err := readHead(extraField{"title", value}.text())
	if err != nil || len(all) != 1 || all[0].node.Kind != yaml.ScalarNode {
		return "", false
	}
	return all[0].node.Value, true
}

// confidenceFrom returns the confidence of a lesson without a score: Octomind's
// importance if it agrees with the word, or else the word's.
func confidenceFrom(importance float64, word string) (lessons.Confidence, error) {
	c, err := lessons.ParseConfidence(word)
	if i := lessons.Confidence(importance); err == nil && i >= 0 && i <= 1 && i.Word() == c.Word() {
		return i, nil
	}
	return c, err
}

// keepsImportance reports whether an importance is a lesson's own: the confidence is
// still what was made of it, and would not give the same.
func keepsImportance(l lessons.Lesson, value string) bool {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x == l.Confidence.Importance() || !bareNumber(value) {
		return false
	}
	from, err := confidenceFrom(x, l.Confidence.Word())
	return err == nil && from.Round() == l.Confidence.Round()
}

// bareNumber reports a number as Octomind writes it, and not Go's 0x1p-2 or 1_000.
func bareNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789.-") == "" }

// normalExtra keeps every field that reads back as itself, and makes any other value
// a text. Octomind's come first.
func normalExtra(l lessons.Lesson) []lessons.Field {
	if len(l.Extra) == 0 {
		return nil
	}
	known := map[string]lessons.Field{}
	var rest []lessons.Field
	seen := map[string]bool{}
	for _, f := range l.Extra {
		f.Key = utf8Text(f.Key)
		if f.Key == "" || seen[f.Key] {
			continue
		}
		seen[f.Key] = true
		if f, ok := normalOctomind(l, f); ok {
			known[f.Key] = f
		} else if !ours[f.Key] {
			rest = append(rest, readable(f))
		}
	}
	var out []lessons.Field
	for _, key := range octomindKeys {
		if f, ok := known[key]; ok {
			out = append(out, f)
		}
	}
	return append(out, rest...)
}

// normalOctomind gives a field of Octomind's as a file has it. It is false for any
// other, and for one that says nothing.
func normalOctomind(l lessons.Lesson, f lessons.Field) (lessons.Field, bool) {
	ok := false
	switch f.Key {
	case "memory_type":
		ok = f.Value != learning && simple(f.Value)
	case "importance":
		ok = keepsImportance(l, f.Value)
	case "scope":
		ok = f.Value == scoped && !l.Scope.Global
	case "use_count":
		ok = digits(f.Value) && len(f.Value) < 19
	case "related", "outcome":
		f, ok = readable(f), true
	case "title":
		if ok = true; f.Value != "" {
			title, is := scalar(f.Value)
			if !is {
				title = f.Value
			}
			f.Value = sentence(utf8Text(title))
		}
	}
	return f, ok
}

// ImportanceOf is the importance that a lesson has for Octomind, as a file has it.
func ImportanceOf(l lessons.Lesson) string { return importanceOf(Normal(l)) }

// Title is the title that a lesson has for Octomind.
func Title(l lessons.Lesson) string {
	title, _ := titleOf(l)
	return title
}

// Sentence is a text as the value of a key that every version of Octomind reads.
func Sentence(s string) string { return sentence(utf8Text(s)) }

// Text is a text between quotation marks as Octomind reads it.
func Text(s string) string { return quoteText(utf8Text(s)) }
