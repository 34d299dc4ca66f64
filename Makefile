# The whole build. `make help` lists the targets; V=1 shows the commands.
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := gcc
endif
PREFIX  ?= /usr/local
DESTDIR ?=
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
# CFLAGS='-O3 -g' is for debuggers: what these need takes a third of the compiler's time.
OPT     ?= -O3
VERSION := 0.1.0

# Exactness: nothing contracted, nothing reassociated. Never -ffast-math, never -march=native.
EXACT    := -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math
WARNINGS := -Wall -Werror=switch -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS   ?= $(OPT)
ALL_CFLAGS = -std=c17 $(CFLAGS) $(EXACT) $(WARNINGS) $(SANITIZE) -pthread -MMD -MP

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
LIBS := -lstdc++ -lm $(shell $(PKG_CONFIG) --libs OpenEXR 2>/dev/null) -lembree$(EMBREE) -lpng -ljpeg -ldeflate -lzstd -lxxhash -lz -ljansson -lutf8proc

# A new file in one of these folders is built without a word here.
LIBRARY_SOURCES := $(wildcard core/*.c core/*/*.c core/*/*/*.c strategies/*.c)
ifneq ($(MACHINE),x86_64)
LIBRARY_SOURCES := $(filter-out %_avx2.c %_avx512.c,$(LIBRARY_SOURCES))
endif

# Other hosts, where there is libzmq; ZMQ=0 leaves them out.
ZMQ ?= $(if $(shell $(PKG_CONFIG) --exists libzmq && echo found),1,0)
ifeq ($(ZMQ),0)
LIBRARY_SOURCES += hosts/none.c
else
LIBRARY_SOURCES += $(filter-out hosts/none.c,$(wildcard hosts/*.c))
LIBS += $(shell $(PKG_CONFIG) --libs libzmq)
endif

# GPUs, where there is a toolkit; CUDA=0 leaves them out. The architectures of CUDA_ARCHS get machine code, the newest of them PTX too,
# for what comes later; CUDA_ARCHS=all names every one of the list that the toolkit knows. By default they are those of this machine's
# GPUs. Where it has none, there is PTX for the oldest alone, which the driver compiles on the first GPU that it meets, and keeps.
ifndef NVCC
NVCC := $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
endif
CUDA ?= $(if $(NVCC),1,0)
ifeq ($(CUDA),0)
LIBRARY_SOURCES += cuda/none.c
else
CUDA_SOURCES := $(wildcard cuda/*.cu)
CUDA_KNOWN   := $(filter 75 80 86 89 90 100 120,$(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch)))
ifeq ($(CUDA_ARCHS),all)
override CUDA_ARCHS := $(CUDA_KNOWN)
else ifeq ($(strip $(CUDA_ARCHS)),)
override CUDA_ARCHS := $(filter $(subst .,,$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null)),$(CUDA_KNOWN))
endif
CUDA_PTX     := $(lastword $(firstword $(CUDA_KNOWN)) $(CUDA_ARCHS))
CUDA_CODE    := $(foreach arch,$(CUDA_ARCHS),-gencode arch=compute_$(arch),code=sm_$(arch)) \
                -gencode arch=compute_$(CUDA_PTX),code=compute_$(CUDA_PTX)
NVCCFLAGS    := -std=c++17 -O3 --fmad=false --prec-div=true --prec-sqrt=true --ftz=false --threads 0 \
                -Xcompiler -Wall,-Wextra,-ffp-contract=off
LIBS += -L$(dir $(NVCC))../lib64 -lcudart_static -ldl -lrt
endif
CLI_SOURCES  := $(wildcard cli/*.c cli/*/*.c)
UNIT_SOURCES := $(filter-out $(if $(filter 0,$(ZMQ)),test/unit/test_delivery.c test/unit/test_message.c test/unit/test_peers.c test/unit/test_places.c),$(wildcard test/unit/test_*.c))

LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(BUILD)/%.o) $(patsubst %,$(BUILD)/%.o,$(wildcard core/image/*.cc)) $(CUDA_SOURCES:%.cu=$(BUILD)/%.cu.o)
CLI_OBJECTS     := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
UNITS           := $(UNIT_SOURCES:test/unit/%.c=$(BUILD)/test/%)
LIBRARY         := $(BUILD)/liblbrender.a

.DEFAULT_GOAL := all
.PHONY: all
all: $(BUILD)/lbrender ## build the program

# What is made of a source also depends on the commands that make it: each of these files holds some, and is written where
# they have changed, as with another CC, other flags, or CUDA=0 after CUDA=1.
COMMANDS := $(BUILD)/compile.txt $(BUILD)/link.txt $(BUILD)/nvcc.txt
$(BUILD)/compile.txt: SAYS = $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(CXX_FLAGS) $(FAKE_FLAGS) $(AVX2) $(AVX512)
$(BUILD)/link.txt: SAYS = $(LIBRARY_OBJECTS) $(LDFLAGS) $(LIBS) $(SANITIZE)
$(BUILD)/nvcc.txt: SAYS = $(NVCC) $(NVCCFLAGS) $(CUDA_CODE)
.PHONY: always
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

# The kernel once for each instruction set. Vectors are written out where they pay: what compilers make of pairs of
# coordinates costs more than it saves (stalls where a pair is loaded that was stored by parts).
SCALAR := -fno-tree-slp-vectorize
AVX2   := -mavx2 -mfma -mbmi -mbmi2 -mtune=skylake $(SCALAR)
AVX512 := -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma -mbmi -mbmi2 -mtune=skylake-avx512 $(SCALAR)
$(BUILD)/core/cpu/%_avx2.o:   ISA := $(AVX2)
$(BUILD)/core/cpu/%_avx512.o: ISA := $(AVX512)
# The GPU's pipeline on the host is for tests: it need not be fast, and compiles in half the time so.
$(BUILD)/core/wave/wave_host.o: ISA := -DLB_UNFORCED

$(BUILD)/%.o: %.c $(BUILD)/compile.txt
	$(COMPILE)

COMMA := ,
# For C++, whose checks of vptr and function would want the link to be C++'s too.
CXX_SANITIZE = $(if $(SANITIZE),$(SANITIZE) -fno-sanitize=vptr$(if $(findstring clang,$(CC)),$(COMMA)function))
# What OpenEXR's C++ library is called from.
CXX_FLAGS = -x c++ -std=c++17 $(NANOVDB) $(CFLAGS) $(EXACT) -Wall -Wextra -Wconversion -Wshadow \
            $(CXX_SANITIZE) -pthread -MMD -MP
$(BUILD)/%.cc.o: %.cc $(BUILD)/compile.txt
	$(call STEP,c++ $<)
	$(SHOW)$(CC) $(ALL_CPPFLAGS) $(CXX_FLAGS) -c -o $@ $<

# Only the kernels have code for devices.
$(BUILD)/cuda/kernels.cu.o: ISA := $(CUDA_CODE)
$(BUILD)/cuda/kernels.cu.o: CODE := ($(if $(CUDA_ARCHS),for GPUs of architectures $(CUDA_ARCHS),PTX alone: no GPU is here))
$(filter-out $(BUILD)/cuda/kernels.cu.o,$(CUDA_SOURCES:%.cu=$(BUILD)/%.cu.o)): ISA := -arch=compute_$(CUDA_PTX)
$(BUILD)/%.cu.o: %.cu $(BUILD)/nvcc.txt
	$(call STEP,nvcc $< $(CODE))
	$(SHOW)$(NVCC) $(ALL_CPPFLAGS) $(NVCCFLAGS) $(ISA) -MMD -MP -c -o $@ $<

# A unit test's own code is compiled without a look at the library, which it is linked with.
$(BUILD)/test/unit/%.o: INCLUDES := -Itest
$(BUILD)/test/unit/test_vdb.o: INCLUDES += $(NANOVDB)
$(UNITS): TEST_LIBS += -lcmocka
$(BUILD)/test/test_math: TEST_LIBS += -lmpfr -lgmp
$(BUILD)/test/test_exr: $(BUILD)/test/unit/exr_write.cc.o
$(UNITS): $(BUILD)/test/%: $(BUILD)/test/unit/%.o $(LIBRARY)
	$(LINK)

# A library that plays Open Image Denoise, of version 2, of version 1, and without one of its functions.
FAKE_OIDN := $(patsubst %,$(BUILD)/test/%.so,fake_oidn fake_oidn_1 fake_oidn_part)
$(BUILD)/test/fake_oidn_1.so:    FAKE_OIDN_IS := -DFAKE_OIDN_1
$(BUILD)/test/fake_oidn_part.so: FAKE_OIDN_IS := -DFAKE_OIDN_PART
$(FAKE_OIDN): test/fake_oidn/fake_oidn.c $(BUILD)/compile.txt
	$(call STEP,cc $< ($(@F)))
	$(SHOW)$(CC) -std=c17 $(CFLAGS) -frounding-math $(WARNINGS) $(FAKE_OIDN_IS) -fPIC -shared -o $@ $< -lm
$(BUILD)/test/test_denoise: | $(FAKE_OIDN)

# A worker that joins and does nothing more, a peer that says too much, and a primary whose scene is damaged, for bats.
BAD_PEERS := $(if $(filter 0,$(ZMQ)),,$(addprefix $(BUILD)/test/,idle_worker flood damaged_primary))
$(BAD_PEERS): %: %.o $(LIBRARY)
	$(LINK)

# A library that makes a program's disk slow, for bats.
SLOW_DISK := $(if $(filter 0,$(ZMQ)),,$(BUILD)/test/slow_disk.so)
$(BUILD)/test/slow_disk.so: test/slow_disk.c $(BUILD)/compile.txt
	$(call STEP,cc $< ($(@F)))
	$(SHOW)$(CC) -std=c17 $(CFLAGS) $(WARNINGS) -fPIC -shared -o $@ $<

# The GPU processor's own code over devices that this host plays, on any machine: for a unit test, and as a program for bats.
FAKE_OBJECTS := $(patsubst %,$(BUILD)/fake/%.o,processor devices open measure lane lane_clock wait host_kernels device memory stream)
FAKE_FLAGS    = -x c++ -std=c++17 -fno-exceptions -fno-rtti $(CFLAGS) $(EXACT) -Wall -Wextra $(CXX_SANITIZE) -pthread -MMD -MP $(SANITIZED) -I. -Itest/fake_cuda
define FAKE_COMPILE
$(call STEP,c++ $<)
$(SHOW)$(CC) $(FAKE_FLAGS) -c -o $@ $<
endef
$(BUILD)/fake/%.o: cuda/%.cu $(BUILD)/compile.txt
	$(FAKE_COMPILE)
$(BUILD)/fake/%.o: bench/gpu/%.cu $(BUILD)/compile.txt
	$(FAKE_COMPILE)
$(BUILD)/fake/%.o: test/fake_cuda/%.cc $(BUILD)/compile.txt
	$(FAKE_COMPILE)
$(BUILD)/fake/%.o: test/fake_cuda/%.c $(BUILD)/compile.txt
	$(COMPILE)
$(BUILD)/lbrender_fake_gpu: $(CLI_OBJECTS) $(FAKE_OBJECTS) $(LIBRARY)
	$(LINK)
$(BUILD)/test/test_gpu: $(FAKE_OBJECTS)

# The PTX of the GPU's kernels for one architecture, turned into C and run on this CPU beside the CPU's own code.
ifneq ($(CUDA),0)
PTX_PROGRAMS := $(foreach arch,$(firstword $(CUDA_ARCHS) $(CUDA_KNOWN)) $(lastword $(CUDA_KNOWN) $(CUDA_ARCHS)),$(BUILD)/ptx/compare_$(arch))
endif
.SECONDARY:
$(BUILD)/ptx/%.ptx: cuda/kernels.cu $(wildcard cuda/*.cuh core/kernel/*.h core/kernel/*/*.h) $(BUILD)/nvcc.txt
	$(call STEP,nvcc -ptx $< ($*))
	$(SHOW)$(NVCC) $(ALL_CPPFLAGS) $(NVCCFLAGS) -arch=compute_$* -ptx -o $@ $<
$(BUILD)/ptx/%.c: $(BUILD)/ptx/%.ptx test/ptx/translate.py
	@python3 test/ptx/translate.py $< >$@.tmp && mv $@.tmp $@
$(BUILD)/ptx/%.o: $(BUILD)/ptx/%.c test/ptx/machine.h $(BUILD)/compile.txt
	$(call STEP,cc $<)
	$(SHOW)$(CC) -I. -std=gnu17 -O1 $(EXACT) -fno-strict-aliasing -w -c -o $@ $<
$(BUILD)/ptx/compare_%: $(BUILD)/test/ptx/compare.o $(BUILD)/test/ptx/machine.o $(BUILD)/ptx/%.o $(LIBRARY)
	$(LINK)

.PHONY: ptx
ptx: $(PTX_PROGRAMS) ## build what runs the GPU kernels' PTX on the CPU: build/ptx/compare_ARCH SCENE...

.PHONY: ptxas
ptxas: ## registers and spills of the GPU's kernels, by architecture
	@tools/ptxas.sh "$(NVCC)" "$(NVCCFLAGS)" $(or $(CUDA_ARCHS),$(CUDA_KNOWN))

# On another machine for 64-bit ARM, with Debian's cross compiler and its arm64 libraries: under AARCH64_ROOT, where they are
# unpacked if nothing is there, or in the system where that is empty.
AARCH64_ROOT ?= $(CURDIR)/build/aarch64-root
.PHONY: aarch64
aarch64: ## build build/aarch64/lbrender for 64-bit ARM, or say what is missing for it
	@tools/setup.sh aarch64
	$(if $(AARCH64_ROOT),@tools/aarch64_root.sh $(AARCH64_ROOT))
	@PKG_CONFIG_LIBDIR=$(AARCH64_ROOT)/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(AARCH64_ROOT) \
	$(MAKE) --no-print-directory CC="aarch64-linux-gnu-gcc$(AARCH64_ROOT:%= --sysroot=%)" CUDA=0 BUILD=build/aarch64 \
	    build/aarch64/lbrender

.PHONY: units
units: $(UNITS) ## build the unit tests

.PHONY: bench-traverse
bench-traverse: $(BUILD)/bench/traverse ## build the benchmark of traversal beside Embree

BATS := $(sort $(wildcard test/bats/*.bats))

.PHONY: setup
setup: ## install missing Debian packages, or print the command
	@tools/setup.sh test

.PHONY: demo
# Null devices: the report is a good case on any machine, and nearly the same on all.
demo: ## install what is missing, build, render a sample and print its report
	@tools/setup.sh build
	@$(MAKE) --no-print-directory -j$$(nproc) all
	$(BUILD)/lbrender --no-cache --spp=8 --strategy=bitrev --weights=0.1,0.15,0.25,0.5 --partition-map demo-partition.png --report demo.html \
	    --devices=null:speed=20000,null:speed=30000,null:speed=50000,null:speed=100000 -o demo.png samples/headlight.pbrt
	@echo "look at demo.html (the report), demo.png (the picture) and demo-partition.png (who rendered what)"

.PHONY: check
check: ## install what is missing, build, run all tests
	@tools/setup.sh test
	@$(MAKE) --no-print-directory -j$$(nproc) all units $(BUILD)/lbrender_fake_gpu $(FAKE_BENCHES) $(BAD_PEERS) $(SLOW_DISK)
	@LBRENDER=$(CURDIR)/$(BUILD)/lbrender test/run.sh $(UNITS) $(BATS)

.PHONY: check-damage
check-damage: ## build, run the unit tests and render the damaged files
	@tools/setup.sh test
	@$(MAKE) --no-print-directory -j$$(nproc) all units
	@LBRENDER=$(CURDIR)/$(BUILD)/lbrender test/run.sh $(UNITS) test/bats/damaged.bats

# What wants a GPU; says so and ends well where there is none.
.PHONY: check-gpu bench-gpu gpu
check-gpu: all ## compare the bytes of CPU, GPU and both on samples and reference scenes
	@test/check_gpu.sh $(BUILD)/lbrender
bench-gpu: all $(if $(CUDA:0=),$(BUILD)/bench/gpu_rays $(BUILD)/bench/gpu_stages) ## the same and all measurements, with what is built (minutes)
	@BUILD=$(BUILD) bench/gpu.sh
gpu: ## build, check and measure all that wants a GPU, within ten minutes (CUDA_ARCHS=90: for that alone)
	@BUILD= CUDA_ARCHS="$(if $(filter command line environment,$(origin CUDA_ARCHS)),$(CUDA_ARCHS))" bench/gpu.sh

.PHONY: check-references
check-references: all ## render every reference scene at 256 samples and compare (minutes)
	../shared/tools/check_references.sh $(BUILD)/lbrender --needs main

.PHONY: sanitize asan ubsan tsan tsan-matrix
sanitize: ## the unit tests and the damaged files under AddressSanitizer and UndefinedBehaviorSanitizer at once (minutes)
	ASAN_OPTIONS=allocator_may_return_null=1 $(MAKE) CC=clang-14 CUDA=0 BUILD=build/sanitize CFLAGS="-O1 -g1" check-damage \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
asan: ## the unit tests under AddressSanitizer
	ASAN_OPTIONS=allocator_may_return_null=1 $(MAKE) CC=clang-14 CUDA=0 BUILD=build/asan OPT=-O1 SANITIZE="-fsanitize=address -fno-omit-frame-pointer" check
ubsan: ## the unit tests under UndefinedBehaviorSanitizer
	$(MAKE) CC=clang-14 CUDA=0 BUILD=build/ubsan OPT=-O1 SANITIZE="-fsanitize=undefined -fno-sanitize-recover=undefined" check
tsan: ## the tests under ThreadSanitizer
	TSAN_OPTIONS="suppressions=$(CURDIR)/test/tsan.supp halt_on_error=1" \
	    $(MAKE) CUDA=0 BUILD=build/tsan OPT=-O1 SANITIZE="-fsanitize=thread" check

tsan-matrix: ## every strategy, on a small picture, under ThreadSanitizer
	$(MAKE) CUDA=0 BUILD=build/tsan OPT=-O1 SANITIZE="-fsanitize=thread" build/tsan/lbrender
	TSAN_OPTIONS="suppressions=$(CURDIR)/test/tsan.supp halt_on_error=1" test/races.sh build/tsan/lbrender

# Programs that measure one part: `make bench`, then build/bench/ply FILE.ply ... and build/bench/png.
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(filter-out $(if $(filter 0,$(ZMQ)),bench/hosts_many.c),$(wildcard bench/*.c)))
$(BENCHES): $(BUILD)/bench/%: $(BUILD)/bench/%.o $(LIBRARY)

# Those that measure a GPU from within: over the real runtime where there is a toolkit, and over played devices for the tests.
RAYS := $(BUILD)/bench/gpu/rays.o $(BUILD)/bench/gpu/rays_steps.o
$(BUILD)/bench/gpu_stages: $(BUILD)/bench/gpu/stages.o $(LIBRARY)
$(BUILD)/bench/gpu_rays: $(RAYS) $(BUILD)/bench/gpu/rays_device.cu.o $(LIBRARY)
$(BUILD)/bench/fake_stages: $(BUILD)/bench/gpu/stages.o $(FAKE_OBJECTS) $(LIBRARY)
$(BUILD)/bench/fake_rays: $(RAYS) $(BUILD)/fake/rays_device.o $(FAKE_OBJECTS) $(LIBRARY)
$(BUILD)/bench/gpu/%.cu.o: ISA := -arch=sm_$(firstword $(CUDA_ARCHS))
GPU_BENCHES  := $(addprefix $(BUILD)/bench/,gpu_rays gpu_stages)
FAKE_BENCHES := $(addprefix $(BUILD)/bench/,fake_rays fake_stages)
$(BENCHES) $(GPU_BENCHES) $(FAKE_BENCHES):
	$(LINK)
ifneq ($(CUDA),0)
BENCHES += $(GPU_BENCHES)
endif

.PHONY: bench
bench: $(BENCHES) ## build the programs that measure parts

# libFuzzer on test/fuzz, FUZZ_SECONDS each; what was found stays in build/fuzz.
FUZZ_SECONDS ?= 60
FUZZERS := $(filter-out $(if $(filter 0,$(ZMQ)),%/fuzz_primary.c %/fuzz_worker.c),$(wildcard test/fuzz/*.c))
.PHONY: fuzz
fuzz: ## fuzz the readers with clang, a minute each
	$(MAKE) CC=$${CLANG:-clang-14} CUDA=0 BUILD=build/fuzz OPT=-O1 SANITIZE="-fsanitize=fuzzer-no-link,address,undefined" \
	    build/fuzz/liblbrender.a $(patsubst test/fuzz/%.c,build/fuzz/%,$(FUZZERS))
	@test/fuzz/words.py >build/fuzz/scene.dict
	@for fuzzer in $(FUZZERS); do name=$$(basename $$fuzzer .c); mkdir -p build/fuzz/$$name.corpus && \
	    case $$name in fuzz_language | fuzz_scene) dict=-dict=scene.dict ;; *) dict= ;; esac && \
	    (cd build/fuzz && ./$$name $$dict -max_total_time=$(FUZZ_SECONDS) -max_len=4000 -rss_limit_mb=2000 $$name.corpus \
	        $$(ls -d $(CURDIR)/test/fuzz/seeds/$$name 2>/dev/null) $(wildcard $(CURDIR)/../shared/data/damaged) >$$name.log 2>&1) || { tail -n 40 build/fuzz/$$name.log; exit 1; }; \
	    tail -n 1 build/fuzz/$$name.log; done
$(BUILD)/fuzz_%: TEST_LIBS += -fsanitize=fuzzer
$(BUILD)/fuzz_%: $(BUILD)/test/fuzz/fuzz_%.o $(LIBRARY)
	$(LINK)

# The whole program under sanitizers on mutated scenes and option lists; scenes at fault stay in build/fuzz-kept.
.PHONY: fuzz-program
fuzz-program: ## run the program on LB_FUZZ_RUNS (2000) mutated scenes from LB_FUZZ_SEED on
	$(MAKE) CC=$${CLANG:-clang-14} CUDA=0 BUILD=build/sanitize CFLAGS="-O1 -g1" \
	    SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" all
	@LBRENDER=$(CURDIR)/build/sanitize/lbrender LB_FUZZ_RUNS=$${LB_FUZZ_RUNS:-2000} python3 test/fuzz/program.py

.PHONY: check-layers lint
check-layers: ## fail on an include, or a link of what is built, against the layers
	@tools/check-layers.sh
lint: ## layers, banned functions, format
	@tools/lint.sh

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

.PHONY: install install-strip uninstall
MANUALS := $(wildcard man/*.[157])
install: all $(PRINTED) ## install program, man pages, completions, samples under DESTDIR PREFIX (or bindir, mandir ..)
	$(INSTALL) -d $(foreach dir,$(bindir) $(datadir)/lbrender/samples $(docdir) $(bashdir) $(zshdir) $(fishdir),$(DESTDIR)$(dir))
	$(INSTALL_PROGRAM) $(BUILD)/lbrender $(DESTDIR)$(bindir)/
	$(INSTALL_DATA) $(wildcard samples/*.pbrt samples/*.yaml) $(DESTDIR)$(datadir)/lbrender/samples/
	$(INSTALL) -m 755 $(wildcard samples/*.sh) $(DESTDIR)$(datadir)/lbrender/samples/
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

# What is committed: it builds in an empty folder, without git.
.PHONY: dist
dist: ## pack the committed sources into build/lbrender-VERSION.tar.gz
	@mkdir -p $(BUILD)
	git archive --prefix=lbrender-$(VERSION)/ -o $(BUILD)/lbrender-$(VERSION).tar.gz HEAD

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z0-9 -]*\):.*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

DEPENDENCIES := $(LIBRARY_OBJECTS) $(CLI_OBJECTS) $(FAKE_OBJECTS) $(RAYS) $(BUILD)/fake/rays_device.o $(BUILD)/bench/gpu/stages.o \
                $(UNITS:$(BUILD)/test/%=$(BUILD)/test/unit/%.o) $(BENCHES:=.o) $(BAD_PEERS:=.o) $(FUZZERS:%.c=$(BUILD)/%.o)
-include $(sort $(DEPENDENCIES:.o=.d))
