# What is built for tests alone, and all ways to run them.

UNIT_SOURCES := $(filter-out $(if $(filter 0,$(ZMQ)),test/unit/test_delivery.c test/unit/test_message.c test/unit/test_peers.c test/unit/test_places.c),$(wildcard test/unit/test_*.c))
UNITS        := $(UNIT_SOURCES:test/unit/%.c=$(BUILD)/test/%)

# A unit test's own code is compiled without a look at the library, which it is linked with. The kernel's headers that it includes are
# optimised in the library: at -O1 all of these tests take gcc half of the time, and few of them run long enough to tell. At -O1 gcc also
# warns of variables that may be unset where -O3 finds that they are not.
$(BUILD)/test/unit/%.o: INCLUDES := -Itest
ifeq ($(SANITIZE),)
$(BUILD)/test/unit/%.o: HASTE := $(if $(filter -O3,$(CFLAGS)),-O1 $(if $(findstring clang,$(CC)),,-Wno-maybe-uninitialized))
else
# Under sanitizers clang takes four times as long for a test at -O1 as at -O0, by which these lose less than that when they run. What
# computes much in its own code loses more: test_dispersion ran for more than five minutes in place of 20 s.
$(patsubst %,$(BUILD)/test/unit/test_%.o,mipmap scene_shapes texture wavefront): HASTE := $(RARE)
endif
$(BUILD)/test/unit/test_vdb.o: INCLUDES += $(NANOVDB)
$(if $(filter x86_64,$(MACHINE)),$(BUILD)/test/unit/test_numbers.o: ISA := $(AVX2))
$(UNITS): TEST_LIBS += -lcmocka
$(BUILD)/test/test_math: TEST_LIBS += -lmpfr -lgmp
$(BUILD)/test/test_exr: $(BUILD)/test/unit/exr_write.cc.o
$(patsubst %,$(BUILD)/test/test_%,bssrdf dispersion occlusion options path render volume): $(BUILD)/test/unit/brute_radiance.o
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
FAKE_OBJECTS := $(patsubst %,$(BUILD)/fake/%.o,processor works devices open measure lane lane_clock wait host_kernels device memory stream)
FAKE_FLAGS    = -x c++ -std=c++17 -fno-exceptions -fno-rtti $(CFLAGS) $(EXACT) -Wall -Wextra $(CXX_SANITIZE) -pthread -MMD -MP $(SANITIZED) -I. -Itest/fake_cuda
define FAKE_COMPILE
$(call STEP,c++ $<)
$(SHOW)$(CC) $(FAKE_FLAGS) -c -o $@ $<
endef
$(BUILD)/fake/%.o: cuda/%.cc $(BUILD)/compile.txt
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
define PTX_COMPILE
	$(call STEP,cc $<)
	$(SHOW)$(1) -I. -std=gnu17 $(2) $(EXACT) -fno-strict-aliasing -w -c -o $@ $<
