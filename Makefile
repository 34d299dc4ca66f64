# The whole build. `make help` lists the targets.
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := gcc
endif
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
OPT     ?= -O3
VERSION := 0.1.0

# Exactness: nothing contracted, nothing reassociated. Never -ffast-math, never -march=native.
EXACT    := -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math
WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS   ?= $(OPT) -g
ALL_CFLAGS = -std=c17 $(CFLAGS) $(EXACT) $(WARNINGS) $(SANITIZE) -pthread -MMD -MP
ALL_CPPFLAGS = -I. -D_GNU_SOURCE -DLB_VERSION='"$(VERSION)"' $(CPPFLAGS)

# Headers of libraries are not ours to warn about.
PACKAGES := OpenEXR libdeflate zlib jansson
ALL_CPPFLAGS += $(subst -I,-isystem ,$(shell pkg-config --cflags-only-I OpenEXR)) -isystem /usr/include/stb
LIBS := -lembree3 -lOpenEXRCore -ldeflate -lz -ljansson -lm

# A new file in one of these folders is built without a word here.
LIBRARY_SOURCES := $(wildcard core/*.c core/base/*.c core/language/*.c core/image/*.c core/scene/*.c core/cpu/*.c \
                     core/run/*.c strategies/*.c)
CUDA ?= 0
ifeq ($(CUDA),0)
LIBRARY_SOURCES += $(wildcard cuda/none.c)
endif
CLI_SOURCES  := $(wildcard cli/*.c)
UNIT_SOURCES := $(wildcard test/unit/test_*.c)

LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(BUILD)/%.o)
CLI_OBJECTS     := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
UNITS           := $(UNIT_SOURCES:test/unit/%.c=$(BUILD)/test/%)
LIBRARY         := $(BUILD)/liblbrender.a

.DEFAULT_GOAL := all
.PHONY: all
all: $(BUILD)/lbrender ## build the program

$(LIBRARY): $(LIBRARY_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/lbrender: $(CLI_OBJECTS) $(LIBRARY)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(CLI_OBJECTS) $(LIBRARY) $(LIBS)

# The kernel once for each instruction set.
$(BUILD)/core/cpu/%_avx2.o:   ISA := -mavx2 -mfma -mbmi -mbmi2 -mlzcnt
$(BUILD)/core/cpu/%_avx512.o: ISA := -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma -mbmi -mbmi2 -mlzcnt

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ISA) -c -o $@ $<

$(BUILD)/test/%: test/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -Itest $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIBRARY) $(LIBS) -lcmocka $(TEST_LIBS)

.PHONY: units
units: $(UNITS) ## build the unit tests

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z0-9 -]*\):.*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

-include $(LIBRARY_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(UNITS:=.d)
