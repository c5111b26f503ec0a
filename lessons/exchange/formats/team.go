package formats

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

const (
	teamFolder = ".learnings"
	maxShared  = 256 << 10 // bytes of a file
	mostShared = 5000      // files
)

// A team keeps shared lessons in the repository that they are about: one file each, in a
// folder .learnings, made for review as a pull request. A path may also be the folder above
// it. What belongs to one machine or person stays out: paths, sessions, what was said,
// outcomes.
//
// Everybody who can write to the repository can write there, under any name. What is read
// is a proposal; it counts as approved by somebody only if the file is the same in the
// remote's default branch.
type team struct {
	Project  func(dir string) string // returns the project of a folder
	Evidence bool                    // also write what was said
	Share    []lessons.ID            // written even if they hold everywhere or others wrote the file
}

// teamPlace returns where the team of a folder's project keeps its lessons, or would.
func teamPlace(dir, home string) string {
	top := dir
	for at := dir; filepath.IsAbs(at) && at != home && at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Lstat(filepath.Join(at, teamFolder)); err == nil && info.IsDir() {
			return filepath.Join(at, teamFolder)
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			top = at
			break
		}
	}
	return filepath.Join(top, teamFolder)
}

// top returns the folder that contains the one with the lessons.
func top(name string) string {
	if filepath.Base(name) == teamFolder {
		return filepath.Dir(name)
	}
	return name
}

func (f team) project(top string) string {
	if f.Project != nil {
		return f.Project(top)
	}
	return filepath.Base(top)
}

// Detect reports whether path is a folder of a team's lessons, or has one.
func (team) Detect(name string) bool {
	info, err := os.Lstat(filepath.Join(top(name), teamFolder))
	return err == nil && info.IsDir()
}

// A shared is one file of the folder.
type shared struct {
	path   string // within the top, slash-separated
	text   []byte
	lesson lessons.Lesson
	err    error
}

// each reads the files of the folder. It follows no link out of the folder above it.
func each(name string, visit func(shared)) error {
	root, err := os.OpenRoot(top(name))
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), teamFolder)
	if err != nil {
		return err
	}
	n := 0
	for _, e := range entries {
		if path.Ext(e.Name()) != ".md" || strings.EqualFold(e.Name(), "README.md") {
			continue
		}
		if n++; n > mostShared {
			visit(shared{path: teamFolder, err: fmt.Errorf("only its first %d files were read", mostShared)})
			break
		}
		s := shared{path: path.Join(teamFolder, e.Name())}
		if s.text, s.err = exchange.ReadIn(root, s.path, maxShared); s.err == nil {
			s.lesson, s.err = file.Decode(s.text)
		}
		visit(s)
	}
	return nil
}

// Read returns the lessons of a team. A lesson keeps its id, so that it is the same for
// everybody, but gets the project of the folder it is in.
func (f team) Read(ctx context.Context, name string) (exchange.Found, error) {
	var found exchange.Found
	merged := upstream(ctx, top(name))
	err := each(name, func(s shared) {
		if s.err != nil {
			found.Unread = append(found.Unread, exchange.Unread{Path: s.path, Err: s.err})
			return
		}
		d := s.lesson
		l := lessons.Lesson{
			ID: d.ID, Status: lessons.Pending, Category: d.Category, Wording: d.Wording, Tags: d.Tags, Triggers: d.Triggers,
			Scope: lessons.Scope{Project: f.project(top(name)), Role: d.Scope.Role}, Limit: d.Limit, Confidence: d.Confidence, Created: d.Created,
			Origin: lessons.Origin{Extractor: exchange.By(Team), Rule: "the team has it"},
		}
		if by := merged.author(s.path); by != "" {
			l.Origin.Rule = "shared by " + by
		}
		full := filepath.Join(top(name), filepath.FromSlash(s.path))
		l.Evidence = []lessons.Evidence{{Agent: Team, Path: full, Line: 1, By: lessons.ByAgent, Author: merged.author(s.path), From: "import", At: d.Decided.At, Quote: d.Content}}
		d.Decided.By = cmp.Or(merged.author(s.path), "somebody") // a name in the file proves nothing
		e := exchange.Entry{Lesson: l, Key: string(d.ID), Place: s.path, Active: true}
		if d.Status == lessons.Approved && merged.has(s.path, s.text) {
			e.Approved = lessons.Approval{By: d.Decided.By, At: d.Decided.At, Reason: d.Decided.Reason}
			if _, valid := d.Signature(); valid {
				e.Approved.Signed = d.Decided.Signed
			}
		}
		found.Entries = append(found.Entries, e)
	})
	if err != nil {
		return found, fmt.Errorf("%s %w: %w", name, exchange.ErrFormat, err)
	}
	return found, ctx.Err()
}

