package llm

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
)

// Expenses yields what a ledger holds, oldest first. A ledger that is not there
// holds nothing, and lines that are broken are passed over, as they are when a
// ceiling is kept.
func Expenses(path string) iter.Seq2[Expense, error] {
	return func(yield func(Expense, error) bool) {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Expense{}, fmt.Errorf("reading the ledger of costs: %v", err))
			return
		}
		defer f.Close()
		for r := bufio.NewReader(f); ; {
			line, err := r.ReadBytes('\n')
			if errors.Is(err, io.EOF) {
				return // the rest is being written
			}
			if err != nil {
				yield(Expense{}, fmt.Errorf("reading the ledger of costs: %v", err))
				return
			}
			if e, ok := expense(line); ok && !yield(e, nil) {
				return
			}
		}
	}
}

// expense reads one line of a ledger.
func expense(line []byte) (Expense, bool) {
	var e Expense
	return e, json.Unmarshal(line, &e) == nil && !e.At.IsZero()
}

// Month is the calendar month (UTC) that an expense counts for, as "2026-11".
func (e Expense) Month() string { return e.At.UTC().Format(monthForm) }

// Add gives the total with one more expense in it.
func (t Total) Add(e Expense) Total {
	if t.Calls == 0 {
		t.Cost.Known = true
	}
	return Total{t.Calls + 1, t.Usage.Add(e.Usage), t.Cost.Add(Cost{e.USD, e.Known})}
}
