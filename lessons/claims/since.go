package claims

import (
	"context"
	"strings"
)

// Since asks git which commit took away what is missing: "1a2b3c4 (2026-05-01)"; "" where
// that cannot be told in time.
func (t *Tree) Since(ctx context.Context, c Claim) string {
	if t == nil || t.git.dir == "" {
		return ""
	}
	args := []string{"log", "-1", "--no-ext-diff", "--no-textconv", "--format=%h (%cs)"}
	name := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
	switch c.Kind {
	case Path:
		args = append(args, "--diff-filter=D", "--no-renames", "--", ":(glob,icase)**/"+c.Name, ":(glob,icase)**/"+c.Name+"/**")
	case Symbol:
		args = append(args, "-S"+name)
	default:
		args = append(args, "-S"+c.Name)
	}
	out, err := t.command(ctx, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Doubt says what is missing to a person: "may be out of date: `x` is gone since
// 1a2b3c4 (2026-05-01)".
func (t *Tree) Doubt(ctx context.Context, missing []Claim) string {
	var says []string
	for _, c := range missing {
		one := "`" + c.String() + "` is gone"
		if since := t.Since(ctx, c); since != "" {
			one += " since " + since
		}
		says = append(says, one)
	}
	if len(says) == 0 {
		return ""
	}
	return "may be out of date: " + strings.Join(says, ", ")
}
