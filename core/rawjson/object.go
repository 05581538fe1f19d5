package rawjson

// Field is one member of an object: the place of its name, without quotes, and
// of its value.
type Field struct{ NameLo, NameHi, Lo, Hi int }

// Object is an object whose fields are known, so that they can be asked for by
// name any number of times. It refers to the bytes that it was made of.
type Object struct {
	In     []byte
	Fields []Field
}

// Open makes o the object that starts at b[i], and returns its end. It has no
// more than MaxFields fields if narrow is true.
func (o *Object) Open(b []byte, i int) (end int, narrow bool) {
	o.In, o.Fields, narrow = b, o.Fields[:0], true
	i++
	for {
		i = pass(b, i)
		if i >= len(b) || b[i] == '}' {
			return min(i+1, len(b)), narrow
		}
		f := Field{NameLo: i + 1}
		i = stringEnd(b, i)
		f.NameHi = i - 1
		i = pass(b, i)
		f.Lo = i
		i = End(b, i)
		f.Hi = i
		if narrow = narrow && len(o.Fields) < MaxFields; narrow {
			o.Fields = append(o.Fields, f)
		}
	}
}

// At returns name and value of the i-th field.
func (o *Object) At(i int) (name, val []byte) {
	f := o.Fields[i]
	return Unescape(o.In[f.NameLo:f.NameHi]), o.In[f.Lo:f.Hi]
}

// Get returns the value of the last field with any of the names, nil without
// one.
func (o *Object) Get(names ...string) []byte {
	for i := len(o.Fields) - 1; i >= 0; i-- {
		f := &o.Fields[i]
		for _, name := range names {
			if o.isNamed(f, name) {
				return o.In[f.Lo:f.Hi]
			}
		}
	}
	return nil
}

// isNamed reports whether a field has that name, which is longer where it is
// written with escapes.
func (o *Object) isNamed(f *Field, name string) bool {
	size := f.NameHi - f.NameLo
	if size <= len(name) {
		return size == len(name) && string(o.In[f.NameLo:f.NameHi]) == name
	}
	first := o.In[f.NameLo]
	return (first == '\\' || name != "" && first == name[0]) && string(Unescape(o.In[f.NameLo:f.NameHi])) == name
}

// Has reports whether there is a field with any of the names.
func (o *Object) Has(names ...string) bool { return o.Get(names...) != nil }
