package transcript_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"learnings/extractor/transcript"
)

// says is a Claude Code record in which a person says text, which is JSON.
func says(text string) string {
	return `{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":` + text + `}}`
}

// heard reads input and tells what persons said on which line, and the errors.
func heard(r *transcript.Reader) string {
	var out []string
	for t, err := range r.Turns() {
		if err != nil {
			out = append(out, "error: "+err.Error())
			continue
		}
		out = append(out, fmt.Sprintf("%d %s", t.Line, t.Text))
	}
	return strings.Join(out, "\n")
}

// TestBadLines shows that a bad line is told of, with its number, and that
// everything around it is read.
func TestBadLines(t *testing.T) {
	a, b := says(`"a"`), says(`"b"`)
	for name, c := range map[string]struct{ in, want string }{
		"nothing":             {"", ""},
		"blank lines":         {"\n \n\n" + a + "\n\n", "4 a"},
		"no last newline":     {a + "\n" + b, "1 a\n2 b"},
		"two on a line":       {a + b + "\n" + a, "1 a\n1 b\n2 a"},
		"CRLF":                {a + "\r\n" + b + "\r\n", "1 a\n2 b"},
		"byte order mark":     {"\xef\xbb\xbf" + a + "\n", "1 a"},
		"not an object":       {"[1]\n\"x\"\n" + a, "error: line 1: not a JSON object\nerror: line 2: not a JSON object\n3 a"},
		"not JSON":            {"hello\n" + a, "error: line 1: not JSON: byte 0x68 at column 1\n2 a"},
		"cut in the middle":   {a[:40] + "\n" + b, "error: line 1: JSON ends too soon\n2 b"},
		"cut at the end":      {a + "\n" + b[:40], "1 a\nerror: line 2: JSON ends too soon"},
		"a record behind one": {a[:len(a)-8] + b + "\n" + a, "1 b\nerror: line 1: not JSON: byte 0x74 at column 77\n2 a"},
		"NULs":                {"\x00\x00\x00\n" + a, "error: line 1: not JSON: byte 0x00 at column 1\n2 a"},
		"a NUL in a string":   {says("\"x\x00\"") + "\n" + a, "error: line 1: not JSON: byte 0x00 at column 80\n2 a"},
		"not UTF-8":           {says("\"x\xff\xfey\"") + "\n" + a, "1 x\uFFFDy\n2 a"},
		"half a surrogate":    {says(`"x\ud83dy \ud83d\ude00"`) + "\n" + a, "1 x\uFFFDy 😀\n2 a"},
		"nested too deep":     {strings.Repeat(`{"a":[`, 300) + "\n" + a, "error: line 1: JSON nested deeper than 512 levels\n2 a"},
		"other types":         {`{"type":5,"message":[],"uuid":{}}` + "\n" + `{"silly":{"type":"user"}}` + "\n{}\n" + a, "4 a"},
		"behind an object":    {a + " x\n" + b, "1 a\nerror: line 1: not JSON: byte 0x78 at column 84\n2 b"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)), iotest.DataErrReader(strings.NewReader(c.in))} {
				if got := heard(transcript.NewReader(r, transcript.ClaudeCode, transcript.Options{})); got != c.want {
					t.Fatalf("got:\n%s\nwant:\n%s", got, c.want)
				}
			}
		})
	}
}

func TestReadFails(t *testing.T) {
	broken := errors.New("disk on fire")
	in := io.MultiReader(strings.NewReader(says(`"a"`)+"\n"+says(`"b"`)), iotest.ErrReader(broken))
	var turns int
	var last error
	for _, err := range transcript.NewReader(in, transcript.ClaudeCode, transcript.Options{Path: "s.jsonl"}).Turns() {
		if last = err; err == nil {
			turns++
		}
	}
	if turns != 1 || !errors.Is(last, broken) || !strings.Contains(last.Error(), "s.jsonl") {
		t.Errorf("%d turns, then %v", turns, last)
	}
	for _, err := range transcript.Read(strings.NewReader("x"), "other") {
		if err == nil || !strings.Contains(err.Error(), `"other"`) {
			t.Errorf("unknown format: %v", err)
		}
	}
}

