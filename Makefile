# The whole build. `make help` lists the targets; V=1 shows the commands.
ifeq ($(origin CC),default)
CC      := gcc
endif
PREFIX  ?= /usr/local
# Where things are installed, by the names of the GNU coding standards; `make prefix=/usr` does as well.
prefix      ?= $(PREFIX)
exec_prefix ?= $(prefix)
bindir      ?= $(exec_prefix)/bin
datarootdir ?= $(prefix)/share
datadir     ?= $(datarootdir)
docdir      ?= $(datarootdir)/doc/lbrender
mandir      ?= $(datarootdir)/man
bashdir     ?= $(datarootdir)/bash-completion/completions
zshdir      ?= $(datarootdir)/zsh/site-functions
fishdir     ?= $(datarootdir)/fish/vendor_completions.d
INSTALL         ?= install
INSTALL_PROGRAM ?= $(INSTALL) -m 755
INSTALL_DATA    ?= $(INSTALL) -m 644
BUILD   ?= build
# Within the tree it has one name, as dependency files name objects by it.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
# CFLAGS='-O3 -g' is for debuggers: what these need takes a third of the compiler's time.
OPT     ?= -O3
VERSION := 0.1.0

# Exactness: nothing contracted, nothing reassociated. Never -ffast-math, never -march=native.
EXACT    := -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math
WARNINGS := -Wall -Werror=switch -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS   ?= $(OPT)
ALL_CFLAGS = -std=c17 $(CFLAGS) $(HASTE) $(EXACT) $(WARNINGS) $(SANITIZE) -pthread -MMD -MP

# What is compiled for: x86_64, aarch64.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))

# Is a header there? $(call FIND,HEADER,LANGUAGE); asked once for each, not for each file that is compiled.
FIND = $(shell $(CC) $(CPPFLAGS) -E -include $(1) -x $(2) /dev/null >/dev/null 2>&1 && echo found)

# Embree 3 where its header is found, else 4: trees are built by calls that both have alike.
ifndef EMBREE
EMBREE := $(if $(call FIND,embree3/rtcore.h,c),3,4)
endif

# Headers of libraries are not ours to warn about.
PKG_CONFIG ?= pkg-config
LIBRARY_HEADERS := $(subst -I,-isystem ,$(shell $(PKG_CONFIG) --cflags-only-I OpenEXR 2>/dev/null)) -isystem /usr/include/stb
# NanoVDB's headers, without which its grids are a named error.
ifeq ($(origin NANOVDB),undefined)
NANOVDB := $(if $(call FIND,nanovdb/NanoVDB.h,c++),-DLB_NANOVDB)
endif
# Sanitizers make much code: nothing is inlined by force then (core/kernel/base.h).
SANITIZED = $(if $(SANITIZE),-DLB_UNFORCED)
ALL_CPPFLAGS = -I. -D_GNU_SOURCE -DLB_VERSION='"$(VERSION)"' -DLB_EMBREE=$(EMBREE) $(LIBRARY_HEADERS) $(SANITIZED) $(CPPFLAGS)
# The dynamic linker looks for each name in one library after the other, at every start: C++'s, which has most, is first.
LIBS := -lstdc++ -lm $(shell $(PKG_CONFIG) --libs OpenEXR 2>/dev/null) -lembree$(EMBREE) -lpng -ljpeg -ltiff -ldeflate -lzstd -lxxhash -lz -ljansson -lutf8proc

# A new file in one of these folders is built without a word here.
LIBRARY_SOURCES := $(wildcard core/*.c core/*/*.c core/*/*/*.c strategies/*.c)
CLI_SOURCES     := $(wildcard cli/*.c cli/*/*.c)

