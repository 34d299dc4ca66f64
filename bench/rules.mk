# Programs that measure.

.PHONY: bench-traverse
bench-traverse: $(BUILD)/bench/traverse ## build the benchmark of traversal beside Embree

# Programs that measure one part: `make bench`, then build/bench/ply FILE.ply ... and build/bench/png.
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(filter-out $(if $(filter 0,$(ZMQ)),bench/hosts_many.c),$(wildcard bench/*.c)))
$(BENCHES): $(BUILD)/bench/%: $(BUILD)/bench/%.o $(LIBRARY)

# Those that measure a GPU from within: over the real runtime where there is a toolkit, and over played devices for the tests.
RAYS := $(BUILD)/bench/gpu/rays.o $(BUILD)/bench/gpu/rays_steps.o
$(BUILD)/bench/gpu_stages: $(BUILD)/bench/gpu/stages.o $(LIBRARY)
$(BUILD)/bench/gpu_rays: $(RAYS) $(BUILD)/bench/gpu/rays_device.cu.o $(LIBRARY)
$(BUILD)/bench/fake_stages: $(BUILD)/bench/gpu/stages.o $(FAKE_OBJECTS) $(LIBRARY)
$(BUILD)/bench/fake_rays: $(RAYS) $(BUILD)/fake/rays_device.o $(FAKE_OBJECTS) $(LIBRARY)
$(BUILD)/bench/gpu/%.cu.o: ISA := $(CUDA_CODE)
# What rays cost a GPU in instructions: the PTX of its kernels in lockstep, needs nvcc but no GPU.
SLOTS_ARCH ?= 90
$(BUILD)/lockstep/%.c: $(call PTX_OF,%) test/ptx/translate.py
	@mkdir -p $(@D) && python3 test/ptx/translate.py --lockstep $(filter %.ptx,$^) >$@.tmp && mv $@.tmp $@
# A function is to have as much stack at each of its blocks, as threads in lockstep tell by it who is in the same call.
$(BUILD)/lockstep/%.o: EXACT += -fno-defer-pop
$(BUILD)/lockstep/%.o: $(BUILD)/lockstep/%.c test/ptx/machine.h $(BUILD)/compile.txt
	$(call PTX_COMPILE,$(CC),-O1)
# A program for light of red, green and blue, and one for wavelengths.
SLOTS := $(BUILD)/bench/gpu_slots $(BUILD)/bench/gpu_slots_spectral
$(BUILD)/bench/gpu/slots_spectral.o: ISA := -DLB_SPECTRAL
$(BUILD)/bench/gpu/slots_spectral.o: bench/gpu/slots.c $(BUILD)/compile.txt
	$(COMPILE)
ifeq ($(CUDA),0)
$(SLOTS):
	@echo "$@ runs the PTX of the kernels, which takes nvcc to make" >&2; exit 1
else
$(SLOTS): $(BUILD)/bench/gpu_%: $(BUILD)/bench/gpu/%.o $(BUILD)/bench/gpu/lockstep.o $(BUILD)/lockstep/$(SLOTS_ARCH).o $(LIBRARY)
	$(LINK)
endif

GPU_BENCHES  := $(addprefix $(BUILD)/bench/,gpu_rays gpu_stages)
FAKE_BENCHES := $(addprefix $(BUILD)/bench/,fake_rays fake_stages)
$(BENCHES) $(GPU_BENCHES) $(FAKE_BENCHES):
	$(LINK)
ifneq ($(CUDA),0)
BENCHES += $(GPU_BENCHES) $(SLOTS)
endif

.PHONY: bench
bench: $(BENCHES) ## build the programs that measure parts

# Variants of the kernels that ask, by how many of their blocks a multiprocessor is to hold, and of trees whose rays take one walk where
# others take two, each in a program of its own: only a kit and the tests build them.
ASKING_VARIANTS := $(if $(CUDA:0=),$(addprefix $(BUILD)/asking/lbrender_,3 6))
ONE_WALK := $(if $(CUDA:0=),$(BUILD)/asking/lbrender_one)
$(BUILD)/asking/stage_%.o: cuda/stage_asking.cu $(wildcard cuda/*.h core/kernel/*.h core/kernel/*/*.h) $(BUILD)/nvcc.txt
	$(call STEP,nvcc $< with $* blocks)
	$(SHOW)$(NVCC) $(ALL_CPPFLAGS) $(NVCCFLAGS) $(CUDA_CODE) -DLB_ASKING=$* -c -o $@ $<
$(ASKING_VARIANTS): $(BUILD)/asking/lbrender_%: $(CLI_OBJECTS) $(BUILD)/asking/stage_%.o $(LIBRARY)
	$(LINK)
$(BUILD)/asking/wide_asks.o: core/wave/wide_asks.c $(wildcard core/*.h core/*/*.h core/kernel/*/*.h) $(BUILD)/compile.txt
	$(call STEP,cc $< for one walk)
	$(SHOW)$(CC) $(ALL_CPPFLAGS) $(INCLUDES) $(ALL_CFLAGS) -DLB_ONE_WALK -c -o $@ $<
$(ONE_WALK): $(CLI_OBJECTS) $(BUILD)/asking/wide_asks.o $(LIBRARY)
	$(LINK)
.PHONY: gpu-programs
gpu-programs: $(GPU_BENCHES) $(ASKING_VARIANTS) $(ONE_WALK) # what a kit has beside the program itself

# What wants a GPU; says so and ends well where there is none.
.PHONY: check-gpu bench-gpu gpu
check-gpu: all ## compare the bytes of CPU, GPU and both on samples and reference scenes
	@test/check_gpu.sh $(BUILD)/lbrender
bench-gpu: all $(if $(CUDA:0=),$(BUILD)/bench/gpu_rays $(BUILD)/bench/gpu_stages) ## the same and all measurements, with what is built (minutes)
	@BUILD=$(BUILD) bench/gpu.sh
gpu: ## build, check and measure all that wants a GPU, within ten minutes (CUDA_ARCHS=90: for that alone)
	@BUILD= CUDA_ARCHS="$(if $(filter command line environment,$(origin CUDA_ARCHS)),$(CUDA_ARCHS))" bench/gpu.sh

DEPENDENCIES += $(BENCHES:=.o) $(RAYS) $(BUILD)/bench/gpu/rays_device.cu.o $(BUILD)/fake/rays_device.o \
                $(patsubst %,$(BUILD)/bench/gpu/%.o,stages slots slots_spectral lockstep)