endef
# Functions of thousands of lines, which run for seconds: optimising them takes gcc 69 s for each architecture. Without that it takes 27,
# and clang 8.
PTX_CC := $(or $(shell command -v clang-14),$(CC))
# A file of kernels and an architecture: ptx/FILE_ARCH.ptx, whichever architectures the program itself is for. All files of an
# architecture make one program.
PTX_FILES := $(patsubst cuda/%.cu,%,$(wildcard cuda/*.cu))
PTX_OF     = $(PTX_FILES:%=$(BUILD)/ptx/%_$(1).ptx)
define PTX_RULE
$(BUILD)/ptx/$(1)_%.ptx: cuda/$(1).cu $(wildcard cuda/*.h core/kernel/*.h core/kernel/*/*.h) $(BUILD)/ptx.txt
	$$(call STEP,nvcc -ptx $$< ($$*))
	$$(SHOW)$$(NVCC) $$(ALL_CPPFLAGS) $$(NVCCFLAGS) -arch=compute_$$* -ptx -o $$@ $$<
endef
$(foreach file,$(PTX_FILES),$(eval $(call PTX_RULE,$(file))))
# That which the program's objects were made of (cuda/rules.mk) is taken from beside them.
ifeq ($(CUDA:0=)$(strip $(CUDA_ARCHS)),1)
$(PTX_FILES:%=$(BUILD)/ptx/%_$(CUDA_PTX).ptx): $(BUILD)/ptx/%_$(CUDA_PTX).ptx: $(BUILD)/cuda/%.cu.o $(BUILD)/cuda/%.cu.ptx $(BUILD)/ptx.txt
	@mkdir -p $(@D) && cp $(BUILD)/cuda/$*.cu.ptx $@
endif
$(BUILD)/ptx/%.c: $(call PTX_OF,%) test/ptx/translate.py
	@python3 test/ptx/translate.py $(filter %.ptx,$^) >$@.tmp && mv $@.tmp $@
$(BUILD)/ptx/%.o: $(BUILD)/ptx/%.c test/ptx/machine.h $(BUILD)/compile.txt
	$(call PTX_COMPILE,$(PTX_CC),-O0)
$(BUILD)/ptx/compare_%: $(BUILD)/test/ptx/compare.o $(BUILD)/test/ptx/machine.o $(BUILD)/ptx/%.o $(LIBRARY)
	$(LINK)
# What the tests of PTX want: test/bats/ptx.bats and test/bats/kernel.bats.
PTX_TESTED := $(if $(CUDA:0=),$(PTX_PROGRAMS))

.PHONY: ptx
ptx: $(PTX_PROGRAMS) ## build what runs the GPU kernels' PTX on the CPU: build/ptx/compare_ARCH SCENE...

.PHONY: ptxas ptx-files
PTXAS_ARCHS := $(or $(CUDA_ARCHS),$(CUDA_KNOWN))
# Of the PTX of an older architecture, PTXAS_OF=75, where that is there already; by default of each architecture's own.
ptx-files: $(foreach arch,$(or $(PTXAS_OF),$(PTXAS_ARCHS)),$(call PTX_OF,$(arch)))
	@:
# Of the files in cuda/ that PTXAS_FILES names.
PTXAS_FILES ?= $(PTX_FILES)
ptxas: ## registers and spills of the GPU's kernels, by architecture
	@$(MAKE) --no-print-directory ptx-files >&2
	@tools/ptxas.sh "$(NVCC)" "$(NVCCFLAGS)" $(BUILD)/ptx "$(PTXAS_FILES)" $(PTXAS_ARCHS:%=%$(PTXAS_OF:%=/%))

.PHONY: units
units: $(UNITS) ## build the unit tests

BATS := $(sort $(wildcard test/bats/*.bats))

.PHONY: check
check: ## install what is missing, build, run all tests
	@tools/setup.sh test
	@$(MAKE) --no-print-directory -j$$(nproc) all units $(BUILD)/lbrender_fake_gpu $(FAKE_BENCHES) $(BAD_PEERS) $(SLOW_DISK) $(PTX_TESTED)
	@LBRENDER=$(CURDIR)/$(BUILD)/lbrender test/run.sh $(UNITS) $(BATS)

.PHONY: check-damage
check-damage: ## build, run the unit tests and render the damaged files
	@tools/setup.sh test
	@$(MAKE) --no-print-directory -j$$(nproc) all units
	@LBRENDER=$(CURDIR)/$(BUILD)/lbrender test/run.sh $(filter-out $(UNITS_LEFT_OUT),$(UNITS)) test/bats/damaged.bats

.PHONY: check-references
check-references: all ## render every reference scene at 256 samples and compare (minutes)
	../shared/tools/check_references.sh $(BUILD)/lbrender --needs main

.PHONY: sanitize asan ubsan tsan tsan-matrix
# test_simulate_balance and test_hybrid are left out: what they run for a quarter of the time, to judge figures, test_simulate and
# test_strategies run as well.
sanitize: ## the unit tests and the damaged files under AddressSanitizer and UndefinedBehaviorSanitizer at once (minutes)
	ASAN_OPTIONS=allocator_may_return_null=1 LB_TEST_SHARE=4 $(MAKE) CC=clang-14 CUDA=0 BUILD=build/sanitize CFLAGS="-O1 -g1" \
	    check-damage RARE=-O0 UNITS_LEFT_OUT="%/test_simulate_balance %/test_hybrid" \
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

.PHONY: check-layers lint
check-layers: ## fail on an include, or a link of what is built, against the layers
	@tools/check-layers.sh
lint: ## layers, banned functions, format
	@tools/lint.sh

# The GPU's pipeline on the host is for tests: it need not be fast, and compiles in half the time so.
$(patsubst %,$(BUILD)/core/wave/%.o,stages_rgb stages_spectral shade_led): ISA := -DLB_UNFORCED

# A build that is only to be compared with another's pictures may compile as it likes what these do not come through, `make
# UNRENDERED="-O0 -DLB_UNFORCED"`: code of which they ask for nothing, as of core/cpu/groups.c, and folders of which no pixel comes. Or it
# takes that, and what is for other instruction sets than AVX2, from the build of these sources in a folder that LENDER names.
SELDOM     := $(filter $(patsubst %,$(BUILD)/core/cpu/%,channels% guided% groups%),$(LIBRARY_OBJECTS))
UNRENDERED_OBJECTS := $(SELDOM) $(filter $(patsubst %,$(BUILD)/core/%,wave/stages_% wave/shade_led% cpu/tracer%),$(LIBRARY_OBJECTS)) \
    $(filter $(patsubst %,$(BUILD)/%,cli/% hosts/% strategies/%) $(patsubst %,$(BUILD)/core/%/%,display maps model processors report simulate),$(LIBRARY_OBJECTS) $(CLI_OBJECTS))
$(UNRENDERED_OBJECTS): HASTE := $(UNRENDERED)
ifneq ($(LENDER),)
LENT := $(UNRENDERED_OBJECTS) $(if $(filter x86_64,$(MACHINE)),$(patsubst %,$(BUILD)/core/cpu/%.o,occlusion occlusion.avx2 occlusion.avx512 render volume spectral render.avx512 volume.avx512))
$(LENT): $(BUILD)/%.o: $(LENDER)/%.o
	@mkdir -p $(@D) && cp $< $@
endif

# RARE is the same for what tests ask so little of that under sanitizers -O0, by which it compiles in a quarter of the time, saves some; the
# GPU's pipeline is not among it. They ask nothing of what is for AVX-512 where there is none.
ifneq ($(RARE),)
$(SELDOM): HASTE := $(RARE)
ifeq ($(MACHINE),x86_64)
$(patsubst %,$(BUILD)/core/cpu/%.o,spectral occlusion occlusion.avx2 occlusion.avx512): HASTE := $(RARE)
$(if $(findstring avx512vl,$(file </proc/cpuinfo)),,$(patsubst %,$(BUILD)/core/cpu/%.avx512.o,render volume)): HASTE := $(RARE)
endif
endif

DEPENDENCIES += $(FAKE_OBJECTS) $(BUILD)/test/unit/brute_radiance.o $(patsubst %,$(BUILD)/test/ptx/%.o,compare machine) $(BAD_PEERS:=.o) \
                $(UNITS:$(BUILD)/test/%=$(BUILD)/test/unit/%.o) $(FUZZERS:%.c=$(BUILD)/%.o)
