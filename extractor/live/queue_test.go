package live

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestQueue checks what is counted of a spool, in whatever state it is, and that
// counting takes nothing.
func TestQueue(t *testing.T) {
	s := Spool{t.TempDir()}
	look := func() Queue {
		t.Helper()
		q, err := s.Look()
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	if q := look(); q != (Queue{}) {
		t.Errorf("of nothing: %+v", q)
	}
	early := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for i := range 3 {
		if err := s.Append(Notice{Event: Stop, Session: "s", At: early.Add(time.Duration(-i) * time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	want := Queue{Notices: 3, Oldest: early.Add(-2 * time.Hour)}
	if q := look(); q != want {
		t.Errorf("%+v, want %+v", q, want)
	}
	if _, err := s.take(); err != nil { // a worker that dies with it
		t.Fatal(err)
	}
	if q := look(); q != want {
		t.Errorf("taken: %+v, want %+v", q, want)
	}
	line, err := Notice{Event: Stop, At: early}.line()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{failName: string(line) + "\nno notice\n", spoolName: strings.Repeat(string(line), maxSpool/len(line)+1)} {
		if err := os.WriteFile(s.file(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if q := look(); !q.Full || q.Failed != 1 || q.Notices < 1000 {
		t.Errorf("of a full spool: %+v", q)
	}
	if err := os.Remove(s.file(spoolName)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.file(spoolName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Look(); err == nil {
		t.Error("a folder in its place is no error")
	}
}
