// The stages for light of four wavelengths.
#define LB_SPECTRAL
#define LB_HOST_STAGE host_stage_spectral
#include "test/fake_cuda/host_stage.inc"
