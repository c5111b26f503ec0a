package kit

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Text is a dialog of lines that scroll, with some keys. It does not change but for its
// place: a key, or the answer of a job, gives the dialog that follows.
type Text struct {
	Title, Right string
	Bad          bool                                 // the title tells of a fault
	W            int                                  // how wide it gets, with its frame; 0 for [pageW]
	Roomy        bool                                 // it has blanks around its lines
	Lines        func(w int, st *look.Style) []string // for w cells
	Keys         []TextKey                            // beside those that scroll, and esc
	Back         Dialog                               // where esc goes; nil for the pane
	Leave, Left  string                               // what esc is called, and what it says; "" for close, and nothing
	End          bool                                 // it begins at its end
	of           *int                                 // what it waits for
	Scroll
}

// A TextKey is what keys of a [Text] do. Without Do they close it.
type TextKey struct {
	Keys []string
	Foot string // "" keeps them out of the footer
	Do   func(Text) (Dialog, Out)
}

// pageW is how wide a page gets.
const pageW = 100

// Plain are the lines of a text to read.
func Plain(text string) func(int, *look.Style) []string {
	return func(w int, _ *look.Style) []string { return Wrap(lessons.Block(text), max(w, 1)) }
}

// Await opens a text that waits for a job, and then the dialog that show makes of its answer.
func Await[T any](wait Text, find func(context.Context) (T, error), show func(T, error) (Dialog, Out)) Out {
	wait, answer := Waiting(wait, show)
	return Ask(wait).And(Run(func(ctx context.Context) tea.Msg { return answer(find(ctx)) }))
}

// Waiting is a text that waits for an answer, and shows what it makes of it.
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

// all are the lines in a frame of at most w cells.
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
