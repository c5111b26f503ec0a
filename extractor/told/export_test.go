package told

// Quoted is the words of a text that a quote means; "" for none.
func Quoted(text, quote string) string {
	if quote = fold(quote); quote == "" {
		return ""
	}
	words, _ := within(text, quote)
	return words
}
