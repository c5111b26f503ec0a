package main

import (
	"path/filepath"
	"time"

	"learnings/lessons/claims"
)

// tree is the working tree of a project, when the current folder is in it; else nil.
func (a *app) tree(project string) *claims.Tree {
	if a.cwd == "" || project == "" || a.project(a.cwd) != project || a.sample {
		return nil
	}
	return claims.Open(a.cwd, claims.Options{Cache: filepath.Join(a.places.State, claims.Folder), Limit: 2 * time.Second})
}
