package index_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// A process that stays open, such as a desk, keeps no file of the index mapped between its
// calls: each would stay in its memory for good.
func TestNothingStaysMapped(t *testing.T) {
	x, dir := at(t)
	log := newLog(corpus(50)...)
	update(t, x, log)
	for i := range 3 {
		log.put(lessons.OpAdd, lesson(fmt.Sprintf("late%04d", i), "Keep the port of the proxy out of the image"))
		update(t, x, log)
		search(t, x, "proxy")
		if _, err := x.Outlines(t.Context(), index.Query{}); err != nil {
			t.Fatal(err)
		}
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skipf("what is mapped cannot be read: %v", err)
	}
	for line := range strings.Lines(string(maps)) {
		if strings.Contains(line, dir) {
			t.Errorf("still mapped: %s", line)
		}
	}
}
