/* Public spectral tables, one value each 5 nm. Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_DATA_H
#define LB_CORE_SCENE_SPECTRUM_DATA_H

enum { LB_SPECTRUM_FIRST = 360, LB_SPECTRUM_LAST = 830, LB_SPECTRUM_STEP = 5, LB_SPECTRUM_COUNT = 95 };

struct lb_spectrum_table {
    const char *name;    /* as scenes name it; NULL ends a list */
    const float *values; /* LB_SPECTRUM_COUNT, from 360 to 830 nm */
};

extern const struct lb_spectrum_table lb_spectrum_cie[]; /* x, y, z */
/* Those of names that begin with stdillum- are used to 780 nm alone where red, green and blue are made of them
 * (lb_samples_end_evenly). */
extern const struct lb_spectrum_table lb_spectrum_illuminants[];
extern const struct lb_spectrum_table lb_spectrum_metals[];
extern const struct lb_spectrum_table lb_spectrum_glasses[];
/* Red, green and blue of sRGB: reflectances that show each of them alone under D65, and sum to 1 at all wavelengths. */
extern const struct lb_spectrum_table lb_spectrum_primaries[];
/* Of each camera its name with _r, _g and _b: how its sensor responds to light, in a unit of the camera's own. From
 * 720 nm on green and blue have red's value, as in pbrt. */
extern const struct lb_spectrum_table lb_spectrum_cameras[];
extern const struct lb_spectrum_table lb_spectrum_swatches[];       /* of a color chart: reflectances */
extern const struct lb_spectrum_table lb_spectrum_daylight_parts[]; /* S0, S1 and S2 (CIE 15) */

#endif
