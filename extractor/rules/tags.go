package rules

import (
	"slices"
	"sync"
)

// tagWords say of what a lesson speaks.
var tagWords = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"test": "testing", "tests": "testing", "testing": "testing", "tdd": "testing", "coverage": "testing", "e2e": "testing",
		"commit": "git", "commits": "git", "branch": "git", "branches": "git", "rebase": "git", "merge": "git", "worktree": "git", "push": "git", "squash": "git",
		"pr": "review", "prs": "review", "review": "review", "reviewer": "review",
		"docs": "docs", "documentation": "docs", "readme": "docs", "changelog": "docs", "comment": "docs", "comments": "docs", "<doc>": "docs",
		"lint": "lint", "linter": "lint", "fmt": "lint", "format": "lint",
		"name": "naming", "names": "naming", "naming": "naming", "rename": "naming", "spelling": "naming", "called": "naming",
		"error": "errors", "errors": "errors", "log": "logging", "logs": "logging", "logging": "logging",
		"config": "config", "configuration": "config", "settings": "config", "flag": "config", "option": "config",
		"ui": "ui", "button": "ui", "page": "ui", "screen": "ui", "table": "ui", "color": "ui",
		"api": "api", "schema": "schema", "database": "database", "migration": "database", "ci": "ci", "release": "release", "deploy": "release",
		"security": "security", "secret": "security", "secrets": "security", "token": "security", "performance": "performance", "slow": "performance",
		"dependency": "dependencies", "dependencies": "dependencies", "package": "dependencies", "library": "dependencies",
	}
})

func tags(said ...*sentence) []string {
	var out []string
	for _, s := range said {
		for _, w := range s.words {
			if tag := tagWords()[w]; tag != "" && !slices.Contains(out, tag) && len(out) < 4 {
				out = append(out, tag)
			}
		}
	}
	return out
}

// dull are words of many lessons and so of none.
var dull = lazySet(`yeah yep yes hmm okay please thanks let's lets tell told ask asked specifically say said see like think mean know just i'd i'm i've you're we're don't doesn't isn't
	always never instead rather could would want need needs must thing things way good better best sure maybe first actually already still only without everything anything
	something nothing every each same case lot bit kind much one two got give going look looks work works doing done were wasn't lets gonna wanna kinda sorta hey huh yet ever currently right well ensure remember forget whenever every kinds stuff
	anyway otherwise though although however bring note hang sec second`)
