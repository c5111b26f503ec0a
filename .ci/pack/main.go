// Pack makes an archive of a folder, a zip for Windows and else a tar.gz, with nothing in
// it of the machine or the moment: files in the order of their names, one date
// (SOURCE_DATE_EPOCH), no owner. With -sums it writes the SHA256SUMS of a folder, with -list
// it prints the names of the files in an archive that are not empty.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	if len(os.Args) != 3 {
		log.Fatal("usage: pack FOLDER TO, pack -sums FOLDER, or pack -list ARCHIVE")
	}
	var err error
	switch os.Args[1] {
	case "-sums":
		err = sums(os.Args[2])
	case "-list":
		err = list(os.Args[2])
	default:
		err = pack(os.Args[1], os.Args[2])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// add adds a file to an archive.
type add func(name string, mode fs.FileMode, text []byte) error

func pack(dir, to string) error {
	epoch, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %v", err)
	}
	when := time.Unix(epoch, 0).UTC()
	var b bytes.Buffer
	name := filepath.Base(dir)
	file := name + ".tar.gz"
	var put add
	var done func() error
	if strings.Contains(name, "-windows-") {
		file = name + ".zip"
		put, done = zipped(&b, when)
	} else {
		put, done = tarred(&b, when)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // in lexical order
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if base := filepath.Base(path); !strings.Contains(filepath.ToSlash(rel), "/") && strings.HasPrefix(base, "learnings") {
			mode = 0o755
		}
		return put(name+"/"+filepath.ToSlash(rel), mode, text)
	})
	if err != nil {
		return err
	}
	if err := done(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, file), b.Bytes(), 0o644)
}

func tarred(w io.Writer, when time.Time) (add, func() error) {
	z, _ := gzip.NewWriterLevel(w, gzip.BestCompression)
	t := tar.NewWriter(z)
	put := func(name string, mode fs.FileMode, text []byte) error {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(mode), Size: int64(len(text)), ModTime: when, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		_, err := t.Write(text)
		return err
	}
	return put, func() error {
		if err := t.Close(); err != nil {
			return err
		}
		return z.Close()
	}
}

func zipped(w io.Writer, when time.Time) (add, func() error) {
	z := zip.NewWriter(w)
	put := func(name string, mode fs.FileMode, text []byte) error {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: when}
		h.SetMode(mode)
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		return err
	}
	return put, z.Close
}

func sums(dir string) error {
	entries, err := os.ReadDir(dir) // in the order of their names
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		if e.Name() == "SHA256SUMS" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(text), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(b.String()), 0o644)
}

// list prints the names of the files in an archive that are not empty.
func list(archive string) error {
	if strings.HasSuffix(archive, ".zip") {
		z, err := zip.OpenReader(archive)
		if err != nil {
			return err
		}
		defer z.Close()
		for _, f := range z.File {
			if f.UncompressedSize64 > 0 {
				fmt.Println(f.Name)
			}
		}
		return nil
	}
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	g, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for t := tar.NewReader(g); ; {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case h.Size > 0:
			fmt.Println(h.Name)
		}
	}
}
