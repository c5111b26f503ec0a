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
)

// blobs maps the paths of files to their git object names in a commit.
type blobs map[string]string

// upstream returns a team's lessons in the remote's default branch as last fetched, which
// is what somebody has merged. It is empty if that is unknown.
func upstream(ctx context.Context, top string) blobs {
	out := blobs{}
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
				out[name] = fields[2]
			}
		}
		break
	}
	return out
}

// has reports whether the commit has the same file.
func (b blobs) has(name string, text []byte) bool {
	want, ok := b[name]
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
