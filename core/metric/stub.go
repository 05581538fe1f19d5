package metric

type reading struct{}
type ending struct{}
type (
	toolSuccess struct{ todo }
	recovery    struct{ todo }
	loops       struct{ todo }
	completion  struct{ todo }
	format      struct{ todo }
	reasoning   struct{ todo }
	userSignal  struct{ todo }
	substance   struct{ todo }
)

// todo is a measure that never applies.
type todo struct{}

func (*todo) add(*reading)                         {}
func (*todo) score(*ending) (float64, string, bool) { return 0, "", false }
