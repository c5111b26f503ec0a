package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// A schema is the part of a tool's input schema that matters here.
type schema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

// A property is one parameter.
type property struct {
	Type      json.RawMessage `json:"type"`
	Enum      []any           `json:"enum"`
	MinLength *int            `json:"minLength"`
	MaxLength *int            `json:"maxLength"`
	Minimum   *float64        `json:"minimum"`
	Maximum   *float64        `json:"maximum"`
	MaxItems  *int            `json:"maxItems"`
	Items     *property       `json:"items"`
	AnyOf     []property      `json:"anyOf"`
	OneOf     []property      `json:"oneOf"`
}

// of returns the alternative of a parameter for a type, with its limits, and whether it
// accepts values of that type. Without a type it accepts all.
func (p property) of(kind string) (property, bool) {
	either := slices.Concat(p.AnyOf, p.OneOf)
	for _, q := range either {
		if q, ok := q.of(kind); ok && len(q.Type) > 0 {
			return q, true
		}
	}
	return p, len(p.Type) == 0 && len(either) == 0 || strings.Contains(string(p.Type), `"`+kind+`"`)
}

// A form is a tool with the parameter for each field.
type form struct {
	tool  string
	at    map[string]string
	props map[string]property
}

// otherName maps parameters to later names, or to another grammatical number.
var otherName = map[string]string{"project": "scope", "scope": "project", "memory_type": "memory_types", "memory_types": "memory_type"}

// form checks a tool against the server's schema before it is called.
func (c *session) form(key string, t Tool, fields []string) (form, error) {
	f := form{tool: t.Name, at: map[string]string{}}
	tool, ok := c.tools[t.Name]
	if !ok {
		return f, fmt.Errorf("%s.tool: the memory server has no tool %q; it has: %s", key, t.Name, strings.Join(slices.Sorted(maps.Keys(c.tools)), ", "))
	}
	s, err := schemaOf(tool)
	if err != nil {
		return f, fmt.Errorf("the memory server: reading the schema of %s: %w", t.Name, err)
	}
	f.props = s.Properties
	f.unsaid()
	taken := map[string]bool{}
	for _, field := range slices.Sorted(maps.Keys(t.Fields)) {
		param := t.Fields[field]
		_, has := f.props[param]
		switch {
		case !slices.Contains(fields, field):
			return f, fmt.Errorf("%s.field_map: there is no field %q; there are: %s", key, field, strings.Join(fields, ", "))
		case param == "":
			continue
		}
		if other := otherName[param]; !has && len(f.props) > 0 {
			if _, ok := f.props[other]; !ok {
				return f, fmt.Errorf("%s.field_map: the tool %s has no parameter %q for %s; it has: %s", key, t.Name, param, field, strings.Join(slices.Sorted(maps.Keys(f.props)), ", "))
			}
			param = other
		}
		if !taken[param] {
			f.at[field], taken[param] = param, true
		}
	}
	for _, param := range s.Required {
		switch {
		case taken[param]:
		case slices.Contains(fields, param) && f.at[param] == "":
			f.at[param] = param
		default:
			return f, fmt.Errorf("%s.field_map: the tool %s needs the parameter %q, and no field is given to it", key, t.Name, param)
		}
	}
	return f, nil
}

// unsaid adds limits that octobrain enforces without declaring them.
func (f form) unsaid() {
	said := func(name string, least, most int) {
		p, ok := f.props[name]
		if ok && p.MinLength == nil && p.MaxLength == nil {
			p.MinLength, p.MaxLength = &least, &most
			f.props[name] = p
		}
	}
	switch f.tool {
	case "memorize":
		said("title", 5, 200)
		said("content", 10, 10_000)
		if p, ok := f.props["tags"]; ok && p.MaxItems == nil {
			p.MaxItems = new(10)
			f.props["tags"] = p
		}
	case "remember":
		said("query", 3, 500)
	}
}

// A loss is what did not fit into a parameter.
type loss struct {
	field, what string
	all         bool // the field was omitted
}

// fill returns the arguments of a call: each mapped field that is not empty, made to fit.
func (f form) fill(values map[string]any) (args map[string]any, lost []loss) {
	args = map[string]any{}
	for _, field := range slices.Sorted(maps.Keys(f.at)) {
		v, no := f.props[f.at[field]].fit(values[field])
		if no != nil {
			no.field = field
			lost = append(lost, *no)
		}
		if v != nil {
			args[f.at[field]] = v
		}
	}
	return args, lost
}

// fit converts a value to what the parameter accepts; nil for none.
func (p property) fit(v any) (any, *loss) {
	switch v := v.(type) {
	case string:
		q, _ := p.of("string")
		return q.text(v)
	case []string:
		if len(v) == 0 {
			return nil, nil
		}
		q, array := p.of("array")
		if _, one := p.of("string"); one && !array {
			return p.fit(v[0])
		}
		return q.list(v)
	case float64:
		q, _ := p.of("number")
		if q.Minimum != nil {
			v = max(v, *q.Minimum)
		}
		if q.Maximum != nil {
			v = min(v, *q.Maximum)
		}
		return v, nil
	case bool:
		if !v {
			return nil, nil
		}
	}
	return v, nil
}

// text counts bytes against the maximum and characters against the minimum, because it is
// unknown which of them a server counts.
func (p property) text(s string) (any, *loss) {
	switch {
	case s == "":
		return nil, nil
	case p.MinLength != nil && utf8.RuneCountInString(s) < *p.MinLength:
		return nil, &loss{what: fmt.Sprintf("is shorter than the %d letters that it wants", *p.MinLength), all: true}
	case p.MaxLength != nil && len(s) > *p.MaxLength:
		return nil, &loss{what: fmt.Sprintf("is longer than the %d bytes that it takes", *p.MaxLength), all: true}
	case len(p.Enum) > 0 && !slices.Contains(p.Enum, any(s)):
		return nil, &loss{what: fmt.Sprintf("is %q, which it does not know", s), all: true}
	}
	if _, one := p.of("string"); !one {
		if _, array := p.of("array"); array {
			return []string{s}, nil
		}
	}
	return s, nil
}

func (p property) list(words []string) (any, *loss) {
	var out []string
	item := property{}
	if p.Items != nil {
		item = *p.Items
	}
	for _, w := range words {
		if v, _ := item.text(w); v != nil && (p.MaxItems == nil || len(out) < *p.MaxItems) {
			out = append(out, w)
		}
	}
	var no *loss
	if n := len(words) - len(out); n > 0 {
		no = &loss{what: fmt.Sprintf("are %d too many or too long", n), all: len(out) == 0}
	}
	if len(out) == 0 {
		return nil, no
	}
	return out, no
}
