// Demo plays a list of keys on the real program, on its built-in sample and an emulated
// terminal, and writes what a person would have seen: an asciinema file, an SVG that
// moves, and an SVG of each screen that the list names.
//
//	go run ./docs/demo                     plays docs/demo/keys.txt
//	go run ./docs/demo -to DIR KEYS.txt    another list, and another folder for what is made
//
// A list has a step a line:
//
//	size 110x30      of the terminal; the first step
//	wait TEXT        until the screen shows it
//	press KEY …      j, enter, tab, esc, space, up, ctrl+d, shift+tab, alt+2
//	type TEXT        a letter at a time
//	say TEXT         a caption, until the next one
//	pause SECONDS    how long the viewer has for what is on the screen
//	still NAME       writes NAME.svg of what is on the screen
//	poster           the screen that stands for all where nothing moves
//	end              of the film; what follows is for stills
//
// Time in what is made is that of the list, so that a slow machine makes the same film.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("demo: ")
	to := flag.String("to", filepath.Join("docs", "demo"), "the folder for what is made")
	program := flag.String("program", "", "the program; it is built where there is none")
	flag.Parse()
	if err := render(cmp.Or(flag.Arg(0), filepath.Join("docs", "demo", "keys.txt")), *to, *program); err != nil {
		log.Fatal(err)
	}
}

// render plays a list and writes all that is made of it.
func render(list, to, program string) error {
	steps, err := read(list)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "demo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if program == "" {
		program = filepath.Join(dir, "learnings")
		build := exec.Command("go", "build", "-o", program, "./cmd/learnings")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building the program: %w", err)
		}
	}
	f := &film{}
	if err := f.play(steps, program, dir); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files := map[string][]byte{"demo.cast": f.cast(), "demo.svg": f.moving()}
	for name, fr := range f.stills {
		files[name+".svg"] = f.still(fr)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
		log.Printf("%s, %d kB", filepath.Join(to, name), len(text)/1000)
	}
	return nil
}

// A step is a line of a list.
type step struct {
	at         string // where it stands, for errors
	verb, word string
}

func read(list string) ([]step, error) {
	f, err := os.Open(list)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var steps []step
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		verb, word, _ := strings.Cut(line, " ")
		steps = append(steps, step{fmt.Sprintf("%s:%d", list, n), verb, strings.TrimSpace(word)})
	}
	return steps, lines.Err()
}

// How long the viewer sees a key and a letter, where the list says nothing.
const (
	afterKey    = 0.45
	afterLetter = 0.11
)

// play runs the program and takes a frame after each step that changes the screen.
func (f *film) play(steps []step, program, dir string) error {
	if len(steps) == 0 || steps[0].verb != "size" {
		return errors.New("a list begins with the size of the terminal")
	}
	if _, err := fmt.Sscanf(steps[0].word, "%dx%d", &f.w, &f.h); err != nil {
		return fmt.Errorf("%s: %q is no size such as 110x30", steps[0].at, steps[0].word)
	}
	s, err := start(program, dir, f.w, f.h)
	if err != nil {
		return err
	}
	defer s.close()
	f.stills = map[string]frame{}
	for _, st := range steps[1:] {
		if err := f.take(s, st); err != nil {
			return fmt.Errorf("%s: %s %s: %w", st.at, st.verb, st.word, err)
		}
	}
	return nil
}

func (f *film) take(s *screen, st step) error {
	switch st.verb {
	case "wait":
		if err := s.wait(st.word); err != nil {
			return err
		}
		f.shoot(s, 0)
	case "press":
		for _, key := range strings.Fields(st.word) {
			code, ok := keys[key]
			if letter, ctrl := strings.CutPrefix(key, "ctrl+"); ctrl && len(letter) == 1 {
				code, ok = string(letter[0]&0x1f), true
			}
			if letter, alt := strings.CutPrefix(key, "alt+"); alt && len(letter) == 1 {
				code, ok = "\x1b"+letter, true
			}
			if len([]rune(key)) == 1 {
				code, ok = key, true
			}
			if !ok {
				return fmt.Errorf("there is no key %q", key)
			}
			if err := f.send(s, code, afterKey); err != nil {
				return err
			}
		}
	case "type":
		for _, r := range st.word {
			if err := f.send(s, string(r), afterLetter); err != nil {
				return err
			}
		}
	case "say":
		f.caption = st.word
		f.shoot(s, 0)
	case "pause":
		seconds, err := strconv.ParseFloat(st.word, 64)
		if err != nil {
			return err
		}
		s.settle()
		f.shoot(s, seconds)
	case "still":
		s.settle()
		f.stills[st.word] = f.shoot(s, 0)
	case "end":
		f.over = true
	case "poster":
		f.shoot(s, 0)
		f.poster = len(f.frames) - 1
	default:
		return errors.New("there is no such step")
	}
	return nil
}

var keys = map[string]string{
	"enter": "\r", "tab": "\t", "esc": "\x1b", "space": " ", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"shift+tab": "\x1b[Z", "backspace": "\x7f", "home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~",
}

func (f *film) send(s *screen, code string, seconds float64) error {
	if err := s.send(code); err != nil {
		return err
	}
	s.settle()
	f.shoot(s, seconds)
	return nil
}

// The screen stands still when nothing was written to it for quiet, and is given up
// after patience.
const (
	quiet    = 250 * time.Millisecond
	patience = 20 * time.Second
)
