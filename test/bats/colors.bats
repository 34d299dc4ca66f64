# The color space of the film, and of images: what files say, and that it is true.
load common

# A patch that shines by $2 and fills the picture; a Film in the space $1.
patch() {
  cat <<END
ColorSpace "$1"
Film "rgb" "integer xresolution" 4 "integer yresolution" 3 "bool savefp16" false
ColorSpace "srgb"
Camera "orthographic" "float screenwindow" [ -0.4 0.4 -0.3 0.3 ]
Sampler "independent" "integer pixelsamples" 2
WorldBegin
Translate 0 0 1
AreaLightSource "diffuse" $2 "bool twosided" true
Shape "trianglemesh" "integer indices" [ 0 1 2 0 2 3 ] "point3 P" [ -1 -1 0  1 -1 0  1 1 0  -1 1 0 ] "point2 uv" [ 0 0 1 0 1 1 0 1 ]
END
}

# The first pixel of a PFM: red, green, blue; of an uncompressed EXR of floats: X, Y, Z, by what the file says of its primaries and its white.
look() {
  python3 - "$1" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
if data[:2] == b"PF":
    print("%.4f %.4f %.4f" % struct.unpack_from("<3f", data, len(data) - 4 * 3 * 12))
    sys.exit()
at = data.index(b"chromaticities\0chromaticities\0") + 30
*primaries, white = [(x / y, 1, (1 - x - y) / y) for x, y in struct.iter_unpack("<2f", data[at + 4:at + 36])] \
    if 0 not in struct.unpack_from("<8f", data, at + 4)[1::2] else sys.exit("a primary of no luminance")
row = len(data) - 3 * (8 + 4 * 3 * 4) + 8  # the last three rows: B, G, R of four pixels each
rgb = [struct.unpack_from("<f", data, row + 16 * i)[0] for i in (2, 1, 0)]
# How much of each primary makes the white, by Cramer's rule.
det = lambda a, b, c: sum(a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3]) for i in range(3))
parts = [det(*(white if i == j else primaries[j] for j in range(3))) / det(*primaries) for i in range(3)]
print("%.3f %.3f %.3f" % tuple(sum(rgb[i] * parts[i] * primaries[i][c] for i in range(3)) for c in range(3)))
END
}

@test "colors: an EXR is in the film's color space and says so; PNG and PFM are sRGB" {
  colour='"rgb L" [ 0.5 0.25 0.75 ]'
  patch srgb "$colour" >srgb.pbrt
  "$LBRENDER" -q --compression none -o srgb.exr srgb.pbrt
  "$LBRENDER" -q -o srgb.pfm srgb.pbrt
  "$LBRENDER" -q -o srgb.png srgb.pbrt
  for space in dci-p3 rec2020 aces2065-1; do
    patch $space "$colour" >space.pbrt
    "$LBRENDER" -q --compression none -o space.exr space.pbrt
    "$LBRENDER" -q -o space.pfm space.pbrt
    "$LBRENDER" -q -o space.png space.pbrt
    cmp srgb.pfm space.pfm
    # Their notes differ by the scene's name.
    [ "$(map_of srgb.png 4 3 | cksum)" = "$(map_of space.png 4 3 | cksum)" ]
    echo "$space: $(look space.exr), not $(look srgb.exr)"
    [ "$(look space.exr)" = "$(look srgb.exr)" ]
    differ space.exr srgb.exr
    # A part knows it, too.
    "$LBRENDER" -q --part space.part -o none space.pbrt
    "$LBRENDER" --merge -q --compression none -o merged.exr space.part
    [ "$(look merged.exr)" = "$(look space.exr)" ]
    # What the file holds is read back as what it is.
    patch srgb '"string filename" "space.exr"' >back.pbrt
    "$LBRENDER" -q -o back.pfm back.pbrt
    [ "$(look back.pfm)" = "$(look srgb.pfm)" ]
  done
}
