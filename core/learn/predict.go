package learn

import (
	"math"
)

// Predictor says how likely segments are to be approved, by a model.
type Predictor struct {
	model *Model
	by    *encoder
}

// Predictor returns one; nil if the model knows nothing.
func (m *Model) Predictor() *Predictor {
	if !m.Knows() {
		return nil
	}
	return &Predictor{m, newEncoder(m.Columns)}
}

// Likely is how likely a segment is to be approved: 0.01 to 0.99, in steps of
// 0.01.
func (p *Predictor) Likely(f *Facts) float64 {
	odds := p.model.Intercept
	p.by.each(f, func(column int, value float64) { odds += p.model.Columns[column].Weight * value })
	return Round(chance(odds))
}

// Round rounds a chance as Likely does: nobody is sure.
func Round(x float64) float64 {
	return math.Round(100*min(max(x, .01), .99)) / 100
}
