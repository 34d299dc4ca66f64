#include "strategies/two_level.h"

struct lb_two_level lb_two_level_split(uint64_t s, uint32_t threads, double t_cpu, double t_gpu, double alpha)
{
    struct lb_two_level split = {.t_cpu = t_cpu, .t_gpu = t_gpu};
    if (!(t_cpu > 0) || !(t_gpu > 0) || threads == 0)
        return split;
    split.s1 = (uint64_t)((double)s * threads * t_gpu / (alpha * t_cpu + threads * t_gpu));
    split.s2 = s - split.s1;
    split.k = split.s1 < threads ? (uint32_t)split.s1 : threads;
    double cpu_seconds = split.k > 0 ? alpha * (double)split.s1 * t_cpu / split.k : 0;
    double gpu_seconds = (double)split.s2 * t_gpu;
    split.seconds = cpu_seconds > gpu_seconds ? cpu_seconds : gpu_seconds;
    split.threads_speed_up = threads / alpha;
    split.gpu_speed_up = t_cpu / t_gpu;
    split.speed_up = split.threads_speed_up + split.gpu_speed_up;
    return split;
}
