package lessons

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// A Signature says that a key's machine has a lesson in force in these words. A name
// proves nothing, since anyone who can write a file can write any name.
type Signature struct {
	Key string    // the public key, as [PublicKey] writes it
	At  time.Time // when it was signed
}

// keyText is how keys and signatures are written.
var keyText = base64.RawURLEncoding

// PublicKey returns the text of the public half of a key.
func PublicKey(k ed25519.PrivateKey) string {
	return keyText.EncodeToString(k.Public().(ed25519.PublicKey))
}

// covered is what a signature covers: what sessions are given, where, and what is stopped.
// Counters, confidence, evidence and tags change without a decision.
func (l Lesson) covered(at int64) []byte {
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

// Sign returns the lesson with a signature in its decision.
func (l Lesson) Sign(k ed25519.PrivateKey, at time.Time) Lesson {
	sig := ed25519.Sign(k, l.covered(at.Unix()))
	l.Decided.Signed = strings.Join([]string{PublicKey(k), strconv.FormatInt(at.Unix(), 10), keyText.EncodeToString(sig)}, " ")
	return l
}

// SignedLike reports whether a signature, apart from its time, says the same of both.
func (l Lesson) SignedLike(o Lesson) bool { return bytes.Equal(l.covered(0), o.covered(0)) }

// IsKey reports whether a text is that of a public key.
func IsKey(text string) bool {
	key, err := keyText.DecodeString(text)
	return err == nil && len(key) == ed25519.PublicKeySize
}

// ShortKey shortens a key for people.
func ShortKey(key string) string { return key[:min(len(key), 8)] }

// Signature returns the signature of the lesson's decision. valid is false without one,
// and if it does not cover the lesson as it is.
func (l Lesson) Signature() (s Signature, valid bool) {
	parts := strings.Fields(l.Decided.Signed)
	if len(parts) != 3 {
		return s, false
	}
	key, err := keyText.DecodeString(parts[0])
	at, bad := strconv.ParseInt(parts[1], 10, 64)
	sig, broken := keyText.DecodeString(parts[2])
	if err != nil || bad != nil || broken != nil || len(key) != ed25519.PublicKeySize {
		return s, false
	}
	s = Signature{Key: parts[0], At: time.Unix(at, 0)}
	return s, ed25519.Verify(key, l.covered(at), sig)
}
