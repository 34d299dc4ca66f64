/* Limits that scenes must keep, when they are made of a file as when they come from another host. */
#ifndef LB_CORE_SCENE_BLOCK_LIMITS_H
#define LB_CORE_SCENE_BLOCK_LIMITS_H

#define LB_FILM_SIDE    65535 /* pixels of the film's longest possible side */
#define LB_SENSOR_MOST  1e6f /* the most by which a sensor multiplies a colour's component, or its negative */
#define LB_MIX_DEPTH    64   /* how deep mixes of mixes may go */
#define LB_COAT_MOST    (1 << 20) /* events of a walk below a coat, and walks */
#define LB_OCTAVES_MOST 1000      /* octaves of a texture's noise */
#define LB_WARP_SIDE    65535     /* values along a side of a measured material's tables */

#endif
