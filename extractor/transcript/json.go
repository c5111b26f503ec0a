package transcript

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Most bytes of a transcript are tool output that nobody reads. So this file checks a line
// once without decoding it, and then decodes only the values that are wanted.

// maxDepth bounds the nesting of arrays and objects, so that a line of
// brackets cannot exhaust the stack.
const maxDepth = 512

var (
	errCut   = errors.New("JSON ends too soon")
	errDeep  = fmt.Errorf("JSON nested deeper than %d levels", maxDepth)
	errShape = errors.New("not a JSON object")
)

// A raw is the checked text of one JSON value, or nil for a missing one. Its methods
// return zero values if the value has another type.
type raw []byte

// A field is one member of an object.
type field struct {
	key []byte // as written: keys with escapes never match
	val raw
}

// An object is the members of one JSON object, in the order of the file.
type object []field

// get returns the last member named key, as other JSON readers do.
func (o object) get(key string) raw {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].key) == key {
			return o[i].val
		}
	}
	return nil
}

// each walks the object or list that opens at b[i]. It calls item with the key, nil in
// a list, and the offset of each value; item returns the offset after the value. each
// returns the offset after the whole, or of the error.
func each(b []byte, i int, item func(key []byte, at int) (end int, err error)) (int, error) {
	opening := b[i]
	closing := opening + 2 // in ASCII
	if i = space(b, i+1); i < len(b) && b[i] == closing {
		return i + 1, nil
	}
	for {
		var key []byte
		var err error
		if opening == '{' {
			if key, i, err = checkKey(b, i); err != nil {
				return i, err
			}
		}
		if i, err = item(key, i); err != nil {
			return i, err
		}
		switch i = space(b, i); {
		case i >= len(b):
			return i, errCut
		case b[i] == closing:
			return i + 1, nil
		case b[i] != ',':
			return i, &badByte{b[i], i}
		}
		i = space(b, i+1)
	}
}

// parseObject checks the object at b[i], after white space, and appends its members to
// dst. It returns the offset after the object. With an error it returns the members
// found before.
func parseObject(b []byte, i int, dst object) (object, int, error) {
	if i = space(b, i); i >= len(b) {
		return dst, i, errCut
	}
	if b[i] != '{' {
		_, err := check(b, i, 0)
		return dst, i, cmp.Or(err, errShape)
	}
	end, err := each(b, i, func(key []byte, at int) (int, error) {
		end, err := check(b, at, 1)
		if err == nil {
			dst = append(dst, field{key, b[at:end]})
		}
		return end, err
	})
	return dst, end, err
}

// checkKey checks a key and its colon. It returns the key without quotes and the offset
// of the value.
func checkKey(b []byte, i int) ([]byte, int, error) {
	if i >= len(b) {
		return nil, i, errCut
	}
	if b[i] != '"' {
		return nil, i, &badByte{b[i], i}
	}
	end, err := checkString(b, i+1)
	if err != nil {
		return nil, end, err
	}
	colon := space(b, end)
	if colon >= len(b) {
		return nil, colon, errCut
	}
	if b[colon] != ':' {
		return nil, colon, &badByte{b[colon], colon}
	}
	return b[i+1 : end-1], space(b, colon+1), nil
}

// check checks the value at b[i] and returns the offset after it.
func check(b []byte, i, depth int) (int, error) {
	if i >= len(b) {
		return i, errCut
	}
	switch b[i] {
	case '"':
		return checkString(b, i+1)
	case '{', '[':
		if depth++; depth > maxDepth {
			return i, errDeep
		}
		return each(b, i, func(_ []byte, at int) (int, error) { return check(b, at, depth) })
	}
	return checkWord(b, i)
}

// checkString checks a string from after its opening quote and returns the offset after
// the closing one.
func checkString(b []byte, i int) (int, error) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for {
		for i+8 <= len(b) { // most of a transcript is plain text
			x := binary.LittleEndian.Uint64(b[i:])
			quote, slash := x^(ones*'"'), x^(ones*'\\')
			// The lowest bit set is exact; those above it may be borrows.
			hit := ((x-ones*0x20)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & tops
			if hit != 0 {
				i += bits.TrailingZeros64(hit) >> 3
				break
			}
			i += 8
		}
		if i >= len(b) {
			return i, errCut
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, nil
		case c < 0x20:
			return i, &badByte{b[i], i}
		case c == '\\':
			n, err := checkEscape(b, i)
			if err != nil {
				return i, err
			}
			i += n
		default:
			i++
		}
	}
}

