package lessons_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"learnings/lessons"
)

// TestOps checks that Ops lists every constant of its type, so that a filter by one
// of them is not refused.
func TestOps(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "change.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Op" {
			return true
		}
		n++
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(lessons.Ops, lessons.Op(name)) {
			t.Errorf("Ops has no %q", name)
		}
		return true
	})
	if n != len(lessons.Ops) {
		t.Errorf("%d constants, and %d in Ops", n, len(lessons.Ops))
	}
}
