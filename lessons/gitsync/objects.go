package gitsync

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons/file"
)

// treeOf lists the files of a commit; "" is the commit before the first.
func (r *repo) treeOf(ctx context.Context, commit string) (fileTree, error) {
	t := fileTree{}
	if commit == "" {
		return t, nil
	}
	out, err := r.git(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	for rec := range strings.SplitSeq(out, "\x00") {
		head, path, ok := strings.Cut(rec, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 3 {
			continue
		}
		t[path] = object{Mode: words[0], Name: words[2]}
	}
	return t, nil
}

// maxBlob is the size of the largest file that is looked at, in bytes: four times
// that of a lesson.
const maxBlob = 4 * file.MaxSize

var errLarge = errors.New("the file is too large to be looked at")

// read calls fn with the content of each object, in order. The content is missing,
// and err is errLarge, for one of more than maxBlob bytes.
func (r *repo) read(ctx context.Context, names []string, fn func(i int, kind string, text []byte, err error) error) error {
	if len(names) == 0 {
		return nil
	}
	pr, pw := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := r.stream(ctx, strings.NewReader(strings.Join(names, "\n")+"\n"), pw, "cat-file", "--batch")
		pw.CloseWithError(err)
		done <- err
	}()
	err := readBatch(bufio.NewReaderSize(pr, 256<<10), len(names), fn)
	pr.CloseWithError(errors.Join(err, io.ErrClosedPipe))
	if gitErr := <-done; err == nil && gitErr != nil {
		return gitErr
	}
	return err
}

// readBatch reads the output of git cat-file --batch for n objects.
func readBatch(r *bufio.Reader, n int, fn func(i int, kind string, text []byte, err error) error) error {
	for i := range n {
		head, err := r.ReadString('\n')
		if err != nil {
			return fmt.Errorf("reading what git holds: %w", err)
		}
		words := strings.Fields(head)
		if len(words) != 3 {
			return fmt.Errorf("reading what git holds: it answers %q", strings.TrimSpace(head))
		}
		size, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil || size < 0 {
			return fmt.Errorf("reading what git holds: it answers %q", strings.TrimSpace(head))
		}
		var text []byte
		bad := error(nil)
		if size > maxBlob {
			bad = errLarge
			_, err = io.CopyN(io.Discard, r, size+1)
		} else {
			text = make([]byte, size+1)
			_, err = io.ReadFull(r, text)
			text = text[:size]
		}
		if err != nil {
			return fmt.Errorf("reading what git holds: %w", err)
		}
		if err := fn(i, words[1], text, bad); err != nil {
			return err
		}
	}
	return nil
}

// refNext is a ref of our own: the commit that was made last, which it keeps from
// being collected.
const refNext = "refs/learnings/next"

// commit makes a commit that changes the tree of its first parent, or an empty
// one, from was to is, and gives its name. No branch points to it yet.
func (r *repo) commit(ctx context.Context, message string, was, is fileTree, blobs *blobs, parents ...string) (string, error) {
	var b bytes.Buffer
	who, err := r.identity(ctx)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "feature done\ncommit %s\nmark :1\ncommitter %s\ndata %d\n%s\n", refNext, who, len(message), message)
	for i, p := range parents {
		b.WriteString([]string{"from ", "merge "}[min(i, 1)] + p + "\n")
	}
	for _, path := range slices.Sorted(maps.Keys(was)) {
		if _, stays := is[path]; !stays {
			fmt.Fprintf(&b, "D %s\n", quoted(path))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(is)) {
		o := is[path]
		if was[path] == o {
			continue
		}
		if text, ours := blobs.Text(o.Name); ours {
			fmt.Fprintf(&b, "M %s inline %s\ndata %d\n%s\n", o.Mode, quoted(path), len(text), text)
		} else {
			fmt.Fprintf(&b, "M %s %s %s\n", o.Mode, o.Name, quoted(path))
		}
	}
	b.WriteString("get-mark :1\ndone\n")
	out, err := r.feed(ctx, &b, "fast-import", "--quiet", "--force", "--date-format=raw")
	if err != nil {
		return "", fmt.Errorf("committing: %w", err)
	}
	return strings.TrimSpace(out), nil
}

// quoted is a path as fast-import wants it.
func quoted(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(path) {
		if c == '"' || c == '\\' || c < ' ' || c >= 0x7f {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

const fallbackIdentity = "learnings <learnings@localhost>"

// identity returns the committer: the one git is configured with, or else this
// program.
func (r *repo) identity(ctx context.Context) (string, error) {
	out, err := r.git(ctx, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
	if f := (*failure)(nil); errors.As(err, &f) {
		now := r.now()
		return fmt.Sprintf(fallbackIdentity+" %d %s", now.Unix(), now.Format("-0700")), nil
	}
	return strings.TrimSpace(out), err
}

// commitAt returns the commit that a ref points to, "" when there is no such ref.
func (r *repo) commitAt(ctx context.Context, ref string) (string, error) {
	return r.line(ctx, "rev-parse", "-q", "--verify", ref+"^{commit}")
}

// ancestor reports whether a is b, or came before it.
func (r *repo) ancestor(ctx context.Context, a, b string) (bool, error) {
	_, err := r.git(ctx, "merge-base", "--is-ancestor", a, b)
	if f := (*failure)(nil); errors.As(err, &f) && f.code == 1 {
		return false, nil
	}
	return err == nil, err
}

// since returns the arguments that select the commits that to has and from lacks; ""
// has none.
func since(from, to string) []string {
	if from == "" {
		return []string{to}
	}
	return []string{to, "^" + from}
}

// countBetween counts the commits that to has and from lacks.
func (r *repo) countBetween(ctx context.Context, from, to string) (int, error) {
	out, err := r.line(ctx, append([]string{"rev-list", "--count"}, since(from, to)...)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out)
}
