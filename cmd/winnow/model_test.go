package main

import "testing"

// TestCostText: a price is told as far as it says anything.
func TestCostText(t *testing.T) {
	for cost, want := range map[float64]string{0: "", 0.00123: "$0.0012", 0.42: "$0.42", 12.345: "$12.35", 0.00001: "less than $0.0001"} {
		if got := costText(cost); got != want {
			t.Errorf("%v: %s, want %s", cost, got, want)
		}
	}
}