// TestStop checks that a caller may stop at any turn.
func TestStop(t *testing.T) {
	for range transcript.Read(strings.NewReader(says(`"a"`)+says(`"b"`)+"x\n"+says(`"c"`)), transcript.ClaudeCode) {
		break
	}
}

// giant is a stream of one line of size bytes, a record, and then another.
type giant struct {
	size int64
	rest io.Reader
}

func (g *giant) Read(p []byte) (int, error) {
	if g.size <= 0 {
		return g.rest.Read(p)
	}
	n := int(min(int64(len(p)), g.size))
	for i := 0; i < n; i += copy(p[i:n], aaa) {
	}
	g.size -= int64(n)
	return n, nil
}

var aaa = bytes.Repeat([]byte("a"), 64<<10)

// TestGiantLine reads two gigabytes of one line: it is one error, and costs no
// more memory than the longest line that is read.
func TestGiantLine(t *testing.T) {
	size := int64(2 << 30)
	if testing.Short() {
		size = 200 << 20
	}
	in := io.MultiReader(strings.NewReader(`{"type":"user","x":"`), &giant{size, strings.NewReader("\"}\n" + says(`"behind"`) + "\n")})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := heard(transcript.NewReader(in, transcript.ClaudeCode, transcript.Options{}))
	runtime.ReadMemStats(&after)
	if want := "error: line 1: line is longer than 16 MiB\n2 behind"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 160<<20 {
		t.Errorf("allocated %d MiB in all", used>>20)
	}
}

