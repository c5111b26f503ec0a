// Package quick writes code without colours.
package quick

import "io"

// Highlight writes the source unchanged.
func Highlight(w io.Writer, source, lexer, formatter, style string) error {
	_, err := io.WriteString(w, source)
	return err
}
