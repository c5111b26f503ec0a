package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/vt"
)

// A film is what was on the screen, and when.
type film struct {
	w, h    int
	frames  []frame
	stills  map[string]frame
	over    bool // what follows is for stills alone
	caption string
	poster  int
	length  float64 // in seconds
	events  []event

	classes []string // of text, each as CSS; a class is named by its place
}

// A frame is a screen as rows of SVG.
type frame struct {
	at      float64
	rows    []string
	caption string
}

type event struct {
	at   float64
	kind string
	text string
}

// shoot takes a frame, which the viewer has for some seconds. One that looks like the
// last is the last, for longer.
func (f *film) shoot(s *screen, seconds float64) frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.since) > 0 && !f.over {
		f.events = append(f.events, event{f.length, "o", strings.ToValidUTF8(string(s.since), "")})
	}
	s.since = nil
	fr := frame{at: f.length, caption: f.caption}
	for y := range f.h {
		fr.rows = append(fr.rows, f.row(s, y))
	}
	if f.over {
		return fr
	}
	n := len(f.frames)
	if n > 0 && f.frames[n-1].caption != fr.caption {
		f.events = append(f.events, event{f.length, "m", fr.caption})
	}
	switch {
	case n > 0 && slices.Equal(f.frames[n-1].rows, fr.rows) && f.frames[n-1].caption == fr.caption:
	case n > 0 && f.frames[n-1].at == fr.at:
		f.frames[n-1] = fr // nobody has seen the one before
	default:
		f.frames = append(f.frames, fr)
	}
	f.length += seconds
	return fr
}

// The size of a cell, and the colours where the program sets none.
const (
	cellW, cellH = 8.4, 16.5
	margin       = 10.0
	paper, ink   = "#14161b", "#d5d8de"
)

// row is a row of the screen: grounds first, then runs of cells that look alike.
func (f *film) row(s *screen, y int) string {
	var grounds, texts strings.Builder
	for x := 0; x < f.w; {
		from, look, ground, text := x, "", "", strings.Builder{}
		for x < f.w {
			c := s.em.CellAt(x, y)
			l, g := cellLook(s.em, x, y)
			if x > from && (l != look || g != ground) {
				break
			}
			look, ground = l, g
			if c != nil && c.Content != "" {
				text.WriteString(c.Content)
			} else {
				text.WriteByte(' ')
			}
			x++
			if c != nil {
				x += max(0, c.Width-1)
			}
		}
		if ground != "" {
			fmt.Fprintf(&grounds, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, margin+float64(from)*cellW, margin+float64(y)*cellH, float64(x-from)*cellW, cellH+0.3, ground)
		}
		run := text.String()
		trimmed := strings.TrimRight(run, " ")
		if strings.TrimSpace(trimmed) == "" {
			continue
		}
		lead := len(trimmed) - len(strings.TrimLeft(trimmed, " "))
		cells := x - from - (len(run) - len(trimmed)) - lead
		fmt.Fprintf(&texts, `<text class="c%d" x="%.1f" y="%.1f" textLength="%.1f">`, f.class(look), margin+float64(from+lead)*cellW, margin+float64(y)*cellH+12.8, float64(cells)*cellW)
		var b bytes.Buffer
		_ = xml.EscapeText(&b, []byte(trimmed[lead:]))
		texts.Write(b.Bytes())
		texts.WriteString("</text>")
	}
	return grounds.String() + texts.String()
}

func (f *film) class(css string) int {
	i := slices.Index(f.classes, css)
	if i < 0 {
		i = len(f.classes)
		f.classes = append(f.classes, css)
	}
	return i
}

// The attributes of a cell, as bits of its style.
const (
	bold = 1 << iota
	faint
	italic
	_
	_
	reverse
	_
	strikethrough
)

// cellLook is how the text of a cell looks, as CSS, and its ground, "" for none.
func cellLook(em *vt.Emulator, x, y int) (css, ground string) {
	c := em.CellAt(x, y)
	if c == nil {
		return "fill:" + ink, ""
	}
	fg, bg := hex(c.Style.Fg, ink), hex(c.Style.Bg, "")
	if c.Style.Attrs&reverse != 0 {
		fg, bg = hex(c.Style.Bg, paper), hex(c.Style.Fg, ink)
	}
	css = "fill:" + fg
	if c.Style.Attrs&bold != 0 {
		css += ";font-weight:bold"
	}
	if c.Style.Attrs&faint != 0 {
		css += ";opacity:.65"
	}
	if c.Style.Attrs&italic != 0 {
		css += ";font-style:italic"
	}
	if c.Style.Attrs&strikethrough != 0 {
		css += ";text-decoration:line-through"
	} else if c.Style.Underline != 0 {
		css += ";text-decoration:underline"
	}
	return css, bg
}

