/* Channels of scenes whose light is red, green and blue. */
#define LB_CHANNELS_TRACE lb_channels_trace
#include "core/cpu/channels.inc"
