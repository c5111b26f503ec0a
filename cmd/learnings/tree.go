package main

import (
	"context"
	"time"

	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/desk"
)

// tree is the working tree of a project, when the current folder is in it; else nil.
func (a *app) tree(project string) *recall.Tree { return a.treeWithin(project, 2*time.Second) }

func (a *app) treeWithin(project string, limit time.Duration) *recall.Tree {
	if a.cwd == "" || project == "" || a.sample || a.project(a.cwd) != project {
		return nil
	}
	return recall.TreeOf(a.cwd, a.places.State, limit)
}

// missing are the names in a lesson of what its project no longer has.
func (a *app) missing(l lessons.Lesson) (names []string) {
	t := a.tree(l.Scope.Project)
	defer t.Close()
	for _, c := range t.Missing(l) {
		names = append(names, c.String())
	}
	return names
}

// outdated says what a lesson names that its project no longer has, and since when; nil
// for nothing.
func (a *app) outdated(ctx context.Context, l lessons.Lesson) []lessons.Doubt {
	t := a.tree(l.Scope.Project)
	defer t.Close()
	return outdatedIn(ctx, t, l)
}

// outdatedIn says what a lesson names that the tree of its project no longer has.
func outdatedIn(ctx context.Context, t *recall.Tree, l lessons.Lesson) []lessons.Doubt {
	if l.Status != lessons.Approved || ctx.Err() != nil {
		return nil
	}
	missing := t.Missing(l)
	if len(missing) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return []lessons.Doubt{{Concern: lessons.Outdated, Says: t.Doubt(ctx, missing)}}
}

// lookAgain gives the approved lessons of a project, or of all for "", that a person should
// look at again, those that are outdated included. What is not found in the tree within
// the limit counts as there until the next look, which goes on. The last argument has
// further reasons, and may be nil.
func (a *app) lookAgain(ctx context.Context, x *index.Index, project string, limit time.Duration, more func(lessons.Lesson) []lessons.Doubt) (curate.Doubts, error) {
	here := a.project(a.cwd)
	t := a.treeWithin(here, limit)
	defer t.Close()
	known := map[lessons.ID][]lessons.Doubt{}
	return curate.LookAgain(ctx, x, project, a.now(), func(l lessons.Lesson) []lessons.Doubt {
		if _, ok := known[l.ID]; ok {
			return known[l.ID]
		}
		var says []lessons.Doubt
		if l.Scope.Project == here {
			says = outdatedIn(ctx, t, l)
		}
		if more != nil {
			says = append(says, more(l)...)
		}
		known[l.ID] = says
		return says
	})
}

// deskTree has the desk say what is out of date.
func deskTree(a *app, x *index.Index, c *desk.Config) {
	c.Outdated = a.outdated
	c.AllOutdated = func(ctx context.Context) ([]lessons.Lesson, error) {
		ds, err := a.lookAgain(ctx, x, a.project(a.cwd), 3*time.Second, nil) // who quits waits for it
		return ds.For(lessons.Outdated), err
	}
}
