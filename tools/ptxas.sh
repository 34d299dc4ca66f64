#!/bin/bash
# What the assembler says of the GPU's kernels, as CSV (bench/results/csv/ptxas.csv): registers a thread, bytes of stores and of loads that
# are spilled (those of the functions that the kernel calls counted in), bytes of stack and of shared memory.
# usage: ptxas.sh NVCC "FLAGS" FOLDER "FILE..." ARCH[/OF]... FOLDER has what nvcc made of each cuda/FILE.cu with these flags: FILE_ARCH.ptx,
# or FILE_OF.ptx where the PTX of an older architecture is to be assembled.
nvcc=$1 flags=$2 folder=$3 files=$4
shift 4
echo "kernel,arch,registers,stores spilled,loads spilled,stack,shared"
for arch; do
  of=${arch#*/} arch=${arch%/*}
  for file in $files; do
    # shellcheck disable=SC2086
    "$nvcc" $flags -gencode arch=compute_$of,code=sm_$arch -Xptxas -v -cubin -o /dev/null "$folder/${file}_$of.ptx" 2>&1
  done | c++filt |
    awk -v arch="sm_$arch" '
      function flush() { if (kernel != "") printf "%s,%s,%s,%d,%d,%d,%d\n", kernel, arch, registers, stores, loads, stack, shared }
      /Compiling entry function/ { flush(); split($0, part, "\047"); kernel = part[2]; sub(/\(.*/, "", kernel); stores = loads = stack = shared = 0 }
      /bytes stack frame/ { stores += $5; loads += $9; if ($1 > stack) stack = $1 }
      /Used .* registers/ { for (i = 1; i < NF; i++) { if ($i == "Used") registers = $(i + 1); if ($(i + 2) == "smem" || $(i + 2) == "smem,") shared = $i } }
      END { flush() }' | sort
done
