package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// The words of a hundred proposals, no two of which share most.
var (
	deeds    = strings.Fields("Rotate Archive Rename Encrypt Measure Simulate Throttle Translate Paginate Freeze Compress")
	subjects = []string{"database migrations", "retry loops", "verbose logs", "feature flags", "shell scripts", "release notes", "mock servers", "git hooks", "cache keys", "time zones",
		"wrapped errors", "table names", "thumbnails", "web fonts", "lock files", "symlinks", "environment variables", "slow requests", "json numbers"}
	whys = []string{"before tagging", "because Windows hides it", "whenever Ada asks", "unless CI is red", "after lunch deploys", "for auditors only", "since disks fill up", "while tests sleep",
		"until budget ends", "as legal demands", "if customers complain", "on mondays", "through the proxy"}
)

// waitingFor returns n different proposals, and duplicates of the last ones.
func waitingFor(n, twice int) []lessons.Lesson {
	var ls []lessons.Lesson
	add := func(i int, content string) {
		l := proposals()[0]
		l.ID = lessons.ID(fmt.Sprintf("q%07d", len(ls)))
		l.Created = noon.Add(-time.Duration(len(ls)+1) * time.Minute)
		l.Content = content
		l.Evidence[0].Line, l.Evidence[0].At, l.Evidence[0].Quote = len(ls)+1, l.Created, "no, do it otherwise, case "+fmt.Sprint(len(ls))
		ls = append(ls, l)
	}
	for i := range n {
		add(i, fmt.Sprintf("%s %s %s", deeds[i%len(deeds)], subjects[i%len(subjects)], whys[i%len(whys)]))
	}
	for i := n - twice; i < n; i++ {
		add(i, ls[i].Content+"!")
	}
	return ls
}

// A hundred typical decisions: 45 approved, of them 10 with another confidence and 3 with
// another sentence, 40 rejected, of them 6 for a reason of their own, 5 merges and 10
// snoozes. The test counts keys without the letters of a sentence.
func TestAHundredDecisions(t *testing.T) {
	const decisions = 100
	c := newCorpus(t, waitingFor(100, 5)...)
	p := playing(t, fxOn(c), 120, 40)
	keys := 0
	press := func(some ...string) {
		t.Helper()
		before := p.a.review.Waiting().All()
		keys += len(some)
		p.press(some...)
		if after := p.a.review.Waiting().All(); after >= before {
			t.Fatalf("%v decided nothing:\n%s", some, p.text())
		}
	}
	for range 32 { // right as they are
		press("a")
	}
	for range 10 { // right, but less sure
		press("-", "a")
	}
	for range 3 { // badly worded
		p.press("i").typed(" first")
		keys++
		press("ctrl+a")
	}
	for range 34 { // not a rule, with the last reason
		press("x")
	}
	for range 10 { // snoozed until tomorrow
		press("s")
	}
	for i := range 6 { // for a reason of its own
		press("r", []string{"t", "k", "v"}[i%3])
	}
	p.press("T").wants(t, "the lane of duplicates", "duplicates 5", "two say the same", "1/5")
	keys++
	for range 5 { // two say the same
		press("a")
	}
	n := map[lessons.Status]int{}
	for _, l := range c.all() {
		n[l.Status]++
	}
	if n[lessons.Approved] != 50 || n[lessons.Rejected] != 40 || n[lessons.Merged] != 5 {
		t.Errorf("came to %v", n)
	}
	t.Logf("%d keys for %d decisions", keys, decisions)
	if most := decisions * 12 / 10; keys > most {
		t.Errorf("%d keys, want %d at most", keys, most)
	}
}
