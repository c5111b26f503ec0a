package llm

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"time"
)

// Expenses yields what a ledger holds, oldest first. A ledger that is not there
// holds nothing, and lines that are broken are passed over, as they are when a
// ceiling is kept.
func Expenses(path string) iter.Seq2[Expense, error] {
	return func(yield func(Expense, error) bool) {
		_, err := readLedger(path, 0, func(e Expense) bool { return yield(e, nil) })
		if err != nil {
			yield(Expense{}, err)
		}
	}
}

// readLedger calls each with the expenses behind an offset of a ledger until it
// returns false, and gives the offset behind the last whole line that it read.
func readLedger(path string, from int64, each func(Expense) bool) (end int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return from, nil
	}
	if err != nil {
		return from, fmt.Errorf("reading the ledger of costs: %v", err)
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return from, fmt.Errorf("reading the ledger of costs: %v", err)
	}
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return from, nil // the rest is being written
		}
		if err != nil {
			return from, fmt.Errorf("reading the ledger of costs: %v", err)
		}
		from += int64(len(line))
		if e, ok := expense(line); ok && !each(e) {
			return from, nil
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

// A Sum is what the calls of one month or one run have cost together.
type Sum struct {
	Name   string    // the month, as "2026-11", or the run's own name
	First  time.Time // the time of the first call
	Models []string  // in the order in which they were first asked
	Total
}

// Sums adds up the ledger at path by months and by runs, each the oldest first.
func Sums(path string) (months, runs []Sum, err error) {
	add := func(to *[]Sum, name string, e Expense) {
		i := slices.IndexFunc(*to, func(x Sum) bool { return x.Name == name })
		if i < 0 {
			i = len(*to)
			*to = append(*to, Sum{Name: name, First: e.At})
		}
		x := &(*to)[i]
		x.Total = x.Add(e)
		if !slices.Contains(x.Models, e.Model) {
			x.Models = append(x.Models, e.Model)
		}
	}
	for e, err := range Expenses(path) {
		if err != nil {
			return nil, nil, err
		}
		add(&months, e.Month(), e)
		add(&runs, e.Run, e)
	}
	for _, sums := range [][]Sum{months, runs} {
		slices.SortStableFunc(sums, func(x, y Sum) int { return cmp.Or(x.First.Compare(y.First), strings.Compare(x.Name, y.Name)) })
	}
	return months, runs, nil
}