// Lacks lists what stays out of a repository.
func (f team) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(len(l.Evidence) > 0 && !f.Evidence, "its evidence")
	return w
}

// Plan writes a file for each approved lesson of the project, and removes the files it
// wrote for lessons that are no longer approved. What others wrote, or changed since,
// stays, unless the lesson is to be shared now.
func (f team) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	above := top(to.Path)
	if info, err := os.Lstat(filepath.Join(above, teamFolder)); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s %w: it is no folder", filepath.Join(above, teamFolder), exchange.ErrFormat)
	}
	there := map[lessons.ID]shared{}
	err := each(above, func(s shared) {
		if s.err == nil {
			there[s.lesson.ID] = s
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %w: %w", to.Path, exchange.ErrFormat, err)
	}
	p := exchange.NewPlan(to, f, nil)
	project := f.project(above)
	for _, l := range ls {
		s, has := there[l.ID]
		w, ours := to.Ledger.Of(l.ID)
		asked := slices.Contains(f.Share, l.ID)
		switch {
		case l.Status != lessons.Approved || l.Limit.Over(to.Now):
			if ours && has && string(s.text) == w.Text {
				if err := f.put(p, above, s, nil); err != nil {
					return nil, err
				}
			}
			if ours {
				p.Note(l.ID, nil)
			}
		case l.Outside:
		case !asked && !ours && (l.Scope.Global || l.Scope.Project != project || l.Origin.Extractor == exchange.By(Team)):
			// It is of another project, holds everywhere, or is the team's.
		case has && !asked && (!ours || string(s.text) != w.Text):
			p.Lose(l.ID, "what is new: somebody else wrote "+s.path)
		case slices.ContainsFunc(lessons.Dangers(l), func(d lessons.Danger) bool { return d.Hazard == lessons.SecretShape }):
			p.Lose(l.ID, "all of it: it holds what looks like a secret")
		default:
			text, err := file.Encode(f.public(l))
			if err != nil {
				return nil, err
			}
			if !has {
				s.path = path.Join(teamFolder, exchange.Slug(l.Content)+"-"+string(l.ID)+".md")
			}
			if err := f.put(p, above, s, text); err != nil {
				return nil, err
			}
			p.Wrote(l, s.path, string(text))
		}
	}
	return p, nil
}

// put plans one file. Git keeps its history, so no copy is made.
func (f team) put(p *exchange.Plan, above string, s shared, text []byte) error {
	full := filepath.Join(above, filepath.FromSlash(s.path))
	if info, err := os.Lstat(full); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s %w: it is no regular file", full, exchange.ErrFormat)
	}
	if s.text == nil {
		var err error
		if s.text, err = exchange.ReadFile(full); err != nil {
			return err
		}
	}
	if (s.text == nil) != (text == nil) || !bytes.Equal(s.text, text) {
		p.Edits = append(p.Edits, exchange.Edit{Path: full, Before: s.text, After: text})
	}
	return nil
}

// public returns a lesson without what only this person may see.
func (f team) public(l lessons.Lesson) lessons.Lesson {
	out := lessons.Lesson{
		ID: l.ID, Status: lessons.Approved, Category: l.Category, Wording: l.Wording, Tags: l.Tags, Triggers: l.Triggers,
		Scope: l.Scope, Limit: l.Limit, Confidence: l.Confidence, Created: l.Created,
		Decided: lessons.Decision{By: l.Decided.By, At: l.Decided.At, Signed: l.Decided.Signed},
	}
	if f.Evidence {
		for _, e := range l.Evidence {
			out.Evidence = append(out.Evidence, lessons.Evidence{Agent: e.Agent, By: e.By, From: e.From, At: e.At, Quote: e.Quote})
		}
	}
	return out
}

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
