package export

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filter"
	"winnow/core/recipe"
)

// writeBeside writes the files that belong to a data set beside its records.
func (f *dataset) writeBeside(opts *Options, r *Report, files []File) error {
	if f.emitter.beside != nil {
		for _, side := range f.emitter.beside(files) {
			if err := f.write(side.Name, side.Data); err != nil {
				return err
			}
		}
	}
	d := f.describe(opts, r)
	card, err := recipe.Card(d)
	if err != nil {
		return err
	}
	if err := f.write(cardName, card); err != nil {
		return err
	}
	all, err := recipe.Recipes(d)
	if err != nil {
		return err
	}
	for _, one := range all {
		if err := f.write(path.Join(recipeFolder, one.Name), one.Data); err != nil {
			return err
		}
	}
	return nil
}

// describe collects what the card and the recipes say.
func (f *dataset) describe(opts *Options, r *Report) *recipe.Data {
	name := filepath.Base(f.path)
	if full, err := filepath.Abs(f.path); err == nil {
		name = filepath.Base(full)
	}
	d := &recipe.Data{
		Name: name, Program: opts.Program, Format: f.emitter.Name, Description: f.emitter.Description, Losses: f.emitter.Losses,
		Samples: r.Written, Rows: r.Rows, Tokens: r.Tokens, Longest: f.longest, Trained: r.Trained,
		Types: countsOf(r.Types), Tools: countsOf(r.Tools), LeftOut: countsOf(r.LeftOutBy()),
		Parquet: opts.Parquet, Redacted: opts.Redact != nil, Unjudged: opts.AnyVerdict, Filter: f.paths.in(filter.Print(opts.Filter)), Languages: f.tongues.list(),
	}
	if c := r.Compressed; c != nil {
		d.Compressed, d.Shortened = c.Samples, c.Segments
	}
	if opts.Counter != nil {
		d.Tokenizer = opts.Counter.Name()
	}
	for _, name := range splitNames(opts) {
		d.Splits = append(d.Splits, cmp.Or(name, wholeSplit))
	}
	d.Configs = f.configs()
	if f.emitter.Name == openai.Name { // a job there takes one file
		trained := slices.IndexFunc(d.Configs, func(c recipe.Config) bool { return c.Has(d.Splits[0]) })
		for i := range d.Configs {
			d.Configs[i].Trained = i == trained
		}
	}
	return d
}

func countsOf(groups []Group) (counts []recipe.Count) {
	for _, g := range groups {
		counts = append(counts, recipe.Count{Name: g.Name, Samples: g.Samples})
	}
	return counts
}

// configs are the tables of the data set: the first part of the format that has
// files is the default one, others have the names that their files have.
func (f *dataset) configs() (configs []recipe.Config) {
	parts := f.emitter.allParts()
	first := 0
	for i, p := range parts {
		c := recipe.Config{Name: strings.Trim(p.folderName+"."+p.infix, ".")}
		if len(configs) == 0 {
			c.Name, first = "default", p.first
		}
		c.Trained = p.first == first
		for _, s := range f.series {
			if s.part == i && len(s.shards) > 0 {
				c.Splits = append(c.Splits, f.splitOf(s))
			}
		}
		if len(c.Splits) == 0 {
			continue
		}
		if at, ok := f.promoted[i]; ok {
			i = at
		}
		if f.coding.ext != codings.parquet.ext {
			c.Features = f.emitter.features(i - p.first)
		}
		configs = append(configs, c)
	}
	return configs
}

// wholeSplit is what a card calls data that is not split.
const wholeSplit = "train"

func (f *dataset) splitOf(s *series) recipe.Split {
	out := recipe.Split{Name: cmp.Or(s.split, wholeSplit)}
	for _, sh := range s.shards {
		out.Files = append(out.Files, sh.name)
		out.Rows += sh.rows
	}
	out.Pattern = out.Files[0]
	if s.number {
		out.Pattern = strings.TrimSuffix(out.Pattern, numbered("", 0, len(s.shards), f.coding.ext)) + "-*" + f.coding.ext
	}
	return out
}
