// Package chroma has just enough of the real chroma for glamour to build, and colours
// nothing. The desk draws code in one colour, but the real package reads 300 languages
// and 70 styles at each start, a third of the time of a verb. The replace directive in
// go.mod puts this module in its place. If glamour begins to use more of chroma, the
// build fails here: add what it names.
package chroma

// A TokenType is a kind of token in code.
type TokenType int

// The kinds that glamour colours.
const (
	Text TokenType = iota
	Error
	Comment
	CommentPreproc
	Keyword
	KeywordReserved
	KeywordNamespace
	KeywordType
	Operator
	Punctuation
	Name
	NameBuiltin
	NameTag
	NameAttribute
	NameClass
	NameConstant
	NameDecorator
	NameException
	NameFunction
	NameOther
	Literal
	LiteralNumber
	LiteralDate
	LiteralString
	LiteralStringEscape
	GenericDeleted
	GenericEmph
	GenericInserted
	GenericStrong
	GenericSubheading
	Background
)

// StyleEntries are the colours of a style.
type StyleEntries map[TokenType]string

// A Style is empty.
type Style struct{}

// MustNewStyle returns an empty style.
func MustNewStyle(string, StyleEntries) *Style { return &Style{} }
