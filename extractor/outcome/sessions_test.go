package outcome

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file makes the sessions of testdata of the real ones beside the checkout, and
// reads them: go test ./extractor/outcome -run TestMake -make. What a session says is cut
// to what a reader needs to tell what came of the lessons that it is given, and secrets
// are taken out.

var makes = flag.Bool("make", false, "make the sessions of testdata anew")

// A taught is a lesson that the projects of some sessions had learned by a day.
type taught struct {
	ID      lessons.ID `json:"id"`
	Learned string     `json:"learned"`
	In      string     `json:"in"` // parts of the paths of sessions
	Content string     `json:"content"`
	Tool    string     `json:"tool,omitempty"` // that failed
	Command string     `json:"command,omitempty"`
	Error   string     `json:"error,omitempty"`
}

func (x taught) lesson() lessons.Lesson {
	l := lessons.Lesson{ID: x.ID, Status: lessons.Approved, Wording: lessons.Wording{Content: x.Content}}
	if x.Error != "" {
		e := lessons.Evidence{By: lessons.ByTool, From: "tool-error", Quote: x.Error}
		if x.Command != "" {
			e.Before = []string{"agent, " + x.Tool + ": " + x.Command}
		} else {
			l.Triggers = []string{strings.ToLower(x.Tool)}
		}
		l.Evidence = []lessons.Evidence{e}
	}
	return l
}

func teachings(t testing.TB) (out []taught) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "lessons.json"))
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A session is a compact one.
type session struct {
	Name  string       `json:"name"`
	Given []lessons.ID `json:"given"`
	Turns []turn       `json:"turns"`
}

type turn struct {
	Line    int    `json:"l"`
	Speaker string `json:"s"`
	Kind    string `json:"k"`
	Text    string `json:"t,omitempty"`
	State   string `json:"f,omitempty"` // failed, refused
	Call    int    `json:"i,omitempty"` // of a result: which call it answers, from 1
	Tool    string `json:"n,omitempty"`
	Command string `json:"c,omitempty"`
	Path    string `json:"p,omitempty"`
	Old     string `json:"o,omitempty"`
	New     string `json:"w,omitempty"`
}

// each gives the turns as a reader would.
func (s session) each(yield func(transcript.Turn, error) bool) {
	var calls []*transcript.ToolCall
	for _, c := range s.Turns {
		t := transcript.Turn{Line: c.Line, Speaker: transcript.Speaker(c.Speaker), Kind: transcript.Kind(c.Kind), Text: c.Text,
			Failed: c.State == "failed", Refused: c.State == "refused"}
		if t.Kind == transcript.Call {
			calls = append(calls, &transcript.ToolCall{Name: c.Tool, Command: c.Command, Path: c.Path, Old: c.Old, New: c.New})
			t.Tool = calls[len(calls)-1]
		} else if c.Call > 0 {
			t.Tool = calls[c.Call-1]
		}
		if !yield(t, nil) {
			return
		}
	}
}

func sessions(t testing.TB, half string) (out []session) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", half+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var s session
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestMake makes the two halves: sessions fall into one by their names alone.
func TestMake(t *testing.T) {
	if !*makes {
		t.Skip("with -make it makes the sessions of testdata anew")
	}
	root := filepath.Join("..", "..", "..", "shared", "transcripts")
	halves := map[string][]session{}
	all := teachings(t)
	for _, agent := range []string{"claude-code", "codex", "specstory", "opencode"} {
		err := filepath.WalkDir(filepath.Join(root, agent), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			s, ok := compact(t, path, strings.TrimPrefix(path, root), all)
			if !ok {
				return nil
			}
			h := fnv.New32a()
			_, _ = h.Write([]byte(s.Name))
			half := "tuned"
			if h.Sum32()>>7%2 == 1 {
				half = "heldout"
			}
			halves[half] = append(halves[half], s)
			return nil
		})
		if err != nil {
			t.Skipf("the transcripts of ../shared are not beside this clone: %v", err)
		}
	}
	for half, all := range halves {
		// Those that have most of what lessons are about are the most telling.
		slices.SortStableFunc(all, func(a, b session) int { return cmp.Compare(len(b.Given), len(a.Given)) })
		all = all[:min(len(all), 21)]
		slices.SortFunc(all, func(a, b session) int { return strings.Compare(a.Name, b.Name) })
		f, err := os.Create(filepath.Join("testdata", half+".jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		z, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
		e := json.NewEncoder(z)
		e.SetEscapeHTML(false)
		for _, s := range all {
			if err := e.Encode(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d sessions", half, len(all))
	}
}

// compact reads a session and gives it what was learned before it began.
func compact(t *testing.T, path, name string, all []taught) (session, bool) {
	file, found, err := transcript.Open(path)
	if err != nil {
		return session{}, false
	}
	defer file.Close()
	r := transcript.NewReader(io.NewSectionReader(file, 0, found.Size), found.Format, found.Options())
	secrets := redact.New()
	clip := func(s string, n int) string { return secrets.Redact(strings.ToValidUTF8(s[:min(len(s), n)], "")) }
	calls := map[*transcript.ToolCall]int{}
	s := session{}
	n := 0
	for x, err := range r.Turns() {
		if err != nil || x.Sidechain || x.Kind == transcript.Thinking || x.Speaker == transcript.Harness {
			continue
		}
		c := turn{Line: x.Line, Speaker: string(x.Speaker), Kind: string(x.Kind)}
		switch {
		case x.Refused:
			c.State = "refused"
		case x.Failed:
			c.State = "failed"
		}
		switch {
		case x.Kind == transcript.Call && x.Tool != nil:
			n++
			calls[x.Tool] = n
			c.Tool, c.Command, c.Path, c.Old, c.New = x.Tool.Name, clip(x.Tool.Command, 4000), clip(x.Tool.Path, 300), named(x.Tool.Old), named(x.Tool.New)
		case x.Kind == transcript.Result && x.Tool != nil:
			if c.Call = calls[x.Tool]; c.Call == 0 {
				continue
			}
			if x.Failed {
				c.Text = clip(x.Text, 400)
			}
		case x.Speaker == transcript.Person:
			c.Call = calls[x.Tool]
			c.Text = clip(x.Text, 700)
		default:
			c.Text = clip(x.Text, 250)
		}
		s.Turns = append(s.Turns, c)
	}
	start := r.Session().Start
	s.Name = fmt.Sprintf("%s %.8s", start.Format(time.DateOnly), strings.TrimPrefix(r.Session().ID, "agent-"))
	if found.Format == transcript.Codex {
		s.Name = fmt.Sprintf("%s %.13s", start.Format(time.DateOnly), r.Session().ID)
	}
	for _, x := range all {
		if start.UTC().Format(time.RFC3339) >= x.Learned && slices.ContainsFunc(strings.Fields(x.In), func(in string) bool { return strings.Contains(name, in) }) {
			s.Given = append(s.Given, x.ID)
		}
	}
	return s, len(s.Given) > 0 && n >= 10
}

// named keeps of what an edit replaces, or puts there, the lines that say which files it
// is about, and those with words that a lesson names.
func named(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "*** ") || strings.Contains(line, "checkpointID") || strings.Contains(line, "cpID") || strings.Contains(line, "logger") || strings.Contains(line, "console.log") {
			out = append(out, strings.TrimSpace(line[:min(len(line), 200)]))
		}
	}
	return strings.Join(out[:min(len(out), 40)], "\n")
}
