package gitsync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/lazy"
	"learnings/lessons/store"
)

// This file lets no secret out. What a push would send is every content and
// every message of every commit that the remote has not: also what a later commit
// has taken out again, for git sends that too.

// A Finding is a secret, or what looks like one, in what would be sent.
type Finding struct {
	Path string     `json:"path"`           // or "commit" and its name, for a commit's message
	Line int        `json:"line,omitempty"` // 0 when it is not known
	Rule string     `json:"rule"`
	ID   lessons.ID `json:"id,omitempty"`
	Past bool       `json:"past,omitempty"` // not in the corpus any more, but in a commit of before
}

func (f Finding) String() string {
	s := lessons.Line(f.Path)
	if f.Line > 0 {
		s += fmt.Sprintf(":%d", f.Line)
	}
	if f.ID != "" {
		s += " (" + string(f.ID) + ")"
	}
	s += ": " + f.Rule
	if f.Past {
		s += " (in an earlier commit)"
	}
	return s
}

// A SecretError is a push that was not made.
type SecretError struct{ Findings []Finding }

func (e *SecretError) Error() string {
	var b strings.Builder
	n := len(e.Findings)
	fmt.Fprintf(&b, "nothing was sent: %d secret%s found in what the remote has not yet", n, map[bool]string{true: "", false: "s"}[n == 1])
	for _, f := range e.Findings[:min(n, 20)] {
		b.WriteString("\n" + f.String())
	}
	if n > 20 {
		fmt.Fprintf(&b, "\nand %d more", n-20)
	}
	return b.String()
}

// push sends what the remote has not.
func (c *Copy) push(ctx context.Context, w Wish, rep *Report, now *present, remote, theirs string) error {
	if now.head == theirs {
		return c.met(ctx, remote, now.head)
	}
	if err := c.clean(ctx, w, rep, now, theirs); err != nil {
		return err
	}
	if now.head == theirs {
		return c.met(ctx, remote, now.head)
	}
	n, err := c.countBetween(ctx, theirs, now.head)
	if err != nil {
		return err
	}
	out, err := c.network(ctx, "push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no", "--", remote, now.head+":refs/heads/"+c.branch)
	if f := (*failure)(nil); errors.As(err, &f) {
		if late().MatchString(out) || late().MatchString(f.stderr) {
			return errMoved
		}
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "!") { // git says why here, and only that something failed on standard error
				f.stderr = f.stderr + "\n" + strings.TrimSpace(line[1:])
			}
		}
		return c.blame(f, remote)
	}
	if err != nil {
		return err
	}
	rep.Pushed += n
	return c.met(ctx, remote, now.head)
}

// late is what git says of a push that another was faster than.
var late = lazy.Regexp(`fetch first|non-fast-forward|cannot lock ref|incorrect old value|failed to update ref|remote ref updated since`)

// met writes down where the copies met.
func (c *Copy) met(ctx context.Context, remote, at string) error {
	ctx = context.WithoutCancel(ctx)
	for _, ref := range []string{refRemote, "refs/remotes/" + remote + "/" + c.branch} {
		if _, err := c.git(ctx, "update-ref", ref, at); err != nil {
			return err
		}
	}
	for key, value := range map[string]string{"remote": remote, "merge": "refs/heads/" + c.branch} {
		key = "branch." + c.branch + "." + key
		if old, err := c.line(ctx, "config", "--get", key); err != nil || old != "" {
			continue
		}
		if _, err := c.git(ctx, "config", key, value); err != nil {
			return err
		}
	}
	return nil
}

func (c *Copy) countBetween(ctx context.Context, from, to string) (int, error) {
	args := []string{"rev-list", "--count", to}
	if from != "" {
		args = append(args, "^"+from)
	}
	out, err := c.line(ctx, args...)
	if err != nil {
		return 0, err
	}
	var n int
	_, err = fmt.Sscan(out, &n)
	return n, err
}

