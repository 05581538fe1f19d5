package train

import "math"

// z is the quantile of the normal distribution of 95%.
const z = 1.959963984540054

// Wilson returns the interval in which a share lies with 95%, if k of n were seen. Of
// nothing, nothing is known.
func Wilson(k, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	low, high = max(middle-half, 0), min(middle+half, 1)
	if k <= 0 {
		low = 0
	}
	if k >= n {
		high = 1
	}
	return low, high
}
