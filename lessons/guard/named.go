package guard

import (
	"slices"
	"strings"
)

// Commands returns the commands that a call runs, as lists of words, including those
// after sudo and in bash -c "…".
func (c *Call) Commands() [][]string {
	if c.Command == "" {
		return nil
	}
	return c.read().commands
}

// Changes returns the files that a call changes, by a file tool or in a shell.
func (c *Call) Changes() []string {
	if !strings.ContainsAny(c.Command, "> ") {
		return c.Files
	}
	return slices.Concat(c.Files, c.read().writes)
}

// readers are programs that show files.
var readers = words("cat bat head tail less more nl sed awk wc tac")

// Reads returns the files that a call reads, by a file tool or one of readers in a shell.
func (c *Call) Reads() []string {
	out := slices.Clone(c.Seen)
	for _, words := range c.Commands() {
		if !readers[base(words[0])] {
			continue
		}
		for _, w := range words[1:] {
			if !dashed(w) && strings.ContainsAny(w, "./") && !strings.ContainsAny(w, unknown+"*? \t,;{}$") {
				out = append(out, w)
			}
		}
	}
	return out
}

// readsFiles reports whether a tool's name says that it shows files: Read, read_file,
// view.
func readsFiles(tool string) bool {
	tool = strings.ToLower(tool)
	return strings.Contains(tool, "read") && !strings.Contains(tool, "todo") || strings.HasPrefix(tool, "view") || tool == "open_file"
}

// Mentions returns the commands that a text names, as patterns without flags: commands in
// backticks, and programs whose names are not English words, with their sub-command. A
// program without one counts only if the sentence is about its use, as in "use pnpm
// instead of npm".
func Mentions(text string) (out []Pattern) {
	if len(text) > maxSentence {
		text = text[:maxSentence]
	}
	add := func(words []string) {
		if words = subject3(words); len(words) == 0 {
			return
		}
		p := Pattern{Words: words}
		if !slices.ContainsFunc(out, func(o Pattern) bool { return slices.Equal(o.Words, p.Words) }) {
			out = append(out, p)
		}
	}
	for _, s := range sentences(tokens(text)) {
		for i, t := range s {
			switch {
			case t.span && (isCommand(t.text, anyCommand) || i > 0 && runVerbs[s[i-1].low] && isCommand(t.text, runs)), t.span && strings.Contains(t.text, " && "):
				for _, c := range parse(t.text).plain {
					if name := base(c[0]); isCommand(strings.Join(c, " "), anyCommand) || runVerbs[s[max(i-1, 0)].low] && name != "cd" {
						add(c)
					}
				}
			case isCommandWord(t):
				words := []string{t.text}
				if i+1 < len(s) && !s[i+1].mark && !s[i+1].span && slices.Contains(subs[t.text], s[i+1].low) {
					words = append(words, s[i+1].low)
					switch next := i + 2; {
					case next < len(s) && (slices.Contains(acts, s[next].low) || s[i+1].low == "run" && !s[next].mark) && deeper[s[i+1].low]:
						words = append(words, s[next].low)
					case s[i+1].low == "run":
						continue // does not say what is run
					}
				}
				if len(words) > 1 || used(s, i) {
					add(words)
				}
			}
		}
	}
	return out
}

// Sub-commands that say too little without the next word, and next words that count
// outside of backticks.
var (
	deeper = words("run run-script exec compose tool mod pr issue release repo workflow pip stash worktree submodule remote x dlx")
	acts   = strings.Fields("create merge edit view list checkout close review ready add remove up down build logs install tidy")
)

// subject3 returns up to three words that tell what a command does, without flags, paths
// and expansions.
func subject3(command []string) []string {
	if len(command) == 0 || strings.Contains(command[0], unknown) {
		return nil
	}
	name := base(command[0])
	out := []string{command[0]}
	values := strings.Fields(takesValue[name])
	for i := 1; i < len(command) && len(out) < 3; i++ {
		switch w := command[i]; {
		case slices.Contains(values, w):
			i++
		case dashed(w):
		case strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-_:") != "" || len(out) == 2 && !deeper[out[1]] || !hasSubs(name):
			i = len(command)
		default:
			out = append(out, w)
		}
	}
	if len(out) == 1 && needsSub[name] {
		return nil
	}
	return out
}

// hasSubs reports whether a program's first operand is a sub-command.
func hasSubs(name string) bool {
	return subs[name] != nil || takesValue[name] != "" || strings.Contains(" npx bun deno just task mix rake rails bundle composer brew systemctl dotnet uvx pipx conda pdm hatch nx turbo ", " "+name+" ")
}

// used reports whether a sentence is about using the program at a position: it begins
// with it, or says to use it or not to.
func used(s []token, at int) bool {
	if needsSub[s[at].text] {
		return false
	}
	for i := at - 1; i >= max(at-3, 0) && !s[i].mark; i-- {
		low := s[i].low
		if !s[i].span && (usings[low] || runVerbs[low] || useVerbs[low] || positives[low] || low == "of" && i > 0 && s[i-1].low == "instead") {
			return true
		}
	}
	return at == 0
}

// usings are words, besides verbs, that precede a program to use or not to use.
var usings = words("never not don't avoid than over via through with by or")
