"""What the project claims of its codecs, and how it stands with a table of bench codec."""

BOUNDS = (1e-3, 1e-4, 1e-5)
SEA = 0.64  # share of the masked fields that has values


class Table:
    """Looks rows up; None where one was not measured."""

    def __init__(self, rows):
        self.rows = {(row["field"], row["codec"], row["error_bound_rel"]): row for row in rows}

    def get(self, field, codec, bound=0.0, column="ratio"):
        row = self.rows.get((field, codec, bound))
        return row and row[column]

    def second_stages(self, codec):
        """The codec's names with a stage behind it, of those measured."""
        return sorted({name for _, name, _ in self.rows if name.startswith(f"{codec}+")})


def ratios(table, field, bound):
    """What `bounded` must be on this field: (what, value, demand)."""
    ours = table.get(field, "bounded", bound)
    reference = table.get(field, "fz-light-layout", bound)
    demands = {"turbulence": 1.5, "turbulence_3d": 1.5, "gradient": 1.35, "quiet_wavefield": 8}
    if ours and reference and field in demands:
        yield f"{field} {bound:g}: ratio over fz-light's layout", ours / reference, demands[field]
    sz3 = table.get(field, "sz3", bound)
    if ours and sz3 and field == "turbulence":
        yield f"{field} {bound:g}: ratio over SZ3's", ours / sz3, 1


def speeds(table, field, bound):
    for column, word in (("compress_GBps", "compress"), ("expand_GBps", "expand")):
        ours = table.get(field, "bounded", bound, column)
        zstd = table.get(field, "zstd", 0.0, column)
        if ours and zstd and field != "quiet_wavefield":
            yield f"{field} {bound:g}: {word} over zstd -1", ours / zstd, 10
        copy = table.get(field, "bounded", bound, "memcpy_GBps")
        if ours and field == "quiet_wavefield":
            yield f"{field} {bound:g}: {word} over memcpy", ours / copy, 1
        elif ours and word == "expand":
            yield f"{field} {bound:g}: {word} over memcpy", ours / copy, 0.8


def exact_claims(table):
    columns = (("compress_GBps", "compress"), ("expand_GBps", "expand"))
    demands = [("ratio", "ratio", "zstd", 1.4), ("ratio", "ratio", "shuffle+zstd", 1.1)]
    demands += [(column, word, "zstd", 8) for column, word in columns]
    for column, word, other, demand in demands:
        ours = table.get("climate", "exact", column=column)
        theirs = table.get("climate", other, column=column)
        if ours and theirs:
            name = "zstd -1" if other == "zstd" else other
            yield f"climate exact: {word} over {name}", ours / theirs, demand
    if noise := table.get("white_noise", "exact"):
        yield "white_noise exact: ratio", noise, 0.999


def times(table, what, ours, theirs, demand, column="ratio"):
    """A claim on ours over theirs, each a field, a codec and a bound, if both were measured."""
    mine, other = (table.get(*row, column=column) for row in (ours, theirs))
    if mine and other:
        yield what, mine / other, demand


def hard_claims(table):
    """Fields as programs hold them, which are easy to make dear."""
    leapfrog = ("leapfrog", "bounded", 1e-3)
    flushed = ("leapfrog_flushed", "bounded", 1e-3)
    yield from times(table, "leapfrog 0.001: ratio over that without -0", leapfrog, flushed, 0.95)
    if speed := table.get(*leapfrog, column="compress_GBps"):
        copy = table.get(*leapfrog, column="memcpy_GBps")
        yield "leapfrog 0.001: compress over memcpy", speed / copy, 1
    for bound in BOUNDS:
        turbulence = ("turbulence", "bounded", bound)
        for name in ("masked_nan", "masked_1e20", "masked_-9999"):
            masked = (name, "bounded", bound)
            what = f"{name} {bound:g}: ratio over turbulence's at sea"
            for _, value, _ in times(table, what, masked, turbulence, 1):
                yield what, value * SEA, 0.9
            what = f"{name} {bound:g}: compress over turbulence"
            yield from times(table, what, masked, turbulence, 0.5, "compress_GBps")
        for other in ("sz3", "exact"):
            them = ("kelvin", other, bound if other == "sz3" else 0.0)
            what = f"kelvin {bound:g}: ratio over {other}"
            yield from times(table, what, ("kelvin", "bounded", bound), them, 1)
        components = [(name, "bounded", bound) for name in ("interleaved", "interleaved_apart")]
        what = f"interleaved {bound:g}: ratio over components apart"
        yield from times(table, what, *components, 0.95)


def real_claims(table):
    """Every real field, with and without a second stage, beside SZ3."""
    fields = {field for field, _, _ in table.rows if field.startswith("real_")}
    for field in sorted(fields):
        for bound in BOUNDS:
            stages = [("bounded", 0.9, 50)]
            stages += [(stage, 1, 10) for stage in table.second_stages("bounded")]
            for codec, ratio, speed in stages:
                ours, theirs = (field, codec, bound), (field, "sz3", bound)
                what = f"{field} {bound:g}, {codec}"
                yield from times(table, f"{what}: ratio over SZ3", ours, theirs, ratio)
                column = "compress_GBps"
                yield from times(table, f"{what}: speed over SZ3", ours, theirs, speed, column)


def exact_ratios(table):
    """The entropy stage of `exact`, on every field."""
    demands = {"shuffle+zstd": 1, "blosc2-shuffle-zstd": 1, "pcodec": 0.93}
    for stage in table.second_stages("exact"):
        for field in sorted({field for field, _, _ in table.rows}):
            for codec, demand in demands.items():
                what = f"{field} {stage}: ratio over {codec}"
                yield from times(table, what, (field, stage, 0.0), (field, codec, 0.0), demand)
            if speed := table.get(field, stage, column="compress_GBps"):
                yield f"{field} {stage}: compress in GB/s", speed, 1


def print_claims(rows):
    table = Table(rows)
    claims = []
    for bound in (1e-3, 1e-4):
        for field in ("turbulence", "turbulence_3d", "gradient", "quiet_wavefield"):
            claims += ratios(table, field, bound)
            claims += speeds(table, field, bound)
    claims += exact_claims(table)
    claims += hard_claims(table)
    claims += real_claims(table)
    claims += exact_ratios(table)
    for row in rows:
        if row["codec"].startswith("bounded") and row["max_error_over_bound"] > 1:
            claims.append((f"{row['field']}: bound over largest error", 0, 1))
    print("\nclaims")
    for what, value, demand in claims:
        verdict = "holds" if value >= demand else "FAILS"
        print(f"  {verdict}  {what}: {value:.2f}, claimed {demand:g}")
