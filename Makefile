# Patterns such as ./... leave out folders called testdata.
packages := ./... ./testdata ./testdata/bench/...

.PHONY: build test whole race fuzz fuzz-keys together mutants families bench bench-json lint check screenshots

build:
	CGO_ENABLED=0 go build -o bin/winnow ./cmd/winnow
	CGO_ENABLED=0 go build -o bin/trajgen ./cmd/trajgen

# A part of the cases, in three minutes from a cold start.
test:
	go test $(packages)

# All cases: recorded sessions, screens, sizes, random histories, kills.
whole:
	go test -tags whole -timeout 15m $(packages)

# SQLite, C translated to Go, is not watched: that would take five times as long.
race:
	go test -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc=-race=false -gcflags=modernc.org/memory=-race=false $(packages)

# Each fuzz target for FUZZTIME.
fuzz:
	.ci/fuzz

# The screen under FUZZKEYS keys that nobody would press.
FUZZKEYS ?= 100000
fuzz-keys:
	FUZZKEYS=$(FUZZKEYS) go test -timeout 1h -count 1 -run TestAnyKeys -v ./cmd/winnow

# Programs, processes and screens on one database at once, for TOGETHER each.
TOGETHER ?= 1m
together:
	TOGETHER=$(TOGETHER) go test -timeout 1h -count 1 -run '(Programs|Processes|Screens)AtOnce' -v ./store ./cmd/winnow

# MUTANTS changed sources of each format, imported: the doctor finds nothing.
MUTANTS ?= 20000
mutants:
	MUTANTS=$(MUTANTS) go test -timeout 12h -count 1 -run TestMutants ./store

# FAMILIES random sets of files that share messages, and CUTS times the real
# sessions in pieces: every message is in one session, in whatever order.
FAMILIES ?= 10000
CUTS ?= 100
families:
	FAMILIES=$(FAMILIES) CUTS=$(CUTS) go test -timeout 12h -count 1 -run 'RandomFamilies|RealSessionsInPieces' ./store

# Speed on this machine: 100 MB of sessions, 1 GB with BENCH=L; with BENCH=X
# filters, orders and searches in 50,000 sessions, which are made once.
bench:
	go run ./testdata/bench

# The tables of docs/json.md: JSON libraries compared, in a module of its own.
bench-json:
	cd testdata/bench/json && go run .

# The linters of .ci/run; golangci-lint adds those of .golangci.yml.
lint:
	test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet -tags whole $(packages)
	go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tags whole $(packages)
	if command -v golangci-lint >/dev/null; then golangci-lint run $(packages); fi

# All that has to hold before a change goes in.
check:
	.ci/run

# The drawings of docs/screens: the program's own screens on the sample sessions.
screenshots:
	mkdir -p docs/screens
	go test ./cmd/winnow -run ^TestScreensAreDrawn$$ -count=1 -screens
