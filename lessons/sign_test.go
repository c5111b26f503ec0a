package lessons

import (
	"bytes"
	"crypto/ed25519"
	"testing"
	"time"
)

// TestSignatureOfToday holds the text that a signature covers. If this fails, every lesson
// that is signed by now waits on all other machines: a new field is left out while it is
// zero, and none is renamed.
func TestSignatureOfToday(t *testing.T) {
	l := lesson("k7m2", "Run make generate.")
	l.Status, l.Insight, l.Example, l.Tags, l.Triggers = Approved, "The mocks are checked in.", "make generate", []string{"go"}, []string{"stale mocks"}
	l.Scope, l.Limit = Scope{Project: "shop", Role: "developer"}, Limit{Paths: []string{"**/*.go"}, Agent: "codex", Until: day}
	l.Proof, l.Pinned, l.Guard = Proof{Prior: 0.5, Alpha: 2, Beta: 1, Outcomes: 3, Last: day, Own: true}, true, Guard{Patterns: []string{"rm *"}, Deny: true, By: "anna", Of: "x"}
	l.HoldsWith, l.Without, l.Extra = []Holding{{ID: "p3q4", Reason: "in CI"}}, []string{"mocks"}, []Field{{Key: "team", Value: "core"}}
	const signed = "6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw 1775399400 sc1rh7NzctmVfZ_ICXPj1orOAn63lBL6f-9RmQ4vevhGUGK-BMmcHhokS9fEIhcljUL34IUVuunxLNoZgI-KCw " +
		"Qf6Bv6iP0sYSI14rza0C5RB4LKJbeJw9X114eB9gUtAh_NOKQcpAPMlQgHNIZ8xmEbQSmPdgydAcDiYePe74Cw"
	if got := l.Sign(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)), day); got.Decided.Signed != signed {
		t.Errorf("signed %s\ncovers %s\n       %s", got.Decided.Signed, l.words(0), l.whole(0))
	}
	l.Decided.Signed = signed
	if s, valid := l.Signature(); !valid || !s.Whole || !s.At.Equal(day.Truncate(time.Second)) {
		t.Errorf("%+v %v", s, valid)
	}
}
