# Builds an engine as OpenBench asks for it: `make EXE=NAME` leaves the program as NAME in the engine's folder. The
# Makefile there sets PROGRAM and includes this file.
#
# PROFILE=fast builds sooner and almost as fast a program, CARGO_TARGET_DIR=FOLDER keeps what is built there.

EXE      ?= $(PROGRAM)
PROFILE  ?= release
FEATURES ?=
ROOT     := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
CARGO_TARGET_DIR ?= $(ROOT)/target
SUFFIX   := $(if $(filter Windows_NT,$(OS)),.exe,)
BUILT    := $(CARGO_TARGET_DIR)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))/$(PROGRAM)$(SUFFIX)

export CARGO_TARGET_DIR

.PHONY: all
all:
	cargo build --locked --manifest-path $(ROOT)/Cargo.toml --profile $(PROFILE) \
	    --package agon-$(PROGRAM) --bin $(PROGRAM) --features "$(FEATURES)"
	cp $(BUILT) $(EXE)$(SUFFIX)
