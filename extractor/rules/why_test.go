package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"learnings/lessons"
)

// Whatever the rules give as the reason of a proposal is one plain sentence to the person:
// what a sign, a wording or a form says, and what [reasons] adds.
func TestEveryReasonIsPlain(t *testing.T) {
	var all []string
	for _, s := range signs() {
		all = append(all, s.says)
	}
	for _, f := range forms {
		all = append(all, f.says)
	}
	for _, s := range sectionsOf("phrases.txt") {
		all = append(all, s.says)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "rules.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && len(c.Args) == 1 {
			if name, ok := c.Fun.(*ast.Ident); ok && name.Name == "add" {
				ast.Inspect(c.Args[0], func(n ast.Node) bool {
					if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
						s, _ := strconv.Unquote(l.Value)
						if !strings.HasPrefix(s, " ") { // the end of "refused … and said why"
							all = append(all, s)
						}
					}
					return true
				})
			}
		}
		return true
	})
	if len(all) < 30 {
		t.Fatalf("found only %q", all)
	}
	for _, says := range all {
		if says == "" {
			continue
		}
		l := lessons.Lesson{Origin: lessons.Origin{Extractor: Name, Rule: says}, Evidence: []lessons.Evidence{{By: lessons.ByPerson, Quote: "x"}}}
		if got := l.Why(); !strings.HasPrefix(got, "you ") && !strings.HasPrefix(got, "the agent ") {
			t.Errorf("%q is given as %q: lessons.Why does not know it", says, got)
		}
	}
}