# Other hosts, where there is libzmq; ZMQ=0 leaves them out.
ZMQ ?= $(if $(shell $(PKG_CONFIG) --exists libzmq && echo found),1,0)
ifeq ($(ZMQ),0)
LIBRARY_SOURCES += hosts/none.c
else
LIBRARY_SOURCES += $(wildcard hosts/*/*.c)
LIBS += $(shell $(PKG_CONFIG) --libs libzmq)
endif

# Models, where Assimp's headers are installed; its library is loaded when a model is read. ASSIMP= leaves them out.
ifeq ($(origin ASSIMP),undefined)
ASSIMP := $(if $(call FIND,assimp/cimport.h,c),$(firstword $(subst ., ,$(shell $(PKG_CONFIG) --modversion assimp 2>/dev/null)) 5))
endif
ifneq ($(ASSIMP),)
LIBRARY_SOURCES := $(filter-out core/model/no_import.c,$(LIBRARY_SOURCES))
$(BUILD)/core/model/assimp.o: CPPFLAGS += -DLB_ASSIMP=$(ASSIMP)
else
LIBRARY_SOURCES := $(filter-out core/model/assimp.c core/model/import.c core/model/import_%,$(LIBRARY_SOURCES))
endif

include cuda/rules.mk

FOR_EACH_ISA    := $(if $(filter x86_64,$(MACHINE)),$(foreach isa,avx2 avx512,$(patsubst %,$(BUILD)/core/cpu/%.$(isa).o,render occlusion volume tracer))) \
                   $(if $(filter x86_64,$(MACHINE)),$(patsubst %,$(BUILD)/core/cpu/%.avx2.o,spectral groups guided))
LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(BUILD)/%.o) $(FOR_EACH_ISA) $(patsubst %,$(BUILD)/%.o,$(wildcard core/image/*.cc)) $(CUDA_OBJECTS)
CLI_OBJECTS     := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
LIBRARY         := $(BUILD)/liblbrender.a

.DEFAULT_GOAL := all
.PHONY: all always setup demo gallery install install-strip uninstall clean help
all: $(BUILD)/lbrender ## build the program

# What is made of a source also depends on the commands that make it: each of these files holds some, and is written where
# they have changed, as with another CC, other flags, or CUDA=0 after CUDA=1.
COMMANDS := $(BUILD)/compile.txt $(BUILD)/link.txt $(BUILD)/nvcc.txt $(BUILD)/ptx.txt
# What some objects alone are compiled with (HASTE) is none of it, whichever of them asks for the file first.
$(BUILD)/compile.txt: HASTE :=
$(BUILD)/compile.txt: SAYS = $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(CXX_FLAGS) $(FAKE_FLAGS) $(AVX2) $(AVX512)
$(BUILD)/link.txt: SAYS = $(LIBRARY_OBJECTS) $(LDFLAGS) $(LIBS) $(SANITIZE)
$(BUILD)/nvcc.txt: SAYS = $(NVCC) $(NVCCFLAGS) $(CUDA_CODE)
$(BUILD)/ptx.txt: SAYS = $(NVCC) $(NVCCFLAGS)
$(COMMANDS): always
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(SAYS))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(SAYS))' >$@

# The commands, each once: a rule says with what. `make V=1` shows them in place of the step's name.
STEP = @mkdir -p $(@D)$(if $(V),,; echo "$(1)")
SHOW = $(if $(V),,@)
define COMPILE
$(call STEP,cc $<)
$(SHOW)$(CC) $(ALL_CPPFLAGS) $(INCLUDES) $(ALL_CFLAGS) $(ISA) -c -o $@ $<
endef
define LINK
$(call STEP,link $@)
$(SHOW)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(TEST_LIBS)
endef

$(LIBRARY): $(LIBRARY_OBJECTS) $(BUILD)/link.txt
	@rm -f $@
	@ar rcs $@ $(LIBRARY_OBJECTS)

$(BUILD)/lbrender: $(CLI_OBJECTS) $(LIBRARY)
	$(LINK)

# The kernel once for each instruction set (core/cpu/isa.h). Vectors are written out where they pay: what compilers make of
# pairs of coordinates costs more than it saves (stalls where a pair is loaded that was stored by parts).
SCALAR := -fno-tree-slp-vectorize
AVX2   := -mavx2 -mfma -mbmi -mbmi2 -mtune=skylake $(SCALAR)
AVX512 := -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma -mbmi -mbmi2 -mtune=skylake-avx512 $(SCALAR)
$(BUILD)/core/cpu/%.avx2.o:   ISA := $(AVX2) -DLB_FOR_AVX2
$(BUILD)/core/cpu/%.avx512.o: ISA := $(AVX512) -DLB_FOR_AVX512
$(BUILD)/core/cpu/%.avx2.o: core/cpu/%.c $(BUILD)/compile.txt
	$(COMPILE)
$(BUILD)/core/cpu/%.avx512.o: core/cpu/%.c $(BUILD)/compile.txt
	$(COMPILE)

$(BUILD)/%.o: %.c $(BUILD)/compile.txt
	$(COMPILE)

COMMA := ,
# For C++, whose checks of vptr and function would want the link to be C++'s too.
CXX_SANITIZE = $(if $(SANITIZE),$(SANITIZE) -fno-sanitize=vptr$(if $(findstring clang,$(CC)),$(COMMA)function))
# What libraries of C++ are called from.
CXX_FLAGS = -x c++ -std=c++17 $(NANOVDB) $(CFLAGS) $(EXACT) -Wall -Wextra -Wconversion -Wshadow \
            $(CXX_SANITIZE) -pthread -MMD -MP
$(BUILD)/%.cc.o: %.cc $(BUILD)/compile.txt
	$(call STEP,c++ $<)
	$(SHOW)$(CC) $(ALL_CPPFLAGS) $(CXX_FLAGS) $(CXX_ALSO) -c -o $@ $<

setup: ## install missing Debian packages, or print the command
	@tools/setup.sh test

demo: ## install what is missing, build, render a sample, and show two strategies beside each other on a page
	@tools/setup.sh build
	@$(MAKE) --no-print-directory -j$$(nproc) all
	@tools/demo.sh $(BUILD)/lbrender demo
gallery: $(BUILD)/lbrender ## render samples/gallery to a page (minutes)
	@tools/gallery.sh $(BUILD)/lbrender $(BUILD)/gallery

# What the program prints of itself: its schema and the shells' completions. RUN is put before it where it was built for another
# machine: make install RUN=qemu-aarch64.
PRINTED := $(addprefix $(BUILD)/printed/,report.schema.json lbrender _lbrender lbrender.fish)
$(BUILD)/printed/report.schema.json: SAYS = --report-schema
$(BUILD)/printed/lbrender:           SAYS = --completion=bash
$(BUILD)/printed/_lbrender:          SAYS = --completion=zsh
$(BUILD)/printed/lbrender.fish:      SAYS = --completion=fish
$(PRINTED): $(BUILD)/lbrender
	@mkdir -p $(@D)
	@$(RUN) $(BUILD)/lbrender $(SAYS) >$@.tmp && mv $@.tmp $@

MANUALS := $(wildcard man/*.[157])
install: all $(PRINTED) ## install program, man pages, completions, samples under DESTDIR PREFIX (or bindir, mandir ..)
	$(INSTALL) -d $(foreach dir,$(bindir) $(datadir)/lbrender/samples/gallery/parts $(docdir) $(bashdir) $(zshdir) $(fishdir),$(DESTDIR)$(dir))
	$(INSTALL_PROGRAM) $(BUILD)/lbrender $(DESTDIR)$(bindir)/
	$(INSTALL_DATA) $(wildcard samples/*.pbrt samples/*.yaml) $(DESTDIR)$(datadir)/lbrender/samples/
	$(INSTALL) -m 755 $(wildcard samples/*.sh) $(DESTDIR)$(datadir)/lbrender/samples/
	$(INSTALL_DATA) $(filter-out %/parts,$(wildcard samples/gallery/*)) $(DESTDIR)$(datadir)/lbrender/samples/gallery/
	$(INSTALL_DATA) $(wildcard samples/gallery/parts/*) $(DESTDIR)$(datadir)/lbrender/samples/gallery/parts/
	$(INSTALL_DATA) $(BUILD)/printed/report.schema.json $(DESTDIR)$(datadir)/lbrender/
	$(INSTALL_DATA) LICENSE README.md CHANGELOG.md $(DESTDIR)$(docdir)/
	$(INSTALL_DATA) $(BUILD)/printed/lbrender $(DESTDIR)$(bashdir)/
	$(INSTALL_DATA) $(BUILD)/printed/_lbrender $(DESTDIR)$(zshdir)/
	$(INSTALL_DATA) $(BUILD)/printed/lbrender.fish $(DESTDIR)$(fishdir)/
	for page in $(MANUALS); do dir=$(DESTDIR)$(mandir)/man$${page##*.} && \
	    $(INSTALL) -d $$dir && $(INSTALL_DATA) $$page $$dir/ || exit 1; done
install-strip: INSTALL_PROGRAM += -s
install-strip: install ## the same, the program without its symbols
uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(bindir)/lbrender
	rm -rf $(DESTDIR)$(datadir)/lbrender $(DESTDIR)$(docdir)
	rm -f $(DESTDIR)$(bashdir)/lbrender $(DESTDIR)$(zshdir)/_lbrender $(DESTDIR)$(fishdir)/lbrender.fish
	for page in $(MANUALS); do rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}; done

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z0-9 -]*\):.*## \(.*\)/\1\t\2/p' $(filter Makefile %.mk,$(MAKEFILE_LIST)) | expand -t 20

DEPENDENCIES := $(LIBRARY_OBJECTS) $(CLI_OBJECTS)
# What else there is: checks, tests and measurements. The product needs none of it.
include packages/rules.mk test/rules.mk bench/rules.mk

-include $(sort $(DEPENDENCIES:.o=.d))
