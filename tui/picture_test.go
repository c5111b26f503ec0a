package tui

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"learnings/extractor"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons/store"
	"learnings/tui/desk"
)

// TestPicture draws the pictures of the README: the screen of the real program on the
// sample, as SVG. With -update it writes them; otherwise it fails if they are out of
// date.
func TestPicture(t *testing.T) {
	fx := sampleDesk(t)
	for _, c := range []struct {
		file string
		keys []string
		want string
		then []string
		last string
	}{
		{"review.svg", nil, "1/9|puts this in its place", nil, ""},
		{"merge.svg", []string{"l", "l"}, "two say the same", []string{"m"}, "every amount in integer|whose words"},
		{"settle.svg", []string{"/", "n", "p", "m", "enter"}, "sort relevance|against  Install", []string{"c"}, "keep that one"},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := start(t, newApp(t.Context(), fx), 112, 30)
			s.wait("Review 9", "approve", "duplicates 1")
			s.press(c.keys...).see(strings.Split(c.want, "|")...)
			s.press(c.then...).see(strings.Split(c.last, "|")...)
			got := s.picture()
			s.quit()
			path := filepath.Join("..", "docs", c.file)
			if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if was, err := os.ReadFile(path); err != nil || !bytes.Equal(was, got) {
				t.Errorf("%s is not what the screen looks like (%v); go test ./tui -run TestPicture -update draws it anew", path, err)
			}
		})
	}
}

// sampleDesk returns a desk on the built-in sample, with its lessons extracted.
func sampleDesk(t *testing.T) desk.Desk {
	t.Helper()
	dir, sample := t.TempDir(), filepath.Join("..", "cmd", "internal", "settings", "sample")
	corpus := filepath.Join(dir, "corpus")
	if err := os.CopyFS(corpus, os.DirFS(filepath.Join(sample, "corpus"))); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	s, err := store.Open(corpus, store.Options{State: filepath.Join(dir, "state"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	var files []transcript.File
	for f, err := range transcript.FindKnown(transcript.Places{{Path: sample, Named: true}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	o := extractor.Options{Proposers: []extractor.Proposer{&rules.Rules{}}, Project: transcript.NewProjects("", nil).Project}
	for b, err := range extractor.Run(t.Context(), files, nil, o) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(store.Write{Op: "propose", By: "rules"}, b.Lessons...); err != nil {
			t.Fatal(err)
		}
	}
	x := index.At(filepath.Join(dir, "index"))
	if _, err := x.Sync(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return newEffects(desk.Config{Corpus: &curate.Corpus{Library: curate.Library{Store: s, Index: x, Now: func() time.Time { return now }}, By: "sam"}, Place: "sample", TrustEdits: true})
}

// The size of a cell in the picture, and its default colours.
const (
	cellW, cellH = 8.4, 18.0
	paper, ink   = "#16181d", "#d0d0d0"
)

// picture returns the screen as SVG. Runs of cells with the same style are one text.
func (s *terminal) picture() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b bytes.Buffer
	w, h := s.em.Width(), s.em.Height()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">`+"\n", float64(w)*cellW+16, float64(h)*cellH+16)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", paper)
	for y := range h {
		for x := 0; x < w; {
			look, from, text := "", x, strings.Builder{}
			for ; x < w; x++ {
				c := s.em.CellAt(x, y)
				l := cellLook(s.em, x, y)
				if text.Len() > 0 && l != look {
					break
				}
				look = l
				if c != nil && c.Content != "" {
					text.WriteString(c.Content)
				}
			}
			run := text.String()
			if strings.TrimSpace(run) == "" {
				continue
			}
			lead := len(run) - len(strings.TrimLeft(run, " "))
			run = strings.TrimSpace(run)
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f"%s textLength="%.1f" xml:space="preserve">`, 8+float64(from+lead)*cellW, 8+float64(y)*cellH+13.5, look, float64(len([]rune(run)))*cellW)
			_ = xml.EscapeText(&b, []byte(run))
			b.WriteString("</text>\n")
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// cellLook returns the attributes of a cell.
func cellLook(em *vt.Emulator, x, y int) string {
	const bold, strikethrough = 1, 1 << 7 // bits of a cell's attributes
	c := em.CellAt(x, y)
	if c == nil {
		return ` fill="` + ink + `"`
	}
	look := ` fill="` + hex(c.Style.Fg, ink) + `"`
	if c.Style.Attrs&bold != 0 {
		look += ` font-weight="bold"`
	}
	if c.Style.Attrs&strikethrough != 0 {
		look += ` text-decoration="line-through"`
	} else if c.Style.Underline != 0 {
		look += ` text-decoration="underline"`
	}
	return look
}

func hex(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
