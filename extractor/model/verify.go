package model

import "strings"

// fold makes texts comparable: white space is one blank, and signs that
// typing or a model changes without changing what is said are alike.
func fold(s string) string {
	return strings.Join(strings.Fields(folder.Replace(s)), " ")
}

var folder = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "‹", "<")
