package rules

import "slices"

// tagWords say of what a lesson speaks.
var tagWords = wordMap("tags")

func tags(said []string) (out []string) {
	for _, w := range said {
		if tag := tagWords()[w]; tag != "" && !slices.Contains(out, tag) && len(out) < 4 {
			out = append(out, tag)
		}
	}
	return out
}

var dull = wordSet("dull")
