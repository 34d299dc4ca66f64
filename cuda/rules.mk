# How the GPUs' code is compiled, and for which GPUs.

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
CUDA_OBJECTS := $(patsubst %,$(BUILD)/%.o,$(wildcard cuda/*.cu cuda/*.cc))
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

# The kernels alone are code for devices; all else is C++ that calls the toolkit's library, and compiles in a sixth of nvcc's time. To
# C++ a function of C that bears a struct's name, as lb_log, shadows something.
$(filter %.cc.o,$(CUDA_OBJECTS)): CXX_ALSO := -fno-exceptions -fno-rtti -Wno-shadow -idirafter $(dir $(NVCC))../include
$(BUILD)/cuda/%.cu.o: ISA := $(CUDA_CODE) $(if $(CUDA_ARCHS),,-DLB_CUDA_PTX_ALONE)
$(BUILD)/cuda/%.cu.o: CODE := ($(if $(CUDA_ARCHS),for GPUs of architectures $(CUDA_ARCHS),PTX alone: no GPU is here))
$(BUILD)/%.cu.o: %.cu $(BUILD)/nvcc.txt
	$(call STEP,nvcc $< $(CODE))
	$(SHOW)$(NVCC) $(ALL_CPPFLAGS) $(NVCCFLAGS) $(ISA) -MMD -MP -c -o $@ $<
# Where nothing but PTX is made, it is kept beside the object: the tests read it (test/rules.mk), and to make it once more takes as long again.
ifeq ($(strip $(CUDA_ARCHS)),)
$(BUILD)/cuda/%.cu.o $(BUILD)/cuda/%.cu.ptx: cuda/%.cu $(BUILD)/nvcc.txt
	$(call STEP,nvcc $< $(CODE))
	@rm -rf $(BUILD)/cuda/$*.kept && mkdir -p $(BUILD)/cuda/$*.kept
	$(SHOW)$(NVCC) $(ALL_CPPFLAGS) $(NVCCFLAGS) $(ISA) --keep --keep-dir $(BUILD)/cuda/$*.kept -MMD -MP -c -o $(BUILD)/cuda/$*.cu.o $<
	@mv $(BUILD)/cuda/$*.kept/$*.ptx $(BUILD)/cuda/$*.cu.ptx && rm -rf $(BUILD)/cuda/$*.kept
endif
