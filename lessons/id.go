package lessons

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// ids are eight characters (40 bits): short enough to type, and at a hundred
// thousand lessons still with odds of 1 in 200 that any two would meet, which
// the store then refuses.
var idEncoding = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// ProposalID is the id of a proposal made of a transcript. It follows from the
// record that its first evidence quotes, by the record's own id or else by the
// session, and from says: what tells the proposer's lessons of that record
// apart. The proposer's name keeps those of different proposers apart; that of
// the built-in rules is "".
//
// The same moment, read again, thus gives the same id, on every machine and in
// every version: by its id a proposal is known that a person has edited, merged
// or rejected since. So what a proposer passes here must never change.
func ProposalID(proposer string, e Evidence, says ...string) ID {
	parts := append([]string{cmp.Or(e.UUID, e.Session)}, says...)
	if proposer != "" {
		parts = append([]string{proposer}, parts...)
	}
	return IDFrom(parts...)
}

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

// handle is what stands before an id where agents are told of a lesson.
const handle = "L-"

// Handle is how an agent is told of a lesson and can cite it, as in [L-k7m2p9qx].
func (id ID) Handle() string { return "[" + handle + string(id) + "]" }

// Cited gives the id, or the beginning of one, that a handle is of, with its brackets
// or without them. Any other word stays as it is.
func Cited(word string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(word, "["), "]")
	if id, ok := strings.CutPrefix(inner, handle); ok && id != "" {
		return id
	}
	return word
}
