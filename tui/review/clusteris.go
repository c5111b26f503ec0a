package review

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
)

// This file sets the category of the lesson that a cluster becomes.

// one returns the merge of some members, in the category the person chose.
func (x cluster) one(some []lessons.Lesson) curate.Merge {
	if len(some) == 0 {
		return curate.Merge{}
	}
	m := x.Union(some)
	m.Into.Category = cmp.Or(x.is, m.Into.Category)
	return m
}

// categories names the proposed or chosen category, and the members' categories if they
// differ.
func (x cluster) categories(some []lessons.Lesson) string {
	all := curate.Categories(some)
	if len(all) < 2 && x.is == "" {
		return ""
	}
	is := cmp.Or(x.is, x.Union(some).Into.Category)
	of := func(c lessons.Category) string {
		if n := x.having(c); n != "" {
			return lessons.Line(string(c)) + " (" + n + ")"
		}
		return lessons.Line(string(c))
	}
	var others []string
	for _, c := range all {
		if c != is {
			others = append(others, of(c))
		}
	}
	says := "as " + of(is)
	if len(others) > 0 {
		says += ", not " + strings.Join(others, " or ")
	}
	return says
}

// having returns the numbers of the members in a category.
func (x cluster) having(c lessons.Category) string {
	var n []string
	for i, l := range x.Lessons {
		if l.Category == c {
			n = append(n, strconv.Itoa(i+1))
		}
	}
	return strings.Join(n, ", ")
}

// categoryOf asks for the category of the merged lesson, with those of the members first.
func categoryOf(x cluster) kit.Dialog {
	var all []kit.Option
	of := curate.Categories(x.Lessons)
	for _, c := range slices.Concat(of, card.Categories) {
		if slices.ContainsFunc(all, func(o kit.Option) bool { return o.Name == string(c) }) {
			continue
		}
		is := kit.Then[Review](func(p Review) (Review, kit.Out) {
			return chose(p, func(now *cluster) {
				if now.key == x.key {
					now.is = c
				}
			}), kit.Out{}
		})
		o := kit.Option{Name: string(c), Do: kit.Out{Answer: is}}
		if n := x.having(c); n != "" {
			o.Note = "of " + n
		}
		all = append(all, o)
	}
	return kit.NewChooser("category of the one lesson", all)
}
