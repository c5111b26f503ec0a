package term

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// EditorCommand gives the words of the command that runs the person's editor:
// VISUAL, EDITOR, or what every system has. The operating system is named as
// runtime.GOOS does.
func (c *Console) EditorCommand(getenv func(string) string, goos string) ([]string, error) {
	for _, key := range []string{"VISUAL", "EDITOR"} {
		if s := strings.TrimSpace(getenv(key)); s != "" {
			words, err := Words(s)
			if err != nil {
				return nil, fmt.Errorf("%s=%s: %v", key, s, err)
			}
			return words, nil
		}
	}
	if goos == "windows" {
		return []string{"notepad"}, nil
	}
	if !c.Interactive() { // where vi would wait for keys that nobody can press
		return nil, Hint(Usagef("no editor is named, and there is no terminal for vi"), "set VISUAL or EDITOR, or type it in a terminal; `learnings edit ID --content …` changes single fields")
	}
	return []string{"vi"}, nil
}

// RunEditor runs the editor on a file and waits for it.
func (c *Console) RunEditor(editor []string, path string) error {
	if err := c.Out.Flush(); err != nil {
		return err
	}
	program, err := exec.LookPath(editor[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return Hint(fmt.Errorf("there is no editor %q on this machine", editor[0]),
			"set VISUAL or EDITOR to one that there is, or change single fields: `learnings edit ID --content …`")
	}
	cmd := exec.Command(program, append(editor[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.In, c.Out.Raw, c.Err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s failed: %v", editor[0], err)
	}
	return nil
}

// Words splits a line as a shell would, as far as blanks and quotes go.
func Words(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