// checkEscape returns the length of the escape at b[i].
func checkEscape(b []byte, i int) (int, error) {
	if i+1 >= len(b) {
		return 0, errCut
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, nil
	case 'u':
		if i+6 > len(b) {
			return 0, errCut
		}
		if _, err := hex.Decode(make([]byte, 2), b[i+2:i+6]); err == nil {
			return 6, nil
		}
	}
	return 0, &badByte{b[i+1], i + 1}
}

// checkWord checks a number, true, false or null.
func checkWord(b []byte, i int) (int, error) {
	end := i
	for end < len(b) && strings.IndexByte("+-.0123456789Eaeflnrstu", b[end]) >= 0 {
		end++
	}
	switch {
	case json.Valid(b[i:end]):
		return end, nil
	case end > i && end == len(b):
		return end, errCut
	}
	return i, &badByte{b[i], i}
}

// A badByte is the offset at which JSON becomes invalid.
type badByte struct {
	b  byte
	at int // in what was parsed
}

func (e *badByte) Error() string {
	return fmt.Sprintf("not JSON: byte %#02x at column %d", e.b, e.at+1)
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// either returns the first of two values that exists.
func either(a, b raw) raw {
	if a != nil {
		return a
	}
	return b
}

func (v raw) is(kind byte) bool { return len(v) > 0 && v[0] == kind }
func (v raw) isTrue() bool      { return string(v) == "true" }
func (v raw) isString() bool    { return v.is('"') }

// failed reports whether v is the exit code of a command that failed.
func (v raw) failed() bool { return v != nil && string(v) != "0" && string(v) != "null" }

// members appends the members of an object to dst.
func (v raw) members(dst object) object {
	if v.is('{') {
		dst, _, _ = parseObject(v, 0, dst) // already checked
	}
	return dst
}

// get returns the member at a path of keys. For more than two of them, members is
// cheaper.
func (v raw) get(keys ...string) raw {
	for _, k := range keys {
		var few [24]field
		v = v.members(few[:0]).get(k)
	}
	return v
}

// elements yields the elements of an array.
func (v raw) elements() iter.Seq[raw] {
	return func(yield func(raw) bool) {
		if !v.is('[') {
			return
		}
		_, _ = each(v, 0, func(_ []byte, at int) (int, error) {
			end, err := check(v, at, 0)
			if err == nil && !yield(v[at:end]) {
				err = errStop
			}
			return end, err
		})
	}
}

// equals reports whether v is the string s. A string with escapes never is.
func (v raw) equals(s string) bool {
	return len(v) == len(s)+2 && v[0] == '"' && string(v[1:len(v)-1]) == s
}

// valid returns b as a string, with U+FFFD for invalid UTF-8.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// text decodes a string. Invalid UTF-8 and halves of surrogate pairs become U+FFFD.
func (v raw) text() string {
	if !v.isString() {
		return ""
	}
	return unescape(v[1 : len(v)-1])
}

// cut decodes at most MaxText bytes of a string, head and tail, and skips what is
// between.
func (v raw) cut() string {
	if !v.isString() {
		return ""
	}
	s := v[1 : len(v)-1]
	if len(s) <= 4*MaxText {
		return cutText(unescape(s))
	}
	head, tail := s[:MaxText], bytes.TrimLeft(s[len(s)-MaxText:], `\"`) // which begins with no half of an escape
	if i := bytes.LastIndexByte(head, '\\'); i > MaxText-len(`\u0000`) {
		head = bytes.TrimRight(head[:i], `\`) // the escape may be cut
	}
	return joinCut(unescape(head), unescape(tail), len(s))
}

// json returns the value as written, cut to MaxText.
func (v raw) json() string { return cutText(valid(v)) }

// cutText keeps head and tail of s when it is longer than MaxText.
func cutText(s string) string {
	if len(s) <= MaxText {
		return s
	}
	return joinCut(s, s, len(s))
}

// joinCut joins the start of head and the end of tail to at most MaxText bytes, with a
// mark that counts what is missing of a text of size bytes.
func joinCut(head, tail string, size int) string {
	const room = 48 // for the mark
	h, from := min((MaxText-room)*2/3, len(head)), max(len(tail)-(MaxText-room)/3, 0)
	for h > 0 && h < len(head) && !utf8.RuneStart(head[h]) {
		h--
	}
	for from < len(tail) && !utf8.RuneStart(tail[from]) {
		from++
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", head[:h], size-h-len(tail)+from, tail[from:])
}

// unescape decodes the inside of a checked string.
func unescape(s []byte) (out string) {
	if bytes.IndexByte(s, '\\') < 0 {
		return valid(s)
	}
	_ = json.Unmarshal([]byte(`"`+valid(s)+`"`), &out)
	return out
}
