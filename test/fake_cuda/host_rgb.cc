// The stages for light of red, green and blue.
#define LB_HOST_STAGE host_stage_rgb
#include "test/fake_cuda/host_stage.inc"
