package lessons

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Signature says that a key's machine has a lesson in force in these words. A name
// proves nothing, since anyone who can write a file can write any name.
type Signature struct {
	Key   string    // the public key, as [PublicKey] writes it
	At    time.Time // when it was signed
	Whole bool      // it covers all that [Lesson.Given] takes, and not only the words and where they hold
}

// keyText is how keys and signatures are written.
var keyText = base64.RawURLEncoding

// PublicKey returns the text of the public half of a key.
func PublicKey(k ed25519.PrivateKey) string {
	return keyText.EncodeToString(k.Public().(ed25519.PublicKey))
}

// words is what the first part of a signature covers: what sessions are given and where,
// for files that have no more than that, such as a team's.
func (l Lesson) words(at int64) []byte {
	text, _ := json.Marshal(struct { // of plain types
		At       int64
		ID       ID
		Status   Status
		Wording  Wording
		Triggers []string
		Scope    Scope
		Limit    Limit
		Pinned   bool
		Guard    Guard
	}{at, l.ID, l.Status, l.Wording, append([]string{}, l.Triggers...), l.Scope, l.Limit, l.Pinned, l.Guard})
	return append([]byte("learnings lesson 1\n"), text...)
}

// Given returns l with all of from that changes what sessions are given, or what is stopped.
// The rest says only how the lesson was proposed, by what it was taught, who decided on it
// and when, and how often it was used. A new field counts as one that changes something.
func (l Lesson) Given(from Lesson) Lesson {
	from.Rev, from.Outside, from.Elsewhere, from.Use = l.Rev, l.Outside, l.Elsewhere, l.Use
	from.Evidence, from.Origin, from.Offer, from.Lane, from.Decided = l.Evidence, l.Origin, l.Offer, l.Lane, l.Decided
	from.Proof.Confirmed, from.Proof.Confirmations = l.Proof.Confirmed, l.Proof.Confirmations
	return from
}

// whole is what the second part of a signature covers.
func (l Lesson) whole(at int64) []byte {
	text, _ := json.Marshal(Lesson{}.Given(l)) // of plain types
	return fmt.Appendf(nil, "learnings lesson 2\n%d\n%s", at, text)
}

// Sign returns the lesson with a signature in its decision. The lesson must be as its file
// has it.
func (l Lesson) Sign(k ed25519.PrivateKey, at time.Time) Lesson {
	words, whole := ed25519.Sign(k, l.words(at.Unix())), ed25519.Sign(k, l.whole(at.Unix()))
	l.Decided.Signed = strings.Join([]string{PublicKey(k), strconv.FormatInt(at.Unix(), 10), keyText.EncodeToString(words), keyText.EncodeToString(whole)}, " ")
	return l
}

// SignedLike reports whether a signature, apart from its time, says the same of both.
func (l Lesson) SignedLike(o Lesson) bool { return bytes.Equal(l.whole(0), o.whole(0)) }

// IsKey reports whether a text is that of a public key.
func IsKey(text string) bool {
	key, err := keyText.DecodeString(text)
	return err == nil && len(key) == ed25519.PublicKeySize
}

// ShortKey shortens a key for people.
func ShortKey(key string) string { return key[:min(len(key), 8)] }

// Signature returns the signature of the lesson's decision. valid is false without one,
// and if it does not cover the lesson's words as they are.
func (l Lesson) Signature() (s Signature, valid bool) {
	parts := strings.Fields(l.Decided.Signed)
	if len(parts) != 3 && len(parts) != 4 { // three were written by earlier versions
		return s, false
	}
	key, err := keyText.DecodeString(parts[0])
	at, bad := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || bad != nil || len(key) != ed25519.PublicKeySize {
		return s, false
	}
	covers := func(part int, text []byte) bool {
		sig, err := keyText.DecodeString(parts[part])
		return err == nil && ed25519.Verify(key, text, sig)
	}
	s = Signature{Key: parts[0], At: time.Unix(at, 0), Whole: len(parts) == 4 && covers(3, l.whole(at))}
	return s, s.Whole || covers(2, l.words(at))
}

// An Approval was made by somebody else on another copy of the corpus. It does not make
// the lesson active here; it is shown to the person who decides.
type Approval struct {
	By     string    `json:"approved_by,omitempty"` // a name from the other copy, unverified
	At     time.Time `json:"approved_at,omitzero"`
	Reason string    `json:"approved_reason,omitempty"`
	Signed string    `json:"approved_signed,omitempty"` // see [Lesson.Signature]
}

// somebody is the name in an approval without one.
const somebody = "somebody"

// String returns, for example, "approved by ada on 2026-04-05: fits us", or "" for the
// zero Approval. It is one line and safe to show.
func (a Approval) String() string {
	if a == (Approval{}) {
		return ""
	}
	s := "approved by " + a.Who()
	if !a.At.IsZero() {
		s += " on " + a.At.Local().Format(time.DateOnly)
	}
	if a.Reason != "" {
		s += ": " + Line(a.Reason)
	}
	return s
}

// Who names who approved, and the key that signed it, if there is one.
func (a Approval) Who() string {
	key, _, _ := strings.Cut(a.Signed, " ")
	if key == "" {
		return Line(a.By) + ", unsigned"
	}
	return Line(a.By) + ", key " + Line(ShortKey(key))
}

// Withheld turns an approved lesson into a proposal that says who approved it elsewhere.
// [Lesson.Released] reverses it.
func (l Lesson) Withheld() Lesson {
	l.Elsewhere = Approval{By: cmp.Or(l.Decided.By, somebody), At: l.Decided.At, Reason: l.Decided.Reason, Signed: l.Decided.Signed}
	l.Status, l.Decided = Pending, Decision{}
	return l
}

// Released turns a proposal made by [Lesson.Withheld] back into the approved lesson. It
// returns false for any other lesson.
func (l Lesson) Released() (Lesson, bool) {
	if l.Status != Pending || l.Elsewhere == (Approval{}) {
		return l, false
	}
	a := l.Elsewhere
	if a.By == somebody {
		a.By = ""
	}
	l.Status, l.Decided, l.Elsewhere = Approved, Decision{By: a.By, At: a.At, Reason: a.Reason, Signed: a.Signed}, Approval{}
	return l, true
}
