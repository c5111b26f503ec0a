package lessons

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// ids are eight characters (40 bits): short enough to type. Among 100,000 lessons the
// odds of any collision are 1 in 200, and the store refuses it.
var idEncoding = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// ProposalID returns the id of a proposal made from a transcript. It hashes the record
// that the first evidence quotes (its UUID or else its session) and says, which tells
// apart the lessons that one proposer makes from one record. proposer is "" for the
// built-in rules.
//
// The same moment thus gives the same id on every machine and in every version, which is
// how a proposal that a person has edited, merged or rejected is recognised. So what a
// proposer passes here must never change.
func ProposalID(proposer string, e Evidence, says ...string) ID {
	parts := append([]string{cmp.Or(e.UUID, e.Session)}, says...)
	if proposer != "" {
		parts = append([]string{proposer}, parts...)
	}
	return IDFrom(parts...)
}

// IDFrom derives an id from its parts. The same parts give the same id, so that a
// proposal made twice from one line of a transcript is recognised.
func IDFrom(parts ...string) ID {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return ID(idEncoding.EncodeToString(h.Sum(nil)[:5]))
}

// handle precedes an id in text for agents.
const handle = "L-"

// Handle returns the id as agents see and cite it: [L-k7m2p9qx].
func (id ID) Handle() string { return "[" + handle + string(id) + "]" }

// Cited returns the id or prefix in a handle, with or without brackets. Other words are
// returned unchanged.
func Cited(word string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(word, "["), "]")
	if id, ok := strings.CutPrefix(inner, handle); ok && id != "" {
		return id
	}
	return word
}