// clean looks through what would be sent, and takes out of it what may not be.
func (c *Copy) clean(ctx context.Context, w Wish, rep *Report, now *present, theirs string) error {
	forgot, err := c.forgotUnsent(ctx, now, theirs)
	if err != nil {
		return err
	}
	if forgot {
		if err := c.squash(ctx, rep, now, theirs); err != nil {
			return err
		}
	}
	if now.head == theirs || c.o.Redactor == nil {
		return nil
	}
	r, err := c.o.Redactor()
	if err != nil {
		return err
	}
	found, err := c.search(ctx, r, now, theirs)
	if err != nil || len(found) == 0 {
		return err
	}
	if !w.Redact {
		return &SecretError{found}
	}
	if err := c.redact(ctx, r, found, rep, now); err != nil {
		return err
	}
	if err := c.squash(ctx, rep, now, theirs); err != nil {
		return err
	}
	if found, err = c.search(ctx, r, now, theirs); err == nil && len(found) > 0 {
		err = &SecretError{found}
	}
	return err
}

// forgotUnsent reports a lesson that was forgotten before it was ever sent: the
// commits in between still have its words.
func (c *Copy) forgotUnsent(ctx context.Context, now *present, theirs string) (bool, error) {
	old := tree{}
	if theirs != "" {
		var err error
		if old, err = c.treeOf(ctx, theirs); err != nil {
			return false, err
		}
	}
	if old[goneFile] == now.tree[goneFile] {
		return false, nil
	}
	n, err := c.countBetween(ctx, theirs, now.head)
	return n > 1, err
}

// squash makes one commit of all that was not sent. The old ones stay in this
// repository until git collects them, and go nowhere.
func (c *Copy) squash(ctx context.Context, rep *Report, now *present, theirs string) error {
	was, err := c.treeOf(ctx, theirs)
	if err != nil {
		return err
	}
	if err := c.load(ctx, was); err != nil {
		return err
	}
	var parents []string
	if theirs != "" {
		parents = append(parents, theirs)
	}
	commit := theirs
	if theirs == "" || !sameTree(was, now.tree) {
		t := tallyOf(sortOut(was, c.texts, c.known), now.side)
		if commit, err = c.commit(ctx, message(t, now.tree, was), was, now.tree, c.texts, parents...); err != nil {
			return err
		}
	}
	if _, err := c.git(ctx, "update-ref", "-m", "learnings sync: one commit of what was not sent", "refs/heads/"+c.branch, commit, now.head); err != nil {
		return err
	}
	now.head, rep.Squashed = commit, true
	return nil
}

func sameTree(a, b tree) bool {
	if len(a) != len(b) {
		return false
	}
	for p, o := range a {
		if b[p] != o {
			return false
		}
	}
	return true
}

// search looks for secrets in what theirs lacks of the present.
func (c *Copy) search(ctx context.Context, r Redactor, now *present, theirs string) ([]Finding, error) {
	args := []string{"rev-list", "--objects", now.head}
	if theirs != "" {
		args = append(args, "^"+theirs)
	}
	out, err := c.git(ctx, args...)
	if err != nil {
		return nil, err
	}
	var names, paths []string
	for line := range strings.Lines(out) {
		name, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		names, paths = append(names, name), append(paths, path)
	}
	type piece struct {
		path, name string
		text       []byte
	}
	work := make(chan piece, 64)
	var mu sync.Mutex
	var found []Finding
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range work {
				if f, bad := look(r, p.path, p.text); bad {
					f.Past = now.tree[p.path].name != p.name && !strings.HasPrefix(p.path, "commit ")
					mu.Lock()
					found = append(found, f)
					mu.Unlock()
				}
			}
		})
	}
	err = c.read(ctx, names, func(i int, kind string, text []byte, err error) error {
		switch {
		case kind == "tree" || kind == "tag":
		case err != nil:
			return problem(fmt.Sprintf("take it out of the repository: lessons are small, and %d MB is the most that is searched for secrets", maxBlob>>20),
				"%s: %v", lessons.Line(paths[i]), err)
		case kind == "commit":
			_, message, _ := bytes.Cut(text, []byte("\n\n"))
			work <- piece{fmt.Sprintf("commit %.12s", names[i]), names[i], message}
		default:
			work <- piece{paths[i], names[i], text}
		}
		return nil
	})
	close(work)
	wg.Wait()
	slices.SortFunc(found, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	return found, err
}

