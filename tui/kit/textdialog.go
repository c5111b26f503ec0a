package kit

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Text is a dialog of lines that scroll, with some keys. Only its scroll position
// changes: a key or the answer of a job returns the next dialog.
type Text struct {
	Title, Right string
	Bad          bool                                 // the title reports an error
	W            int                                  // width with the frame; 0 for [pageW]
	Roomy        bool                                 // blanks around the lines
	Lines        func(w int, st *look.Style) []string // the lines, w cells wide
	Keys         []TextKey                            // in addition to esc and the keys that scroll
	Back         Dialog                               // where esc goes; nil for the pane
	Leave, Left  string                               // the name of esc in the footer, and its note; "" for close, and no note
	End          bool                                 // scrolled to the end at first
	of           *int                                 // identifies the job that it waits for
	Scroll
}

// A TextKey is an action of a [Text]. Without Do it closes the dialog.
type TextKey struct {
	Keys []string
	Foot string // "" to leave it out of the footer
	Do   func(Text) (Dialog, Out)
}

// pageW is the width of a page.
const pageW = 100

// Plain returns a function for [Text.Lines] that wraps text.
func Plain(text string) func(int, *look.Style) []string {
	return func(w int, _ *look.Style) []string { return Wrap(lessons.Block(text), max(w, 1)) }
}

// Await shows wait until find answers, then the dialog that show makes of the answer.
func Await[T any](wait Text, find func(context.Context) (T, error), show func(T, error) (Dialog, Out)) Out {
	wait, answer := Waiting(wait, show)
	return Ask(wait).And(Run(func(ctx context.Context) tea.Msg { return answer(find(ctx)) }))
}

// Waiting returns wait, marked as waiting, and a function that turns the answer into its
// message.
func Waiting[T any](wait Text, show func(T, error) (Dialog, Out)) (Text, func(T, error) tea.Msg) {
	of := new(int)
	wait.of = of
	return wait, func(found T, err error) tea.Msg {
		return Reply[Text](func(d Text) (Dialog, Out) {
			if d.of != of {
				return d, Out{}
			}
			return show(found, err)
		})
	}
}

// all returns the lines for a frame of at most w cells.
func (d Text) all(w int, st *look.Style) []string {
	w = d.wide(w)
	if !d.Roomy {
		return Indented(d.Lines(w-4, st))
	}
	return append(append([]string{""}, Indented(Indented(d.Lines(w-6, st)))...), "")
}

func (d Text) wide(w int) int {
	if d.W == 0 {
		return min(w, pageW)
	}
	return min(w, d.W)
}

func (d Text) Update(msg tea.Msg) (Dialog, Out) {
	if answer, ok := msg.(Reply[Text]); ok {
		return answer(d)
	}
	by := Scrolling(msg, d.H-2)
	switch m := msg.(type) {
	case RoomMsg:
		if d.RoomMsg = m; d.End {
			d.End, by = false, 1<<20
		}
	case tea.KeyPressMsg:
		k := m.String()
		for _, x := range d.Keys {
			if slices.Contains(x.Keys, k) && x.Do != nil {
				return x.Do(d)
			} else if slices.Contains(x.Keys, k) {
				k = "esc"
			}
		}
		if k == "esc" || k == "q" {
			return d.Back, Out{Note: Note{Text: d.Left}}
		}
	}
	if d.RoomMsg.W > 0 {
		d.Scroll = d.By(by, len(d.all(d.RoomMsg.W, Unseen)), d.H-2)
	}
	return d, Out{}
}

func (d Text) View(w, h int, st *look.Style) string {
	w = d.wide(w)
	all := d.all(w, st)
	seen := Clip(all, d.Top, h-2)
	right := st.Dim.Render(d.Right)
	if rest := len(all) - d.Top - len(seen); rest > 0 && d.Right == "" {
		right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
	}
	ink := st.Accent
	if d.Bad {
		ink = st.Bad
	}
	return Box{Title: ink.Render(d.Title), Right: right}.Draw(seen, w, min(len(seen)+2, h), st)
}

func (d Text) Hints() []Hint {
	var hints []Hint
	for _, x := range d.Keys {
		hints = append(hints, Hint{Key: x.Keys[0], Foot: x.Foot})
	}
	if !d.Roomy {
		hints = append(hints, Hint{Key: "j k", Foot: "scroll"})
	}
	leave := d.Leave
	if leave == "" {
		leave = "close"
	}
	return append(hints, Hint{Key: "esc", Foot: leave})
}
