package status

import (
	"fmt"
	"strings"
)

// Bars are the shells and programs for which [Snippet] has lines.
var Bars = []string{"bash", "zsh", "fish", "starship", "tmux", "claude"}

// snippets show the short status, by where; CMD is the command. Each begins with a
// comment that says where the lines belong, if comments are known there.
var snippets = map[string]string{
	"bash": `# into ~/.bashrc
PS1='[$(CMD 2>/dev/null)] '"$PS1"
`,
	"zsh": `# into ~/.zshrc
setopt prompt_subst
RPROMPT='$(CMD 2>/dev/null)'
`,
	"fish": `# into ~/.config/fish/config.fish
function fish_right_prompt
    CMD 2>/dev/null
end
`,
	"starship": `# into ~/.config/starship.toml
[custom.learnings]
command = "CMD"
when = true
format = "[$output]($style) "
style = "dimmed"
`,
	"tmux": `# into ~/.tmux.conf
set -g status-interval 15
set -ga status-right ' #(CMD 2>/dev/null)'
`,
	"claude": `{
  "statusLine": { "type": "command", "command": "CMD" }
}
`,
}

// Snippet is what to put into the settings of a shell, a bar or an agent, so that it shows
// the short status by the program at a path. Nobody but the person puts it there.
func Snippet(bar, program string) (string, error) {
	s, ok := snippets[bar]
	if !ok {
		return "", fmt.Errorf("there are no lines for %q; there are for %s", bar, strings.Join(Bars, ", "))
	}
	if strings.ContainsAny(program, " '\"\\$`#()") { // it would have to be quoted twice, in each its way
		program = "learnings-hook"
	}
	return strings.ReplaceAll(s, "CMD", program+" status --short"), nil
}