// look searches one text. What of a lesson was redacted when it was taken in is
// searched as it was then: its paths and ids are no secrets, and look like some.
func look(r Redactor, name string, text []byte) (Finding, bool) {
	f := Finding{Path: name}
	if file.Is(name) {
		if l, err := file.DecodeAt(name, text, ""); err == nil {
			f.ID = l.ID
			is, clean := words(l), words(redacted(r, l))
			for i, s := range is {
				if s != clean[i] {
					f.Line, f.Rule = lineOf(text, s, clean[i]), ruleOf(s, clean[i])
					f.Path = withoutWords(name)
					return f, true
				}
			}
			return f, false
		}
	}
	is := strings.ToValidUTF8(string(text), "\ufffd")
	clean := r.Redact(is)
	if is == clean {
		return f, false
	}
	f.Line, f.Rule = 1+strings.Count(is[:common(is, clean)], "\n"), ruleOf(is, clean)
	return f, true
}

// withoutWords is the path of a lesson's file without the words of its content:
// the secret may be one of them.
func withoutWords(p string) string {
	name := path.Base(p)
	stamp, _, _ := strings.Cut(strings.TrimSuffix(name, ".md"), "-")
	if len(stamp) != 14 || strings.Trim(stamp, "0123456789") != "" {
		stamp = ""
	}
	return path.Dir(p) + "/" + stamp + "….md"
}

// redacted is a lesson without secrets in any text that a person or a tool
// could have put there.
func redacted(r Redactor, l lessons.Lesson) lessons.Lesson {
	l = r.Lesson(l)
	l.Decided.Reason = r.Redact(l.Decided.Reason)
	l.Extra = slices.Clone(l.Extra)
	for i := range l.Extra {
		l.Extra[i].Value = r.Redact(l.Extra[i].Value)
	}
	return l
}

// words are the texts of a lesson that are redacted.
func words(l lessons.Lesson) []string {
	out := []string{l.Content, l.Insight, l.Example, l.Origin.Rule, l.Decided.Reason}
	out = append(append(out, l.Tags...), l.Triggers...)
	for _, e := range l.Evidence {
		out = append(append(append(out, e.Quote), e.Before...), e.After...)
	}
	for _, f := range l.Extra {
		out = append(out, f.Value)
	}
	return out
}

// common is how far two texts are the same, in bytes.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

var redactionMark = lazy.Regexp(`\[REDACTED:([^\]]*)\]`)

// ruleOf is the name of the first rule that took something out.
func ruleOf(is, clean string) string {
	at := max(common(is, clean)-len("[REDACTED:"), 0)
	if m := redactionMark().FindStringSubmatch(clean[at:]); m != nil {
		return m[1]
	}
	return "secret"
}

// lineOf is where in a file the secret begins that makes is differ from clean;
// 0 where escapes hide it.
func lineOf(text []byte, is, clean string) int {
	at := common(is, clean)
	piece := is[at:min(at+12, len(is))]
	if i := strings.IndexAny(piece, "\n\"\\"); i >= 0 {
		piece = piece[:i]
	}
	if i := bytes.Index(text, []byte(piece)); len(piece) > 3 && i >= 0 {
		return 1 + bytes.Count(text[:i], []byte("\n"))
	}
	return 0
}

// redact takes secrets out of the lessons of the corpus that have any.
func (c *Copy) redact(ctx context.Context, r Redactor, found []Finding, rep *Report, now *present) error {
	var ls []lessons.Lesson
	for _, f := range found {
		d := now.side.docs[f.ID]
		if f.ID == "" || f.Past || d == nil {
			continue
		}
		l, err := c.o.Store.Get(f.ID)
		if err != nil {
			return err
		}
		ls = append(ls, redacted(r, l))
	}
	if len(ls) > 0 {
		if _, err := c.o.Store.Put(store.Write{Op: lessons.OpRedact, By: c.o.By}, ls...); err != nil {
			return err
		}
	}
	next, err := c.settle(ctx, Wish{Removal: true}, rep)
	if err == nil {
		*now = *next
	}
	return err
}
