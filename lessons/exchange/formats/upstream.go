package formats

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os/exec"
	"strings"

	"learnings/lessons"
)

// blobs maps the paths of files to their git object names in a commit.
type blobs struct {
	names   map[string]string
	authors map[string]string // who committed each file last
}

func (b blobs) author(name string) string { return b.authors[name] }

// upstream returns a team's lessons in the remote's default branch as last fetched, which
// is what somebody has merged. It is empty if that is unknown.
func upstream(ctx context.Context, top string) blobs {
	out := blobs{map[string]string{}, map[string]string{}}
	for _, ref := range []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master"} {
		// Run no hook and no program from the repository's settings.
		cmd := exec.CommandContext(ctx, "git", "-C", top, "-c", "core.fsmonitor=false", "--no-optional-locks", "ls-tree", "-r", "-z", ref, "--", teamFolder+"/")
		text, err := cmd.Output()
		if err != nil {
			continue
		}
		for entry := range strings.SplitSeq(string(text), "\x00") {
			about, name, ok := strings.Cut(entry, "\t")
			if fields := strings.Fields(about); ok && len(fields) == 3 {
				out.names[name] = fields[2]
			}
		}
		out.read(ctx, top, ref)
		break
	}
	return out
}

// read fills in the authors: the newest commit comes first.
func (b blobs) read(ctx context.Context, top, ref string) {
	cmd := exec.CommandContext(ctx, "git", "-C", top, "-c", "core.fsmonitor=false", "--no-optional-locks", "log", "--format=%x00%x00%an", "--name-only", "-z", ref, "--", teamFolder+"/")
	text, _ := cmd.Output() // without it nobody is named
	for commit := range strings.SplitSeq(string(text), "\x00\x00") {
		author, files, _ := strings.Cut(commit, "\x00")
		for name := range strings.SplitSeq(files, "\x00") {
			if name = strings.TrimSpace(name); b.names[name] != "" && b.authors[name] == "" {
				b.authors[name] = lessons.Line(author)
			}
		}
	}
}

// has reports whether the commit has the same file.
func (b blobs) has(name string, text []byte) bool {
	want, ok := b.names[name]
	if !ok {
		return false
	}
	for _, t := range [][]byte{text, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))} {
		blob := append(fmt.Appendf(nil, "blob %d\x00", len(t)), t...)
		one, two := sha1.Sum(blob), sha256.Sum256(blob)
		if want == hex.EncodeToString(one[:]) || want == hex.EncodeToString(two[:]) {
			return true
		}
	}
	return false
}
