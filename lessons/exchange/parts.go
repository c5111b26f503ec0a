package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// A Part is a member of a JSON object, or an element of an array, by the place of its
// value: a format changes that and leaves every other byte as it was.
type Part struct {
	Key      string // "" for an element
	From, To int    // of the value
}

// Parts finds the parts of the object or array that a text is. Base is added to the
// places, for a text that is itself a part.
func Parts(data []byte, base int) ([]Part, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	var out []Part
	for d.More() {
		var p Part
		if open == json.Delim('{') {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			p.Key, _ = k.(string)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		p.To = base + int(d.InputOffset())
		p.From = p.To - len(raw)
		out = append(out, p)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows what should be all of it")
	}
	return out, nil
}
