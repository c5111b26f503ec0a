package extractor

import (
	"testing"

	"learnings/lessons"
)

func TestFromHome(t *testing.T) {
	for _, c := range []struct{ dir, said, want string }{
		{"/home/sam/src/shop", "Notes live in /home/sam/notes.", "Notes live in ~/notes."},
		{"/Users/sam/shop", "Run /Users/sam/bin/x, not /Users/ann/bin/x.", "Run ~/bin/x, not /Users/ann/bin/x."},
		{"/home/sam", "See /home/samuel/x and /home/sam/x.", "See /home/samuel/x and ~/x."},
		{"/home/sam", "See /mnt/home/sam/x and `/home/sam/y`.", "See /mnt/home/sam/x and `~/y`."},
		{"/src/shop", "Notes live in /home/sam/notes.", "Notes live in /home/sam/notes."},
		{"", "Notes live in /home/sam/notes.", "Notes live in /home/sam/notes."},
	} {
		l := fromHome(c.dir, lessons.Lesson{Wording: lessons.Wording{Content: c.said}})
		if l.Content != c.want {
			t.Errorf("in %q: %q, want %q", c.dir, l.Content, c.want)
		}
	}
}
