// A stage of the pipeline as a launch on a played device does it: compiled for light of red, green and blue, and for
// light of four wavelengths.
#ifndef LB_TEST_FAKE_CUDA_HOST_STAGE_H
#define LB_TEST_FAKE_CUDA_HOST_STAGE_H

#include "cuda/kernels.h"
extern "C" {
#include "core/wave/stages.h"
}
#include "test/fake_cuda/device.h"

struct host_launch {
    lb_wave wave;
    enum lb_cuda_stage stage;
};

// Each takes a host_launch.
void host_stage_rgb(const void *argument);
void host_stage_spectral(const void *argument);

#endif
