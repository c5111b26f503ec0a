package lessons

import (
	"crypto/sha256"
	"encoding/base32"
)

// ids are eight characters (40 bits): short enough to type, and at a hundred
// thousand lessons still with odds of 1 in 200 that any two would meet, which
// the store then refuses.
var idEncoding = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// IDFrom makes the id of a lesson from what makes it unique. The same parts
// give the same id, so that a proposal made twice from the same line of a
// transcript is seen to be the same.
func IDFrom(parts ...string) ID {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return ID(idEncoding.EncodeToString(h.Sum(nil)[:5]))
}
