package hook

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestHookSettings checks that the settings in help are valid JSON and call existing
// events.
func TestHookSettings(t *testing.T) {
	for _, name := range []string{"Claude Code", "Codex", "Gemini CLI"} {
		_, text, _ := strings.Cut(Help, "In "+name+"'s ")
		_, text, _ = strings.Cut(text, "\n\n")
		text, _, _ = strings.Cut(text, "\n\n")
		var settings struct {
			Hooks map[string][]struct {
				Hooks []struct {
					Type, Command string
					Args          []string
					Timeout       int
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &settings); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(settings.Hooks) < 3 {
			t.Errorf("%s: %d events", name, len(settings.Hooks))
		}
		for event, groups := range settings.Hooks {
			for _, h := range groups[0].Hooks {
				call := append(strings.Fields(h.Command), h.Args...)
				if h.Type != "command" || len(call) != 5 || call[3] != "--for" || !slices.Equal(call[:2], []string{"learnings-hook", "hook"}) || h.Timeout == 0 {
					t.Errorf("%s, %s: %+v", name, event, h)
					continue
				}
				if !slices.Contains(Events(), call[2]) {
					t.Errorf("%s, %s: no such event %q", name, event, call[2])
				}
			}
		}
	}
}
