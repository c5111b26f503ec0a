package past

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file reads the sessions of testdata. They are real ones, cut to what is needed to
// tell what came of the lessons that they are given; secrets are taken out.

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
type compactSession struct {
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
func (s compactSession) each(yield func(transcript.Turn, error) bool) {
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

func labelled(t testing.TB, half string) (out []compactSession) {
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
		var s compactSession
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
