package exchange

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode/utf16"
)

// Digest returns a hash of texts in 16 hexadecimal digits.
func Digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Units returns the length of a text in UTF-16 units, as in JavaScript.
func Units(s string) (n int) {
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// Moment parses a time in one of the forms that other programs write, in UTC; zero if it
// cannot.
func Moment(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05.999999999", time.DateOnly,
	} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return t.UTC()
		}
	}
	return time.Time{}
}

// maxSlug is the most bytes of a slug.
const maxSlug = 40

// Slug makes a part of a file name of a text: never empty, of a-z, 0-9 and dashes.
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
