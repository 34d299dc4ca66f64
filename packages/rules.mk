# What is given to others: the sources, and an archive that runs where nothing is installed.
.PHONY: dist bindist
# What is committed: it builds in an empty folder, without git.
dist: ## pack the committed sources into build/lbrender-VERSION.tar.gz
	@mkdir -p $(BUILD)
	git archive --prefix=lbrender-$(VERSION)/ -o $(BUILD)/lbrender-$(VERSION).tar.gz HEAD
bindist: ## pack the program for all GPUs, with its libraries, into build/lbrender-VERSION-ARCHITECTURE.tar.xz (minutes)
	@tools/setup.sh bindist
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/bindist CUDA_ARCHS=all all
	@packages/bindist.sh $(BUILD)/bindist $(VERSION) $(BUILD)
