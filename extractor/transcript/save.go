package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// Save saves a transcript that did not come in a file, because evidence has to name
// one. It creates the folder, and names the file after its content. The error is
// [ErrNoSession] if the data is not a session of a known agent.
func Save(dir string, data []byte) (path string, err error) {
	format, ok, _ := detectIn(bytes.NewReader(data), int64(len(data)), true) // memory can be read
	if !ok {
		return "", ErrNoSession
	}
	if format == GitHub {
		if data, err = GitHubLines(data); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256(data)
	path = filepath.Join(dir, hex.EncodeToString(sum[:8])+".jsonl")
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("saving a transcript: %w", err)
	}
	return path, nil
}
