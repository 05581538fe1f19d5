package metric

// ScoreUnit is how many steps scores are kept in: they have four digits.
const ScoreUnit = 10000

// Unmeasured stands for a metric that does not apply, where scores are kept in
// steps.
const Unmeasured = 0xFFFF
