#!/bin/bash
# Packs all that a first meeting with a GPU needs, for a machine where nothing can be installed: what bindist.sh packs, the programs that
# measure GPUs, the scripts that run them, and the scenes. Unpacked, `./gpu.sh` there runs every step and puts all results into ./results.
# usage: gpu_kit.sh BUILD VERSION FOLDER DATA, after bindist.sh with the same BUILD; DATA has scenes/ and references/index.tsv, or is not there.
# Writes FOLDER/lbrender-gpu-kit-VERSION-ARCHITECTURE.tar.xz.
set -eu
build=$1 version=$2 folder=$3 data=$4
name=lbrender-gpu-kit-$version-$(uname -m)
packed=$build/packed/lbrender-$version-$(uname -m)
root=$build/packed/$name
rm -rf "$root"
cp -a "$packed" "$root"
mkdir -p "$root/build/bench" "$root/build/asking" "$root/bench" "$root/test/scenes" "$root/samples"
ln -s ../bin/lbrender "$root/build/lbrender"
for program in bench/gpu_rays bench/gpu_stages asking/lbrender_3 asking/lbrender_6 asking/lbrender_one; do
  cp "$build/$program" "$root/build/$program"
  strip "$root/build/$program"
  patchelf --force-rpath --set-rpath '$ORIGIN/../../lib' "$root/build/$program"
done
cp bench/gpu.sh bench/gpu_*.sh "$root/bench/"
mkdir -p "$root/bench/results/csv"
cp bench/results/csv/gpu-*.csv "$root/bench/results/csv/"
cp test/check_gpu.sh "$root/test/"
cp test/scenes/*.pbrt "$root/test/scenes/"
cp -r samples/. "$root/samples/"
if [ -d "$data/scenes" ]; then
  mkdir -p "$root/shared/data/references"
  cp -r "$data/scenes" "$root/shared/data/"
  cp "$data/references/index.tsv" "$root/shared/data/references/"
else
  echo "gpu_kit.sh: without the scenes, as there is no $data/scenes" >&2
fi
git rev-parse --short HEAD >"$root/COMMIT" 2>/dev/null || echo unknown >"$root/COMMIT"
# The newest version of a library's symbols that anything here asks for: newest GLIBC
newest() {
  find "$root/bin" "$root/lib" "$root/build" -type f -exec objdump -T {} + 2>/dev/null | grep -o "($1_[0-9.]*)" | tr -d '()' | sort -uV | tail -n 1
}
release=$( (${NVCC:-nvcc} --version || /usr/local/cuda/bin/nvcc --version) 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
cat >"$root/gpu.sh" <<'END'
#!/bin/bash
# Checks and measures the GPU of this machine with what is packed here, in under ten minutes.
# usage: gpu.sh [FOLDER]        FOLDER (results) takes all that comes of it
results=$(realpath -m "${1:-results}")
cd "$(dirname "$0")" && DATA=shared/data BUILD=build exec bench/gpu.sh "$results"
END
chmod +x "$root/gpu.sh"
cat >"$root/README" <<END
What lbrender $version wants of a machine with an NVIDIA GPU, packed: nothing is compiled or installed there.

    ./gpu.sh [FOLDER]

checks and measures the first GPU in under ten minutes and puts all that comes of it into FOLDER (results). figures.md there is the page to
look at, STEP.txt is what a step said, also one that failed, and STEP.status is how it ended. When it is interrupted, figures.md tells of what
was done until then. Exit status 0: all went well.

A machine that is lent for one command does all of it by this one, and gives back the page and one file of the rest:

    tar -C /tmp -xJf $name.tar.xz && /tmp/$name/gpu.sh /tmp/results
    tar -C /tmp -czf results.tar.gz results && cp /tmp/results/figures.md .

Where there is no xz, Python has one: python3 -c 'import tarfile; tarfile.open("$name.tar.xz").extractall("/tmp")'

It needs glibc ($(newest GLIBC) or later), libstdc++ ($(newest GLIBCXX) or later), libgcc_s, and the driver's libcuda.so.1,
for CUDA ${release:-(unknown)} or later: nvidia-smi names the CUDA version that a driver is for. Where that library is off the loader's path, or
is too old, ./gpu.sh looks where drivers put it as a rule, and for the one that a toolkit has in its folder compat, which GPUs of data centres take
beside older drivers. If there is none ./gpu.sh says so; then the sources have to be built with that version's toolkit, by make gpu.
bin/lbrender --list-devices says what can be used and, where nothing can, why.

The clocks are looked at and never set, and nothing is written but into FOLDER and the driver's own cache.
END
mkdir -p "$folder"
when=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)
# The programs hold the same kernels: a dictionary as large as all of them finds what stands twice.
export XZ_OPT=${XZ_OPT:---lzma2=preset=6,dict=256MiB}
tar -C "$build/packed" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" -cJf "$folder/$name.tar.xz.part" "$name"
mv "$folder/$name.tar.xz.part" "$folder/$name.tar.xz"
echo "wrote $folder/$name.tar.xz, $(du -k "$folder/$name.tar.xz" | cut -f1) KB"