func hex(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// cast is the film as an asciinema file, version 2.
func (f *film) cast() []byte {
	var b bytes.Buffer
	line := func(v any) {
		text, _ := json.Marshal(v) // of strings and numbers
		b.Write(append(text, '\n'))
	}
	line(map[string]any{"version": 2, "width": f.w, "height": f.h, "title": "learnings", "env": map[string]string{"TERM": "xterm-256color"}})
	for _, e := range f.events {
		line([]any{milli(e.at), e.kind, e.text})
	}
	line([]any{milli(f.length), "o", ""})
	return b.Bytes()
}

func milli(seconds float64) float64 { return math.Round(1000*seconds) / 1000 }

// open begins a picture; with room for captions if there are any.
func (f *film) open(b *bytes.Buffer, captions bool) {
	w, h := float64(f.w)*cellW+2*margin, float64(f.h)*cellH+2*margin
	if captions {
		h += 30
	}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14"><style>text{white-space:pre}.say{font:15px system-ui,'DejaVu Sans',sans-serif;fill:#8ab4f8}`, w, h, w, h)
	for i, css := range f.classes {
		fmt.Fprintf(b, ".c%d{%s}", i, css)
	}
}

// still is one frame.
func (f *film) still(fr frame) []byte {
	var b bytes.Buffer
	f.open(&b, false)
	fmt.Fprintf(&b, `</style><rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", paper)
	for _, row := range fr.rows {
		if row != "" {
			b.WriteString(row + "\n")
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// moving is the film as one picture. A row that stays the same from frame to frame is in
// it once, with the time in which it is seen. Where nothing moves, or the viewer wants
// nothing to, it is the poster.
func (f *film) moving() []byte {
	type span struct{ from, to int } // frames
	type part struct {
		span
		text string
	}
	var parts []part
	for y := range f.h + 1 {
		at := func(i int) string {
			if y == f.h {
				return f.saying(f.frames[i].caption)
			}
			return f.frames[i].rows[y]
		}
		for i := 0; i < len(f.frames); {
			k := i + 1
			for k < len(f.frames) && at(k) == at(i) {
				k++
			}
			if at(i) != "" {
				parts = append(parts, part{span{i, k}, at(i)})
			}
			i = k
		}
	}
	var b bytes.Buffer
	f.open(&b, true)
	whole := span{0, len(f.frames)}
	var spans []span
	for _, p := range parts {
		if p.span != whole && !slices.Contains(spans, p.span) {
			spans = append(spans, p.span)
		}
	}
	percent := func(i int) string {
		if i == len(f.frames) {
			return "100%"
		}
		return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", 100*f.frames[i].at/f.length), "0"), ".") + "%"
	}
	fmt.Fprintf(&b, "g{animation:%.2fs step-end infinite}", f.length)
	for i, s := range spans {
		fmt.Fprintf(&b, ".s%d{animation-name:k%d%s}@keyframes k%d{", i, i, map[bool]string{true: "", false: ";visibility:hidden"}[s.from <= f.poster && f.poster < s.to], i)
		if s.from > 0 {
			b.WriteString("0%{visibility:hidden}")
		}
		fmt.Fprintf(&b, "%s{visibility:visible}", percent(s.from))
		if s.to < len(f.frames) {
			fmt.Fprintf(&b, "%s{visibility:hidden}", percent(s.to))
		}
		b.WriteString("}")
	}
	fmt.Fprintf(&b, `@media (prefers-reduced-motion:reduce){g{animation:none}}</style><rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", paper)
	for _, p := range parts {
		if p.span == whole {
			fmt.Fprintf(&b, "%s\n", p.text)
		} else {
			fmt.Fprintf(&b, `<g class="s%d">%s</g>`+"\n", slices.Index(spans, p.span), p.text)
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// saying is a caption, below the screen.
func (f *film) saying(caption string) string {
	if caption == "" {
		return ""
	}
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(caption))
	return fmt.Sprintf(`<text class="say" x="%.0f" y="%.1f">%s</text>`, margin+cellW, float64(f.h)*cellH+2*margin+18, b.String())
}
