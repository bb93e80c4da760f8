# GOmpSs. Everything is plain Go; these are the commands we use most.

GO      ?= go
PKG     ?= ./...
COUNT   ?= 20
SEEDS   ?= 100000
FUZZTIME ?= 60

.DEFAULT_GOAL := help
.PHONY: help test lint fmt race bench bench-regions fuzz soak

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

test: ## everything a change must pass; with CI set, a skipped test fails
	@GO="$(GO)" scripts/test.sh

lint: ## format, vet, import law and house rules
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) test -count=1 ./internal/lint ./internal/importlaw

fmt: ## format all Go files
	gofmt -w .

race: ## tests under the race detector (needs a C compiler); PKG=./deps for one folder
	$(GO) test -race $(PKG)

bench: ## benchmarks; PKG=./internal/deque for one folder
	$(GO) test -run '^$$' -bench . -benchmem $(PKG)

bench-regions: ## micro benchmarks against the engine before it knew regions
	@GO="$(GO)" scripts/bench-against.sh 987d115

fuzz: ## every fuzz test for FUZZTIME seconds
	@GO="$(GO)" scripts/fuzz.sh $(FUZZTIME)

soak: ## SEEDS random programs of each kind, all tests COUNT times in random order under the race detector, then fuzzing
	$(GO) test -count=1 -timeout=0 -v -run AgainstModel ./deps -seeds=$(SEEDS)
	$(GO) test -count=1 -timeout=0 -v -run 'TestRandom(Programs|Regions)$$' ./tasks -seeds=$(SEEDS)
	$(GO) test -count=1 -timeout=0 -v -run TestStressArena ./tasks -arena=5m
	$(GO) test -count=1 -timeout=0 -v -run TestRandomMissingAccess ./tasks -missing=2000
	$(GO) test -race -shuffle=on -count=$(COUNT) -timeout=0 $(PKG)
	@GO="$(GO)" scripts/fuzz.sh $(FUZZTIME)
