package look

import (
	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
)

// Markdown returns the style for Markdown: no margins or backgrounds, code in the accent
// colour.
func (s *Style) Markdown() ansi.StyleConfig {
	c := styles.NoTTYStyleConfig
	none := uint(0)
	c.Document.Margin, c.Document.BlockPrefix, c.Document.BlockSuffix = &none, "", ""
	yes, said := true, Said+" "
	c.BlockQuote.IndentToken = &said
	c.Strong = ansi.StylePrimitive{Bold: &yes}
	c.Emph = ansi.StylePrimitive{Italic: &yes}
	c.Code.Prefix, c.Code.Suffix = "", ""
	c.CodeBlock.Margin, c.CodeBlock.Chroma = &none, nil
	if p, ok := palettes[s.Name]; ok {
		accent, tool := "#"+p.accent, "#"+p.tool
		c.Code.Color, c.CodeBlock.Color = &tool, &tool
		c.Link.Color, c.LinkText.Color = &accent, &accent
	} else {
		c.Code.Bold = &yes
	}
	return c
}
