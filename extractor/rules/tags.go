package rules

import (
	"slices"
)

// tagWords say of what a lesson speaks.
var tagWords = wordMap("tags")

func tags(said ...*sentence) []string {
	var out []string
	for _, s := range said {
		for _, w := range s.words {
			if tag := tagWords()[w]; tag != "" && !slices.Contains(out, tag) && len(out) < 4 {
				out = append(out, tag)
			}
		}
	}
	return out
}

var dull = wordSet("dull")
