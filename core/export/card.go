package export

// writeBeside writes the files that belong to a data set beside its records.
func (f *dataset) writeBeside(opts *Options, r *Report, files []File) error {
	if f.emitter.beside != nil {
		for _, side := range f.emitter.beside(files) {
			if err := f.write(side.Name, side.Data); err != nil {
				return err
			}
		}
	}
	return f.write(cardName, []byte("# card\n"))
}
