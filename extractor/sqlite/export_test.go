package sqlite

import "bytes"

// ReadBytes is Read for a database and its log in memory.
func ReadBytes(db, log []byte, use func(*DB) error) error {
	d, err := open(bytes.NewReader(db), int64(len(db)), bytes.NewReader(log))
	if err != nil {
		return err
	}
	return use(d)
}
