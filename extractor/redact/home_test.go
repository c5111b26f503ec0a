package redact

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
		{"/home/sam/src", "Never write into /home/sam directly, nor to /home/sam.", "Never write into ~ directly, nor to ~."},
		{"/home/sam/src", "Leave /home/sam.bak and /home/sam-old alone.", "Leave /home/sam.bak and /home/sam-old alone."},
		{`C:\Users\sam\shop`, `Notes live in C:\Users\sam\notes.`, `Notes live in ~\notes.`},
		{"/src/shop", "Notes live in /home/sam/notes.", "Notes live in /home/sam/notes."},
		{"", "Notes live in /home/sam/notes.", "Notes live in /home/sam/notes."},
	} {
		l := FromHome(lessons.Lesson{Wording: lessons.Wording{Content: c.said}}, HomeOf(c.dir))
		if l.Content != c.want {
			t.Errorf("in %q: %q, want %q", c.dir, l.Content, c.want)
		}
	}
}
