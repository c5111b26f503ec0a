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
	if s.code == "" {
		c.Code.Bold = &yes
		return c
	}
	code, link := markdown(s.code), markdown(s.link)
	c.Code.Color, c.CodeBlock.Color = &code, &code
	c.Link.Color, c.LinkText.Color = &link, &link
	return c
}

// markdown returns a colour of a palette as Glamour writes it.
func markdown(c string) string {
	if len(c) == 6 {
		return "#" + c
	}
	return c
}
