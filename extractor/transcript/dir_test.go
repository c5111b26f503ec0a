package transcript

import "testing"

// TestPlaces: where a format does not say where the agent worked, the paths of
// its calls do.
func TestPlaces(t *testing.T) {
	call := func(path, command string) Turn {
		return Turn{Speaker: Agent, Kind: Call, Tool: &ToolCall{Path: path, Command: command}}
	}
	for name, c := range map[string]struct {
		turns []Turn
		want  string
	}{
		"nothing":                   {nil, ""},
		"too few":                   {[]Turn{call("/home/sam/shop/a.go", "")}, ""},
		"below the sources":         {[]Turn{call("/home/sam/shop/src/a.go", ""), call("/home/sam/shop/src/cart/b.go", ""), call("/home/sam/shop/src/cart/c.go", "")}, "/home/sam/shop"},
		"a root":                    {[]Turn{call("/home/sam/shop/README.md", ""), call("/home/sam/shop/web/cart/b.go", ""), call("/home/sam/shop/web/cart/c.go", "")}, "/home/sam/shop"},
		"commands":                  {[]Turn{call("", "cd /Users/sam/code/shop && go test"), call("", "cd /Users/sam/code/shop && ls"), call("", "cat /Users/sam/code/shop/a.go")}, "/Users/sam/code/shop"},
		"what tools answer":         {[]Turn{{Speaker: Tool, Kind: Result, Text: "/home/sam/shop/a.go:1: x\n/home/sam/shop/b.go:2: y\n/home/sam/shop/c.go:3: z"}}, "/home/sam/shop"},
		"not what a person pasted":  {[]Turn{{Speaker: Person, Kind: Message, Text: "/home/sam/shop/a.go:1: x\n/home/sam/shop/b.go:2: y\n/home/sam/shop/c.go:3: z"}}, ""},
		"nor what belongs to none":  {[]Turn{call("/tmp/a/b.go", ""), call("/home/sam/.claude/x.md", ""), call("/usr/lib/a.py", ""), call("/home/sam/notes.md", "")}, ""},
		"most of them elsewhere":    {[]Turn{call("/home/sam/shop/a/a.go", ""), call("/home/sam/shop/a/b.go", ""), call("/home/sam/shop/a/c.go", ""), call("/home/sam/bank/d.go", "")}, "/home/sam/shop/a"},
		"as many here as elsewhere": {[]Turn{call("/home/sam/shop/a.go", ""), call("/home/sam/shop/b.go", ""), call("/home/sam/bank/c.go", ""), call("/home/sam/bank/d.go", "")}, ""},
		"hostile":                   {[]Turn{call("/../../..", ""), call("//", "cd /home/../../etc"), call("/home/x/../y/z/..", "")}, ""},
	} {
		var p placesOf
		for i := range c.turns {
			p.see(&c.turns[i])
		}
		if got := p.guess(); got != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, got, c.want, p.folders)
		}
	}
}
