package main

import (
	"context"
	"time"

	"learnings/index/recall"
	"learnings/lessons"
)

// tree is the working tree of a project, when the current folder is in it; else nil.
func (a *app) tree(project string) *recall.Tree {
	if a.cwd == "" || project == "" || a.sample || a.project(a.cwd) != project {
		return nil
	}
	return recall.TreeOf(a.cwd, a.places.State, 2*time.Second)
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
	if l.Status != lessons.Approved {
		return nil
	}
	t := a.tree(l.Scope.Project)
	defer t.Close()
	missing := t.Missing(l)
	if len(missing) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return []lessons.Doubt{{Concern: lessons.Outdated, Says: t.Doubt(ctx, missing)}}
}