// TestLongText checks that a person's words are never cut and others are.
func TestLongText(t *testing.T) {
	long := strings.Repeat(`line of \"text\" \u00e9\n`, 20_000)
	in := says(`"`+long+`"`) + "\n" +
		`{"type":"user","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"head ` + long + ` tail"}]}}`
	for turn, err := range transcript.Read(strings.NewReader(in), transcript.ClaudeCode) {
		if err != nil {
			t.Fatal(err)
		}
		switch turn.Speaker {
		case transcript.Person:
			if want := strings.TrimSpace(strings.Repeat("line of \"text\" é\n", 20_000)); turn.Text != want {
				t.Errorf("%d bytes of a person's words, want %d", len(turn.Text), len(want))
			}
		case transcript.Tool:
			if len(turn.Text) > transcript.MaxText || !strings.HasPrefix(turn.Text, "head line") || !strings.HasSuffix(turn.Text, " tail") ||
				!strings.Contains(turn.Text, "bytes left out") || !utf8.ValidString(turn.Text) || strings.Contains(turn.Text, `\`) {
				t.Errorf("%d bytes: %q … %q", len(turn.Text), turn.Text[:40], turn.Text[len(turn.Text)-40:])
			}
		}
	}
}

// TestResume reads each small session in two goes, split at many places, as if
// its agent were writing: nothing is lost and nothing comes twice.
func TestResume(t *testing.T) {
	for file, format := range samples(t) {
		name := filepath.ToSlash(strings.TrimPrefix(file, "testdata"+string(filepath.Separator)))
		switch name {
		case "claude/queue.jsonl", "claude/sidechain.jsonl", "codex/items_only.jsonl", "codex/subagent.jsonl", "aider/stripped.md":
			continue // what is at their ends, or how they are written, shows only before
		}
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if offset, _ := readThrough(t, data, format).Next(); offset == 0 {
				return // read from the start whenever it has changed
			}
			whole := strings.Join(outline(t, transcript.NewReader(bytes.NewReader(data), format, transcript.Options{})), "\n")
			for cut := 0; cut < len(data); cut += 11 {
				first := transcript.NewReader(bytes.NewReader(data[:cut]), format, transcript.Options{Growing: true})
				got := outline(t, first)
				offset, line := first.Next()
				rest := transcript.NewReader(bytes.NewReader(data[offset:]), format, transcript.Options{Offset: offset, Line: line, Session: first.Session(), Growing: true})
				got = append(got, outline(t, rest)...)
				if got := strings.Join(got, "\n"); got != whole {
					t.Fatalf("cut at %d, resumed at %d (line %d):\n%s\nwant:\n%s", cut, offset, line, got, whole)
				}
				if end, _ := rest.Next(); end != int64(len(data)) {
					t.Fatalf("cut at %d: ended at %d of %d", cut, end, len(data))
				}
			}
		})
	}
}

// readThrough reads all of a session.
func readThrough(t *testing.T, data []byte, format transcript.Format) *transcript.Reader {
	t.Helper()
	r := transcript.NewReader(bytes.NewReader(data), format, transcript.Options{})
	outline(t, r)
	return r
}

// outline tells who said what where. Whether words steer, and which call a
// result answers, depends on what came before.
func outline(t *testing.T, r *transcript.Reader) (out []string) {
	t.Helper()
	for u, err := range r.Turns() {
		if err != nil {
			t.Fatal(err)
		}
		if u.Kind == transcript.Steering {
			u.Kind = transcript.Message
		}
		out = append(out, fmt.Sprintf("%d %s %s %q", u.Line, u.Speaker, u.Kind, u.Text))
	}
	return out
}

// TestResumeHeld checks that a queued message at the end of a growing file
// waits for what follows it.
func TestResumeHeld(t *testing.T) {
	enqueue := `{"type":"queue-operation","operation":"enqueue","content":"later","sessionId":"s"}` + "\n"
	data := says(`"a"`) + "\n" + enqueue
	r := transcript.NewReader(strings.NewReader(data), transcript.ClaudeCode, transcript.Options{Growing: true})
	if got := heard(r); got != "1 a" {
		t.Errorf("got %q", got)
	}
	if offset, line := r.Next(); offset != int64(len(data)-len(enqueue)) || line != 2 {
		t.Errorf("next at %d, line %d", offset, line)
	}
}

// FuzzRead checks what holds for any bytes read as any format: errors are of
// lines, lines go up, words are UTF-8, no more than the persons' are long, and
// all is read.
func FuzzRead(f *testing.F) {
	for file, format := range samples(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, string(format))
	}
	f.Fuzz(func(t *testing.T, data []byte, format string) {
		r := transcript.NewReader(bytes.NewReader(data), transcript.Format(format), transcript.Options{})
		sane(t, r)
		if offset, _ := r.Next(); offset != int64(len(data)) && offset != 0 {
			t.Errorf("read %d of %d bytes", offset, len(data))
		}
	})
}

// sane reads r and checks what always holds.
func sane(t *testing.T, r *transcript.Reader) (turns []transcript.Turn) {
	t.Helper()
	line := 0
	for u, err := range r.Turns() {
		if err != nil {
			bad := (*transcript.LineError)(nil)
			if !errors.As(err, &bad) && !strings.Contains(err.Error(), "unknown format") {
				t.Fatal(err)
			}
			continue
		}
		if u.Line < line || u.Line < 1 {
			t.Errorf("line %d behind line %d", u.Line, line)
		}
		line = u.Line
		if !utf8.ValidString(u.Text) || !utf8.ValidString(u.Name) || u.Speaker != transcript.Person && len(u.Text) > transcript.MaxText {
			t.Errorf("text of %s: %d bytes", u.Speaker, len(u.Text))
		}
		if c := u.Tool; c != nil && (len(c.Input) > transcript.MaxText || len(c.Old) > transcript.MaxText || len(c.New) > transcript.MaxText) {
			t.Errorf("a call of %d bytes", len(c.Input)+len(c.Old)+len(c.New))
		}
		turns = append(turns, u)
	}
	return turns
}
