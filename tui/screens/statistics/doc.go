// Package statistics is the screen that describes what passes the filter: scores,
// verdicts, types of task, tools, models, tokens and days of review, as tables. A
// row leads to its segments.
//
// What it needs of the program is in Program: the filter in force, and to narrow
// it. Its tests are beside it; they run it alone (screentest). How it looks within
// the program is in the goldens of tui.
package statistics
