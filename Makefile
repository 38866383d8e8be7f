# SPDX-License-Identifier: Apache-2.0
#
# Every word here is the word that README, CI and CONTRIBUTING use.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
RELEASE := .build/release
PLUGINS := Bookmarks Counter FindNumber GitHubSearch MateList TabFeed

.PHONY: help setup build run test lint format bench soak docs install clean sanitize fuzz

help:
	@echo "make run       build everything and play a round of the demonstration game"
	@echo "make test      build everything and run every test"
	@echo "make build     build the daemon, the client and the plugins"
	@echo "make lint      check the formatting and the house rules"
	@echo "make format    format the sources"
	@echo "make sanitize  run the tests under the address and thread sanitizers (BOUNDED=1 as CI does)"
	@echo "make fuzz      run libFuzzer on every reader of foreign bytes (SECONDS=60 for each)"
	@echo "make bench     measure (make bench SHORT=1 for the short form)"
	@echo "make soak      keep the daemon under load and see whether anything grows (MINUTES=40)"
	@echo "make docs      build the documentation"
	@echo "make install   install (PREFIX=$(PREFIX) DESTDIR=$(DESTDIR))"
	@echo "make clean     remove what was built"

setup:
	@Tests/Scripts/setup.sh

build: setup
	@$(SWIFT) build -c release
	@for plugin in $(PLUGINS); do \
		$(RELEASE)/marbled manifest $(RELEASE)/lib$$plugin.so --write || exit 1; done

run: build
	@plugins/FindNumber/demo.sh $(RELEASE)

test: setup
	@$(SWIFT) build --build-tests
	@$(SWIFT) test --skip-build
	@Tests/Scripts/author-tests.sh .build/debug
	@Tests/Scripts/system-tests.sh

# Leaks are what tests with weak references look for: a subscription that nobody ended lives as long as
# its source, which the leak checker would call a leak.
sanitize: setup
	@ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --sanitize=address --scratch-path .build-asan
	@# A plugin finds the sanitizer's functions in the program that loads it.
	@$(SWIFT) test --sanitize=thread --scratch-path .build-tsan $(if $(BOUNDED),--skip EndToEndTests) \
		-Xlinker --dynamic-list=$(CURDIR)/Tests/Scripts/thread-sanitizer.list

fuzz: setup
	@Tests/Scripts/fuzz.sh $(or $(SECONDS),60)

lint:
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Tests plugins
	@Tests/Scripts/house-rules.sh

format:
	@$(SWIFT) format --in-place --recursive Package.swift Sources Tests plugins

bench: build
	@Benchmarks/run $(if $(SHORT),--short)

soak: build
	@Benchmarks/run --soak $(or $(MINUTES),40)

docs: setup
	@Tests/Scripts/docs.sh

install: build
	@Tests/Scripts/install.sh "$(DESTDIR)" "$(PREFIX)" $(RELEASE) $(PLUGINS)

clean:
	rm -rf .build .build-* docs/build Benchmarks/.build Benchmarks/report
