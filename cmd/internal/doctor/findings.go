package doctor

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"learnings/cmd/internal/term"
)

// Findings are the checks of all questions.
type Findings []Check

// Count returns the number of checks in a state.
func (f Findings) Count(s State) int {
	n := 0
	for _, c := range f {
		if c.State == s {
			n++
		}
	}
	return n
}

// Err returns an error that counts what is wrong, or nil.
func (f Findings) Err() error {
	switch n := f.Count(Wrong); n {
	case 0:
		return nil
	case 1:
		return errors.New("1 thing is wrong")
	default:
		return fmt.Errorf("%d things are wrong", n)
	}
}

// nameWidth is the width of the name column: the longest names have ten letters.
const nameWidth = 12

// Terminal prints the findings by group, with hints below problems.
func (f Findings) Terminal(p *term.Page) {
	roles := map[State]term.Role{OK: term.Good, Note: term.Caution, Wrong: term.Alarm}
	group := ""
	for _, c := range f {
		if c.Group != group {
			if group != "" {
				p.Line("")
			}
			group = c.Group
			p.Strong("%s", group)
		}
		state := p.Paint(roles[c.State], fmt.Sprintf("%-5s", c.State))
		p.Beside(fmt.Sprintf("  %s  %-*s", state, nameWidth, c.Name), c.Text)
		if c.Hint != "" {
			p.Beside(strings.Repeat(" ", 9+nameWidth-2)+"→ ", c.Hint)
		}
	}
	p.Line("")
	p.Line("%s", f.summary())
}

// summary returns the last line.
func (f Findings) summary() string {
	var out []string
	for _, s := range []State{Wrong, Note, OK} {
		if n := f.Count(s); n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, s))
		}
	}
	if f.Count(OK) == len(f) {
		return "all well: " + term.Plural(len(f), "check")
	}
	return strings.Join(out, " · ")
}

// Plain prints one line for each check: state, group, name, text, hint.
func (f Findings) Plain(w io.Writer) {
	for _, c := range f {
		term.TSV(w, string(c.State), c.Group, c.Name, c.Text, c.Hint)
	}
}

// Objects returns the checks.
func (f Findings) Objects() []any { return term.Objects(f, func(c Check) any { return c }) }
