#!/bin/bash
#SBATCH --job-name=lbrender-hosts
#SBATCH --nodes=3 --ntasks-per-node=1 --no-kill
# One picture on all nodes of a job: sbatch slurm-hosts.sh scene.pbrt picture.png [options of lbrender]
#
# The primary runs in the batch shell, so that the job's status is its status: 0, or 3 where a node was lost on the way.
# A worker runs on each node, the first one's too, with all of its CPUs and GPUs. --no-kill keeps the job and -K0 the step
# when a node goes down; the picture is finished by the others. Needs a folder that all nodes see, for the key.
set -eu
: "${SLURM_JOB_ID:?start it by sbatch}"
scene=$1 picture=$2
shift 2
lbrender=${LBRENDER:-lbrender}
port=${LBRENDER_PORT:-$((20000 + SLURM_JOB_ID % 20000))}
first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
key=$SLURM_SUBMIT_DIR/lbrender-$SLURM_JOB_ID.key # which all of the job find by themselves
"$lbrender" --make-key="$key"
trap 'rm -f "$key"' EXIT

srun --no-kill --kill-on-bad-exit=0 --overlap --quiet \
  "$lbrender" --join="tcp://${LBRENDER_HOST:-$first}:$port" --patience=120 &
status=0
"$lbrender" --serve="tcp://*:$port" --devices="$SLURM_JOB_NUM_NODES*host" --patience=60 \
  -o "$picture" "$@" "$scene" || status=$?
exit "$status"
