package metric

import "testing"

func TestScoreTextHidesNoDefect(t *testing.T) {
	for score, want := range map[float64]string{1: "1.00", 0.9999: "0.99", 0.9951: "0.99", 0.99: "0.99", 0.985: "0.98", 0.6667: "0.67", 0.8: "0.80", 0.0049: "0.01", 0: "0.00"} {
		if got := ScoreText(score); got != want {
			t.Errorf("%v is written as %s, want %s", score, got, want)
		}
	}
}
