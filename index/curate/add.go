package curate

import (
	"errors"
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
	"learnings/lessons/store"
)

// Add stores a lesson that a person wrote and makes it active.
func (c *Corpus) Add(l lessons.Lesson) (lessons.Lesson, error) {
	l, err := l.Approve(c.decision(""))
	if err != nil {
		return l, err
	}
	return one(c.put(store.Write{Op: lessons.OpAdd}, l))
}

// Propose puts a lesson into the queue and ignores its status. It is no decision: an agent
// may propose too, under its own name, and a person's undo does not take it back.
func (c *Corpus) Propose(l lessons.Lesson) (lessons.Lesson, error) {
	l.Status, l.Decided = lessons.Pending, lessons.Decision{}
	w := store.Write{Op: lessons.OpAdd, By: c.By, Undoable: c.Agent == "", How: c.Manner}
	if c.Agent != "" {
		w.By = c.Agent
	}
	return one(c.Store.Put(w, l))
}

func one(ls []lessons.Lesson, err error) (lessons.Lesson, error) {
	if err != nil {
		return lessons.Lesson{}, err
	}
	return ls[0], nil
}

// RenameProject moves the lessons of one project to another and returns how many it moved.
// It skips a file that cannot be read, with a warning.
func (c *Corpus) RenameProject(from, to string) (moved int, err error) {
	if err := c.MayDecide("rename projects"); err != nil {
		return 0, err
	}
	var ls []lessons.Lesson
	for l, err := range c.Store.All() {
		if errors.As(err, new(*file.Error)) {
			c.warn(err)
		} else if err != nil {
			return 0, fmt.Errorf("reading the lessons of %s: %w", from, err)
		} else if l.Scope.Project == from {
			l.Scope.Project = to
			ls = append(ls, l)
		}
	}
	if len(ls) == 0 {
		return 0, nil
	}
	_, err = c.put(store.Write{Op: lessons.OpRename}, ls...)
	return len(ls), err
}

// maxProjectName is the most bytes that the name of a folder may have.
const maxProjectName = 255

// CheckProject returns an error if the name cannot be that of a repository's folder.
func CheckProject(name string) error {
	switch {
	case strings.TrimSpace(name) == "" || strings.Trim(name, ".") == "":
		return fmt.Errorf("%q is no name for a project", name)
	case strings.ContainsAny(name, "/\\\x00") || lessons.Hidden(name):
		return fmt.Errorf("%q is no name for a project: it has a path separator or characters that cannot be seen", name)
	case len(name) > maxProjectName:
		return fmt.Errorf("the name of a project has at most %d bytes; this one has %d", maxProjectName, len(name))
	}
	return nil
}
