package transcript_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/extractor/transcript"
)

var update = flag.Bool("update", false, "write what is read to testdata/*/*.turns")

// folders of testdata whose names are not those of their formats.
var folders = map[string]transcript.Format{"claude": transcript.ClaudeCode, "codex": transcript.Codex}

// samples returns the small sessions in testdata and their formats.
func samples(tb testing.TB) map[string]transcript.Format {
	tb.Helper()
	out := map[string]transcript.Format{}
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range files {
		folder := filepath.Base(filepath.Dir(file))
		if info, err := os.Stat(file); err != nil || info.IsDir() || folder == "fuzz" || folder == "database" || filepath.Ext(file) == ".turns" {
			continue
		}
		if out[file] = folders[folder]; out[file] == "" {
			out[file] = transcript.Format(folder)
		}
	}
	return out
}

// TestTurns reads the small sessions in testdata, each of which goes through
// the rules of one kind of record, and compares what comes out with the .turns
// file beside it: a line for the session, then one for each turn.
func TestTurns(t *testing.T) {
	for file, format := range samples(t) {
		t.Run(filepath.ToSlash(strings.TrimPrefix(file, "testdata")), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := describe(transcript.NewReader(strings.NewReader(string(data)), format, transcript.Options{}))
			golden := strings.TrimSuffix(file, filepath.Ext(file)) + ".turns"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			if f, ok := transcript.Detect(data); !ok || f != format {
				t.Errorf("detected as %q", f)
			}
		})
	}
}

// describe reads r and tells what it read, a line for each turn or error.
func describe(r *transcript.Reader) string {
	var out strings.Builder
	for t, err := range r.Turns() {
		if err != nil {
			fmt.Fprintf(&out, "error: %v\n", err)
			continue
		}
		fmt.Fprintf(&out, "%d %s %s", t.Line, t.Speaker, t.Kind)
		for i, on := range []bool{t.Failed, t.Refused, t.Sidechain} {
			if on {
				out.WriteString([]string{" failed", " refused", " sidechain"}[i])
			}
		}
		if t.Name != "" {
			fmt.Fprintf(&out, " name=%q", t.Name)
		}
		if t.Text != "" {
			fmt.Fprintf(&out, " %q", t.Text)
		}
		if c := t.Tool; c != nil {
			fmt.Fprintf(&out, " tool=%s/%s", c.ID, c.Name)
			for _, f := range [][2]string{{"command", c.Command}, {"path", c.Path}, {"old", c.Old}, {"new", c.New}} {
				if f[1] != "" {
					fmt.Fprintf(&out, " %s=%q", f[0], f[1])
				}
			}
		}
		out.WriteByte('\n')
	}
	s := r.Session()
	return fmt.Sprintf("%s %s dir=%s branch=%s version=%s model=%s role=%s parent=%s start=%s\n%s",
		s.Agent, s.ID, s.Dir, s.Branch, s.Version, s.Model, s.Role, s.Parent, s.Start.Format(time.RFC3339), out.String())
}
