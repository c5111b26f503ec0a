package main

import "strings"

// maxDiff is the most words of two texts together that are compared; what is
// longer is shown as gone and new.
const maxDiff = 4000

// wordDiff marks what two texts do not share, in the manner of wdiff:
// kept [-gone-] {+new+}.
func wordDiff(before, after string) string {
	a, b := strings.Fields(before), strings.Fields(after)
	if len(a)+len(b) > maxDiff {
		return "[-" + before + "-] {+" + after + "+}"
	}
	// common[i][j] is the length of the longest common run of words of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out, gone, added []string
	flush := func() {
		if len(gone) > 0 {
			out = append(out, "[-"+strings.Join(gone, " ")+"-]")
		}
		if len(added) > 0 {
			out = append(out, "{+"+strings.Join(added, " ")+"+}")
		}
		gone, added = nil, nil
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			flush()
			out = append(out, a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			gone = append(gone, a[i])
			i++
		default:
			added = append(added, b[j])
			j++
		}
	}
	flush()
	return strings.Join(out, " ")
}
