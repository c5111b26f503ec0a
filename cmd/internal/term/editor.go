package term

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// EditorCommand returns the command of the person's editor: VISUAL, EDITOR, or the
// system's default. goos is a GOOS value.
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
	if !c.Interactive() { // vi would wait for keys that nobody can press
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

// Words splits a line at blanks, with quotes as in a shell. A backslash only escapes a
// blank or a quote, because Windows paths contain backslashes. The error means an
// unclosed quote; the words are valid as if it were closed.
func Words(line string) (words []string, err error) {
	var word []byte // nil between words
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if word != nil {
				words, word = append(words, string(word)), nil
			}
			continue
		case c == quote:
			quote = 0
			continue
		case quote == 0 && (c == '"' || c == '\''):
			quote, word = c, append([]byte{}, word...)
			continue
		case c == '\\' && quote != '\'' && i+1 < len(line) && strings.IndexByte(` "'`, line[i+1]) >= 0:
			i++
		}
		word = append(word, line[i])
	}
	if word != nil {
		words = append(words, string(word))
	}
	if quote != 0 {
		err = fmt.Errorf("a quote %c is not closed", quote)
	}
	return words, err
}

// ShellQuote quotes a text for a POSIX shell.
func ShellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 0x7f || strings.ContainsRune("/.-_+:@%,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
