package gitsync

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A tree is what a commit holds: each file's path, mode and name of its content.
type tree map[string]object

// An object is a file as git keeps it. The zero object is no file.
type object struct {
	mode string // 100644, 100755; 120000 for a symlink, 160000 for a repository
	name string
}

const plainFile = "100644"

func (o object) plain() bool { return o.mode == plainFile || o.mode == "100755" }

// treeOf lists a commit; "" is the empty one.
func (c *Copy) treeOf(ctx context.Context, commit string) (tree, error) {
	t := tree{}
	if commit == "" {
		return t, nil
	}
	out, err := c.git(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	for rec := range strings.SplitSeq(out, "\x00") {
		head, path, ok := strings.Cut(rec, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 3 {
			continue
		}
		t[path] = object{words[0], words[2]}
	}
	return t, nil
}

// maxBlob is the most bytes of a file that are looked at: four times what a
// lesson may have.
const maxBlob = 4 << 20

var errLarge = errors.New("the file is too large to be looked at")

// read gives fn the content of each object, in order.
func (c *Copy) read(ctx context.Context, names []string, fn func(i int, kind string, text []byte, err error) error) error {
	if len(names) == 0 {
		return nil
	}
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := c.stream(ctx, localTime, strings.NewReader(strings.Join(names, "\n")+"\n"), w, "cat-file", "--batch")
		w.CloseWithError(err)
		done <- err
	}()
	err := readBatch(bufio.NewReaderSize(r, 256<<10), len(names), fn)
	r.CloseWithError(errors.Join(err, io.ErrClosedPipe))
	if gitErr := <-done; err == nil && gitErr != nil {
		return gitErr
	}
	return err
}

// readBatch reads what git cat-file --batch answers.
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

// nameOf is git's name for a content.
func (c *Copy) nameOf(text []byte) string {
	head := fmt.Appendf(nil, "blob %d\x00", len(text))
	if c.sha256 {
		sum := sha256.Sum256(append(head, text...))
		return hex.EncodeToString(sum[:])
	}
	h := sha1.New()
	h.Write(head)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// commit makes a commit out of changes to the tree of its first parent, or to
// nothing, and gives its name. No branch points to it yet.
func (c *Copy) commit(ctx context.Context, message string, was, is tree, texts map[string][]byte, parents ...string) (string, error) {
	var b bytes.Buffer
	who, err := c.identity(ctx)
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
		if text, ours := texts[o.name]; ours {
			fmt.Fprintf(&b, "M %s inline %s\ndata %d\n%s\n", o.mode, quoted(path), len(text), text)
		} else {
			fmt.Fprintf(&b, "M %s %s %s\n", o.mode, o.name, quoted(path))
		}
	}
	b.WriteString("get-mark :1\ndone\n")
	out, err := c.feed(ctx, localTime, &b, "fast-import", "--quiet", "--force", "--date-format=raw")
	if err != nil {
		return "", fmt.Errorf("committing: %w", err)
	}
	return strings.TrimSpace(out), nil
}

// quoted is a path as fast-import wants it.
func quoted(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch ch := path[i]; {
		case ch == '"' || ch == '\\':
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch < ' ' || ch >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, ch)
		default:
			b.WriteByte(ch)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// identity is who commits: whom git is told to be, or for want of that this
// program on this machine, for this commit only.
func (c *Copy) identity(ctx context.Context) (string, error) {
	out, err := c.git(ctx, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
	if f := (*failure)(nil); errors.As(err, &f) {
		now := c.o.Now()
		_, offset := now.Zone()
		return fmt.Sprintf("%s %d %s", fallbackIdentity, now.Unix(), zone(offset)), nil
	}
	return strings.TrimSpace(out), err
}

const fallbackIdentity = "learnings <learnings@localhost>"

func zone(offset int) string {
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	d := time.Duration(offset) * time.Second
	return fmt.Sprintf("%c%02d%02d", sign, int(d.Hours()), int(d.Minutes())%60)
}
