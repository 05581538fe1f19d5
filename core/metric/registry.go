package metric

// metricRow is one metric: adding one is a row here and a file with its measure.
type metricRow struct {
	name   string
	weight float64
	help   string         // what a score of 1 means
	new    func() measure // nil: a model judges it
}

// measure computes one metric of one segment.
type measure interface {
	// add takes the next message. The reading is valid only until it returns.
	add(r *reading)
	// score returns score and reason; ok is false if the metric does not apply.
	score(end *ending) (score float64, reason string, ok bool)
}

// flagger is a measure that raises flags.
type flagger interface {
	flag(end *ending, set func(Flag, bool))
}

// Names of the metrics, as they stand in an analysis.
const (
	ToolSuccess = "tool_success"
	Recovery    = "recovery"
	NoLoops     = "no_loops"
	Completion  = "completion"
	Format      = "format"
	Reasoning   = "reasoning"
	UserSignal  = "user_signal"
	Substance   = "substance"
	Resolution  = "resolution"
	Effort      = "effort"

	Goal        = "goal"
	Correctness = "correctness"
	Instruction = "instruction"
	Efficiency  = "efficiency"
	Clarity     = "clarity"
)

// registry lists the metrics in the order in which they are written and shown.
func registry() []metricRow {
	return []metricRow{
		{ToolSuccess, 2, "no tool result is a failure", func() measure { return new(toolSuccess) }},
		{Recovery, 1, "every failed call is followed by a later success of the same tool", func() measure { return new(recovery) }},
		{NoLoops, 2, "no identical call is repeated without something between them having changed", newLoops},
		{Completion, 3, "the segment ends with an answer of the assistant that is not cut off", func() measure { return new(completion) }},
		{Format, 2, "every call is an object and answered, every result belongs to a call, think tags balance", func() measure { return new(format) }},
		{Reasoning, 1, "every message of the assistant carries reasoning", func() measure { return new(reasoning) }},
		{UserSignal, 2, "no message of the user after the first answer is a correction", func() measure { return new(userSignal) }},
		{Substance, 1, "the final answer is neither empty nor one word to a long request", func() measure { return new(substance) }},
		{Resolution, 1, "no answer declines what was asked", func() measure { return new(resolution) }},
		{Effort, 2, "hardly a step was needed", func() measure { return new(effort) }},
		{Goal, 3, "what was asked for was reached", nil},
		{Correctness, 3, "what is said and done is right", nil},
		{Instruction, 2, "the instructions were followed", nil},
		{Efficiency, 1, "no step was needless", nil},
		{Clarity, 1, "the answers are clear", nil},
	}
}

// About is a metric as people choose and weigh it.
type About struct {
	Name   string
	Weight float64 // without a configuration
	Help   string  // what a score of 1 means
	Judged bool    // by a model
}

// List returns all metrics: first the measured, then the judged ones.
func List() []About {
	var list []About
	for _, row := range registry() {
		list = append(list, About{row.name, row.weight, row.help, row.new == nil})
	}
	return list
}

// Names returns the names of all metrics: first the measured, then the judged
// ones.
func Names() []string {
	var names []string
	for _, row := range registry() {
		names = append(names, row.name)
	}
	return names
}
