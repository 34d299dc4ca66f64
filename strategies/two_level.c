#include "strategies/two_level.h"

struct lb_two_level lb_two_level_split(uint64_t s, uint32_t threads, double t_cpu, double t_gpu, double alpha)
{
    struct lb_two_level split = {.t_cpu = t_cpu, .t_gpu = t_gpu};
    if (!(t_cpu > 0) || !(t_gpu > 0) || threads == 0)
        return split;
    /* Equation 13: k <= s1 and equation 9 together. */
    double most = (double)s - alpha * t_cpu / t_gpu;
    split.k = most < 1 ? 0 : most < threads ? (uint32_t)most : threads;
    double part = split.k * t_gpu / (alpha * t_cpu + split.k * t_gpu);
    split.s1 =
        (uint64_t)((double)s * part * (1 + 1e-12)); /* where it is k, rounding must not take a region */
    split.s2 = s - split.s1;
    double cpu_seconds = split.k > 0 ? alpha * (double)split.s1 * t_cpu / split.k : 0;
    double gpu_seconds = (double)split.s2 * t_gpu;
    split.seconds = cpu_seconds > gpu_seconds ? cpu_seconds : gpu_seconds;
    split.threads_speed_up = split.k / alpha;
    split.gpu_speed_up = t_cpu / t_gpu;
    split.speed_up = split.threads_speed_up + split.gpu_speed_up;
    return split;
}
