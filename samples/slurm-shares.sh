#!/bin/bash
# One still by a Slurm array: as many shares as you say, each a task on some host, and a job that joins them. The picture is the bytes of one
# run on one host. A task that is preempted, requeued or killed goes on from its last checkpoint; one that is lost is run again:
# sbatch --array=3 slurm-shares.sh 8 scene.pbrt picture.png
#
# usage: slurm-shares.sh SHARES SCENE PICTURE [LBRENDER OPTION...]
#   on a host that has sbatch; SCENE and PICTURE in a folder that all hosts see. SBATCH_OPTIONS: more of sbatch's, for the tasks.
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
shares=$1 scene=$2 picture=$3
shift 3
parts=$picture.parts
lbrender=${LBRENDER:-lbrender}

if [ -n "${SLURM_ARRAY_TASK_ID-}" ]; then # a share; signals go to lbrender itself
  part=$parts/$SLURM_ARRAY_TASK_ID.part
  exec "$lbrender" --share="$SLURM_ARRAY_TASK_ID/$shares" --checkpoint="$part,${LB_CHECKPOINT:-60}" --resume="$part" "$@" "$scene"
elif [ -n "${SLURM_JOB_ID-}" ]; then # all of them are done
  exec "$lbrender" --merge "$parts"/*.part -o "$picture"
fi
mkdir -p "$parts"
rm -f "$parts"/*.part
array=$(sbatch --parsable --array="1-$shares" --job-name=lbrender ${SBATCH_OPTIONS-} "$0" "$shares" "$scene" "$picture" "$@")
sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --job-name=lbrender-join "$0" "$shares" "$scene" "$picture"
