# What is given to others: the sources, an archive that runs where nothing is installed, and a Debian package.
.PHONY: dist bindist deb gpu-kit release
# Which GPUs: RELEASE_ARCHS=90 where it is to be for those alone, and soon.
RELEASE_ARCHS ?= all
# What is committed: it builds in an empty folder, without git.
dist: ## pack the committed sources into build/lbrender-VERSION.tar.gz
	@mkdir -p $(BUILD)
	git archive --prefix=lbrender-$(VERSION)/ -o $(BUILD)/lbrender-$(VERSION).tar.gz HEAD
bindist: ## pack the program for all GPUs, with its libraries, into build/lbrender-VERSION-ARCHITECTURE.tar.xz (minutes)
	@packages/bindist.sh $(BUILD)/release $(VERSION) $(BUILD)
deb: ## pack the program for all GPUs into build/lbrender_VERSION_ARCHITECTURE.deb (minutes)
	@packages/deb.sh $(BUILD)/release $(VERSION) $(BUILD)
gpu-kit: bindist ## pack bindist with all that checks and measures a GPU, for machines without a compiler (minutes)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/release CUDA_ARCHS="$(RELEASE_ARCHS)" -j$$(nproc) gpu-programs
	@packages/gpu_kit.sh $(BUILD)/release $(VERSION) $(BUILD) $(firstword $(wildcard ../shared/data shared/data) none)
bindist deb: release
release:
	@tools/setup.sh packages
	@$(MAKE) --no-print-directory -j$$(nproc) BUILD=$(BUILD)/release CUDA_ARCHS="$(RELEASE_ARCHS)" all
