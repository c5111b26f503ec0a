package lessons

// Nearest returns the name that was probably meant. It is false if every name differs by
// more than two edits and more than a third of the letters.
func Nearest(typed string, names []string) (string, bool) {
	best, least := "", max(2, len(typed)/3)+1
	for _, name := range names {
		if d := Distance(typed, name); d < least {
			best, least = name, d
		}
	}
	return best, best != "" && least < len(typed)
}

// Distance is the optimal string alignment distance: letters deleted, inserted, replaced
// or swapped with their neighbour.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}
