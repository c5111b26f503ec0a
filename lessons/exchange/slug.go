package exchange

import (
	"cmp"
	"strings"
)

// maxSlug is the most bytes of a slug.
const maxSlug = 40

// Slug makes a part of a file's name of a text: never empty, of a-z, 0-9 and dashes.
func Slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() > maxSlug {
			break
		}
	}
	out := b.String()
	return cmp.Or(strings.Trim(out[:min(len(out), maxSlug)], "-"), "files")
}
