package gitsync

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A Redactor removes secrets from text, or from a whole lesson. said are the texts that
// the lesson was made from; none here.
type Redactor interface {
	Redact(string) string
	Lesson(l lessons.Lesson, said ...string) lessons.Lesson
}

// A Finding is a secret, or what looks like one, in what a push would send.
type Finding struct {
	Path string     `json:"path"`           // or "commit" and its name, for a commit's message
	Line int        `json:"line,omitempty"` // from 1; 0 when it is not known
	Rule string     `json:"rule"`
	ID   lessons.ID `json:"id,omitempty"`
	Past bool       `json:"past,omitempty"` // no longer in the corpus, but in an earlier commit
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

// A SecretError is a push that was refused for the secrets in it.
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

// findSecrets searches everything that a push of head would send to a remote at theirs:
// all contents and messages of the missing commits, including what later commits removed,
// because git sends that too. tree is head's. clean are the lessons without a finding.
func findSecrets(ctx context.Context, git *repo, r Redactor, head string, tree fileTree, theirs string) (found []Finding, clean []lessons.Lesson, err error) {
	out, err := git.git(ctx, append([]string{"rev-list", "--objects"}, since(theirs, head)...)...)
	if err != nil {
		return nil, nil, err
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
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range work {
				f, bad := inspect(r, p.path, p.text)
				if l, err := file.DecodeAt(p.path, p.text, ""); !bad && f.ID != "" && err == nil {
					mu.Lock()
					clean = append(clean, l)
					mu.Unlock()
				}
				if bad {
					f.Past = tree[p.path].Name != p.name && !strings.HasPrefix(p.path, "commit ")
					mu.Lock()
					found = append(found, f)
					mu.Unlock()
				}
			}
		})
	}
	err = git.read(ctx, names, func(i int, kind string, text []byte, err error) error {
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
	slices.SortFunc(clean, func(a, b lessons.Lesson) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return found, clean, err
}

// inspect searches one text. Of a lesson it searches what is redacted when a lesson
// is extracted: paths and ids are not secrets, although they look like some.
func inspect(r Redactor, name string, text []byte) (Finding, bool) {
	f := Finding{Path: name}
	if file.Is(name) {
		if l, err := file.DecodeAt(name, text, ""); err == nil {
			f.ID = l.ID
			safe := r.Lesson(l)
			is, clean := texts(l), texts(safe)
			for i, s := range is {
				if s != clean[i] {
					f.Line, f.Rule = lineOf(text, s, clean[i]), ruleOf(s, clean[i])
					f.Path = withoutWords(name)
					return f, true
				}
			}
			kept := slices.Concat(safe.Tags, safe.Triggers, safe.Origin.Unsaid)
			for _, w := range slices.Concat(l.Tags, l.Triggers, l.Origin.Unsaid) {
				if !slices.Contains(kept, w) {
					f.Line, f.Rule = lineOf(text, w, ""), "trigger"
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

// withoutWords returns the path of a lesson's file without the words of its content:
// the secret may be among them.
func withoutWords(p string) string {
	name := path.Base(p)
	stamp, _, _ := strings.Cut(strings.TrimSuffix(name, ".md"), "-")
	if len(stamp) != 14 || strings.Trim(stamp, "0123456789") != "" {
		stamp = ""
	}
	return path.Dir(p) + "/" + stamp + "….md"
}

// texts returns the texts of a lesson in which a [Redactor] puts marks.
func texts(l lessons.Lesson) []string {
	out := []string{l.Content, l.Insight, l.Example, l.Origin.Rule, l.Decided.Reason, l.Origin.Stands, l.Origin.Against, l.Origin.Advice, l.Offer.Content, l.Offer.Insight, l.Offer.Example}
	for _, e := range l.Evidence {
		out = append(append(append(out, e.Quote, e.Author, e.Link), e.Before...), e.After...)
	}
	for _, f := range l.Extra {
		out = append(out, f.Value)
	}
	return out
}

// common returns the length of the common prefix of two texts, in bytes.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

var redactionMark = lessons.LazyRegexp(`\[REDACTED:([^\]]*)\]`)

// ruleOf returns the name of the first rule that took something out.
func ruleOf(is, clean string) string {
	at := max(common(is, clean)-len("[REDACTED:"), 0)
	if m := redactionMark().FindStringSubmatch(clean[at:]); m != nil {
		return m[1]
	}
	return "secret"
}

// lineOf returns the line of a file on which the secret begins that makes is differ
// from clean, 0 where escapes hide it.
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
