#!/usr/bin/env python3
"""Decodes `bounded` and `exact` encodings, slowly and in the order of docs/dev/format.md.

    decode.py ENCODING VALUES     writes the decoded values, raw
    decode.py --check FOLDER      decodes FOLDER/*.encoded and compares with FOLDER/*.values

Of an encoding NAME.encoded that was predicted from earlier messages, these are in NAME.references:
one after the other, the nearest first.

An independent reading of the format: it shares no code with the codec and checks its golden
encodings in the tests. Anything wrong with the bytes raises Damaged.
"""

import math
import pathlib
import struct
import sys

TILE = 1024
BLOCK = 16
INT16, INT32, FLOAT32, FLOAT64 = 2, 3, 5, 6
SIZES = [1, 1, 2, 4, 8, 4, 8]
NONE, PREVIOUS, SECOND, ROW, ROWS, PLANE, CUBE = range(7)
VERBATIM, DENSE, SPARSE, RUN, INTEGERS, CLOSE, MASKED, FILL = range(8)
PLAIN, WORDS, RUNS, LIST = (0, 1, 2), 3, 4, 5  # methods of `exact`
ORDERED, NARROWED, SHIFTED, QUOTIENTS, EXTRAPOLATED = range(5)
SEGMENT, LINEAR, FOURS, ESCAPE, LONGEST_CODE, OTHER_FOUR = 16384, 1, 2, 256, 11, 81


class Damaged(Exception):
    pass


def demand(condition, what):
    if not condition:
        raise Damaged(what)


class Input:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        demand(self.at + size <= len(self.data), "ends early")
        self.at += size
        return self.data[self.at - size : self.at]

    def byte(self):
        return self.take(1)[0]


def to_float32(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


class Grid:
    """The value of an integer; see "The grid"."""

    def __init__(self, element_type, bound, terms):
        single = element_type == FLOAT32
        most = (2.0**18 if terms == 1 else 2.0**20) if single else 2.0**40
        most_of_sum = 2.0**31 - 1 if single else 2.0**51 - 1
        rounding = 2.0**-23 if single else 2.0**-50
        smallest, largest = (2.0**-100, 2.0**100) if single else (2.0**-900, 2.0**900)
        self.single, self.step, self.sum_limit = single, 0.0, 0
        limit = min(most, math.floor(most_of_sum / terms))
        half = bound / (1 + limit * rounding) * (1 - 2.0**-20)
        if limit < 1 or half * 2 < smallest:
            return
        step = half * 2 if half < largest / 2 else largest
        if single:
            rounded = to_float32(step)
            if rounded > step:  # the next float32 towards zero
                (bits,) = struct.unpack("<I", struct.pack("<f", rounded))
                (rounded,) = struct.unpack("<f", struct.pack("<I", bits - 1))
            step = rounded
        largest_value = (2 - 2.0**-23) * 2.0**127 if single else sys.float_info.max
        limit = math.floor(min(limit, largest_value / step / terms))
        if limit < 1:
            return
        self.step, self.sum_limit = step, int(limit) * terms

    def value(self, q):
        # A product of two float32 is exact in float64, so one rounding is left either way.
        if self.single:
            return to_float32(float(q) * self.step)
        return float(q) * self.step


class GivenGrid:
    def __init__(self, element_type, step, origin):
        self.single = element_type == FLOAT32
        smallest, largest = (2.0**-100, 2.0**100) if self.single else (2.0**-900, 2.0**900)
        demand(smallest <= step <= largest, "step")
        demand(not self.single or to_float32(step) == step, "step of another type")
        demand(abs(origin) <= 2.0**100, "origin")
        self.step, self.origin = step, origin

    def value(self, q):
        if not self.single:
            return float(q) * self.step + self.origin
        # float32(q) is q as long as |q| is at most 2^24. A sum of two float32 that was rounded to
        # float64 first rounds to the same float32: 53 bits are more than twice 24 and 2.
        return to_float32(to_float32(to_float32(float(q)) * self.step) + self.origin)

    def integer(self, x):
        """The nearest one; 0 where there is none."""
        rounded = to_float32 if self.single else float
        scaled = rounded(rounded(x - self.origin) * rounded(1 / self.step))
        return round(scaled) if abs(scaled) <= (2**22 if self.single else 2**50) else 0


def every_block(count):
    return list(range((count + BLOCK - 1) // BLOCK))


def unfold(folded):
    return folded >> 1 if folded % 2 == 0 else -((folded + 1) >> 1)


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def predict(q, i, predictor, row, plane, bits):
    def before(distance):
        return q[i - distance] if i >= distance else 0

    if predictor == PREVIOUS:
        return before(1)
    if predictor == SECOND:
        return 2 * before(1) - before(2)
    if predictor == ROW:
        return before(1) + before(row) - before(row + 1)
    if predictor == PLANE:
        return before(1) + before(plane) - before(plane + 1)
    if predictor == CUBE:
        above = before(row) - before(row + 1)
        behind = before(plane) - before(plane + 1)
        return before(1) + above + behind - before(plane + row) + before(plane + row + 1)
    if predictor == ROWS:
        return before(1) + three_rows(q, i, row, bits) - three_rows(q, i - 1, row, bits)
    return 0


def three_rows(q, i, row, bits):
    """What the three rows above say of an integer."""
    one, two, three = (q[i - k * row] if i >= k * row else 0 for k in (1, 2, 3))
    return 2 * one - two + (signed(three - two, bits) >> 1)


class Tiles:
    """Integers q, and values by place where they are exceptions; see "Tiles, blocks and codes"."""

    def __init__(self, source, row, plane, reach, bits):
        demand(reach in ((0,) if row == 0 else (1, 3) if 16 <= row <= 4096 else (1,)), "reach")
        self.source, self.row, self.plane = source, row, plane
        self.reach, self.bits = reach, bits
        self.q, self.exceptions = [], {}
        self.words = {}  # integers given as they are, by place
        self.run, self.predictor = 0, NONE
        self.fills, self.fill = 0, None  # tiles of the fill value still to come, and its bytes

    def tile(self, count):
        if self.run > 0:
            self.run -= 1
            return self.restore([0] * count)
        if self.fills > 0:
            self.fills -= 1
            return self.hold_fill(count)
        byte = self.source.byte()
        kind, self.predictor = byte % 16, byte // 16
        if kind in (MASKED, FILL):
            demand(byte // 16 <= 1, "unknown tile")
            if byte // 16 == 1:
                self.fill = self.source.take(self.bits // 8)
            demand(self.fill is not None, "no fill value")
            if kind == MASKED:
                return self.masked(count)
            self.fills = self.source.byte()
            return self.hold_fill(count)
        demand(kind <= CLOSE, "unknown tile")
        self.check_predictor()
        size = self.bits // 8
        if kind in (VERBATIM, INTEGERS):
            demand(self.predictor == NONE, "predictor of plain values")
            for _ in range(count):
                raw = self.source.take(size)
                if kind == VERBATIM:
                    self.exceptions[len(self.q)] = raw
                    self.q.append(self.q[-1] if self.q else 0)
                else:
                    self.q.append(int.from_bytes(raw, "little", signed=True))
            if kind == VERBATIM:  # all hold the integer before the tile
                self.q[-count:] = [self.q[-count - 1] if len(self.q) > count else 0] * count
        elif kind == RUN:
            self.run = self.source.byte()
            self.restore([0] * count)
        elif kind == CLOSE:
            demand(count == TILE, "close tile")
            self.restore(self.close_blocks(list(range(TILE // BLOCK)), TILE))
        else:
            self.restore(self.blocks(every_block(count), count, kind == SPARSE))

    def check_predictor(self):
        demand(self.predictor <= CUBE, "unknown predictor")
        demand(self.reach >= {ROW: 1, ROWS: 3}.get(self.predictor, 0), "reach")
        demand(self.plane > 0 or self.predictor not in (PLANE, CUBE), "no planes")

    def hold_fill(self, count):
        self.exceptions.update({len(self.q) + i: self.fill for i in range(count)})
        self.q += [self.q[-1] if self.q else 0] * count

    def mask(self, count):
        changes = self.source.byte()
        if changes == 255:
            bits = int.from_bytes(self.source.take((count + 15) // 16 * 2), "little")
            demand(bits >> count == 0, "mask beyond the tile")
            return [bits >> i & 1 for i in range(count)]
        demand(changes < 128, "mask")
        mask, place, at_change = [0] * count, 0, False
        while changes > 0:
            distance = self.source.byte()
            place += distance
            demand(place < count and not (distance == 0 and at_change), "mask")
            at_change = distance < 255
            if at_change:
                mask[place:] = [1 - bit for bit in mask[place:]]
                changes -= 1
        return mask

    def masked(self, count):
        mask = self.mask(count)
        demand(0 < sum(mask) < count, "mask of all or of none")
        given = [b for b in every_block(count) if not all(mask[b * BLOCK : (b + 1) * BLOCK])]
        byte = self.source.byte()
        kind, self.predictor = byte % 16, byte // 16
        demand(kind in (DENSE, SPARSE, RUN, CLOSE), "unknown tile")
        self.check_predictor()
        kept_before = set(self.exceptions)
        if kind == RUN:
            residuals = [0] * count
        elif kind == CLOSE:
            residuals = self.close_blocks(given, count)
        else:
            residuals = self.blocks(given, count, kind == SPARSE)
        for i in range(count):
            if mask[i]:
                place = len(self.q) + i
                demand(place not in self.exceptions or place in kept_before, "masked exception")
                self.exceptions[place] = self.fill
        self.restore(residuals)

    def close_blocks(self, given, count):
        base, size = self.source.byte(), (len(given) + 3) // 4
        codes = self.source.take(size)
        residuals = [0] * (count + BLOCK)
        for i, b in enumerate(given):
            width = base + (codes[i % size] >> i // size * 2) % 4
            demand(width <= self.bits, "width")
            residuals[b * BLOCK : (b + 1) * BLOCK] = self.unpack(width)
        return residuals[:count]

    def codes(self, blocks, sparse):
        given = int.from_bytes(self.source.take(8), "little") if sparse else (1 << blocks) - 1
        demand(given >> blocks == 0, "map beyond the tile")
        used = [b for b in range(blocks) if given >> b & 1]
        halves = []
        for byte in self.source.take((len(used) + 1) // 2):
            halves += [byte % 16, byte // 16]
        demand(len(halves) == len(used) or halves[-1] == 0, "half byte not 0")
        codes = [0] * blocks
        for b, code in zip(used, halves, strict=False):
            codes[b] = code
        return codes

    def blocks(self, given, count, sparse):
        base = self.source.byte()
        demand(base <= self.bits, "base")
        codes = self.codes(len(given), sparse)
        escapes = [self.source.byte() if code >= 14 else 0 for code in codes]
        residuals = [0] * (count + BLOCK)
        for b, code, escape in zip(given, codes, escapes, strict=True):
            lanes = min(BLOCK, count - b * BLOCK)
            if code == 15 and escape == 255:
                self.read_words(b, lanes)
                continue
            width = base + code if code else 0
            if code >= 14:
                width = escape if code == 14 else escape % 128
            demand(width <= self.bits, "width")
            residuals[b * BLOCK : (b + 1) * BLOCK] = self.unpack(width)
            if code == 15:
                self.read_exceptions(b, lanes, escape >= 128)
        return residuals[:count]

    def unpack(self, width):
        planes = max(0, (width + 7) // 8 - 1)
        rest = width - 8 * planes
        residuals = [0] * BLOCK
        for plane in range(planes):
            for i, byte in enumerate(self.source.take(BLOCK)):
                residuals[i] |= byte << 8 * plane
        bits = int.from_bytes(self.source.take(2 * rest), "little")
        for i in range(BLOCK):
            residuals[i] |= (bits >> i * rest) % (1 << rest) << 8 * planes
        return residuals

    def read_mask(self, lanes):
        mask = int.from_bytes(self.source.take(2), "little")
        demand(mask != 0 and mask >> lanes == 0, "mask")
        return [mask >> i & 1 for i in range(lanes)]

    def read_exceptions(self, block, lanes, have_values):
        mask = self.read_mask(lanes)
        width, kept = 1, (1 << sum(mask)) - 1  # -0 rotated is 1
        if have_values:
            width = self.source.byte()
            demand(1 <= width <= self.bits, "width of exceptions")
            kept = int.from_bytes(self.source.take((sum(mask) * width + 7) // 8), "little")
        for i in range(lanes):
            if mask[i]:
                rotated = kept % (1 << width)
                kept >>= width
                bits = rotated >> 1 | rotated % 2 << self.bits - 1
                self.keep(block, i, bits.to_bytes(self.bits // 8, "little"))

    def read_words(self, block, lanes):
        for i, exception in enumerate(self.read_mask(lanes)):
            word = self.source.take(self.bits // 8)
            if exception:
                self.keep(block, i, word)
            else:
                place = len(self.q) + block * BLOCK + i
                self.words[place] = int.from_bytes(word, "little", signed=True)

    def keep(self, block, i, value):
        self.exceptions[len(self.q) + block * BLOCK + i] = value

    def restore(self, residuals):
        for residual in residuals:
            if len(self.q) in self.words:
                self.q.append(self.words[len(self.q)])
                continue
            here = len(self.q)
            predicted = predict(self.q, here, self.predictor, self.row, self.plane, self.bits)
            self.q.append(signed(unfold(residual) + predicted, self.bits))


def planes_of(rows, components, count):
    """Lengths of rows and planes in the field of a header that tells both."""
    row, plane = rows % 65536, rows % 65536 * (rows // 65536)
    demand(row <= 8192, "row length")
    demand(rows < 65536 or (plane >= 16 and plane * components < count), "planes")
    return row, plane


def tiled(source, count, components, row, plane, reach, bits):
    """The tiles of each component; see "Components"."""
    streams = [Tiles(source, row, plane, reach, bits) for _ in range(components)]
    for first in range(0, count, TILE * components):
        for k, stream in enumerate(streams):
            values = len(range(first + k, min(count, first + TILE * components), components))
            if values > 0:
                stream.tile(values)
    ended = all(stream.run == 0 and stream.fills == 0 for stream in streams)
    demand(ended and source.at == len(source.data), "trailing bytes")
    return streams


def in_turn(streams, count):
    """One of each stream, again and again."""
    return [streams[i % len(streams)][i // len(streams)] for i in range(count)]


def decode_bounded(data, references=()):
    head = Input(data)
    header = struct.unpack("<BBBBIIQd", head.take(28))
    version, kind, structure, grid_kind, rows, terms, count, bound = header
    components, reach = structure // 16 + 1, structure % 16
    demand(version == 3 and kind in (FLOAT32, FLOAT64) and grid_kind <= 5, "header")
    row, plane = planes_of(rows, components, count)
    demand(components == 1 or grid_kind == 1, "header")
    demand(plane == 0 or (components == 1 and grid_kind in (1, 3)), "header")
    if grid_kind == 2:
        demand(reach == 0 and row == 0 and data[8:12] + data[20:28] == bytes(12), "header")
        demand(data[29] == kind and data[36:44] == data[12:20], "header of another encoding")
        return decode_exact(data[28:], references)
    if grid_kind in (1, 3, 4, 5):
        grid = GivenGrid(kind, bound, *struct.unpack("<f", data[8:12]))
    else:
        demand(terms > 0 and 0 < bound < math.inf, "header")
        grid = Grid(kind, bound, terms)
    form = "<f" if kind == FLOAT32 else "<d"
    said = []
    if grid_kind > 3:
        demand(rows == 0 and structure == 0, "structure")
        said = said_of_grid(head, kind, count, grid, references)
    if grid_kind in (3, 5):
        demand(reach == 0, "reach")
        streams = [coded_grid(head, count, row, plane, 8 * SIZES[kind])]
    else:
        tiles = tiled(head, count, components, row, plane, reach, 8 * SIZES[kind])
        streams = [(stream.exceptions, stream.q) for stream in tiles]
    if said:
        bits = 8 * SIZES[kind]
        streams = [
            (exceptions, [signed(q + p, bits) for q, p in zip(integers, said, strict=True)])
            for exceptions, integers in streams
        ]
    values = [
        [exceptions.get(i) or struct.pack(form, grid.value(q)) for i, q in enumerate(integers)]
        for exceptions, integers in streams
    ]
    return b"".join(in_turn(values, count))


def coded_grid(source, count, row, plane, bits):
    """Exceptions and integers; see "Coded encodings"."""
    tiles_size, residuals = struct.unpack("<QQ", source.take(16))
    exceptions = {}
    if tiles_size > 0:
        exceptions = tiled(Input(source.take(tiles_size)), count, 1, 0, 0, 0, bits)[0].exceptions
    demand(residuals == count - len(exceptions), "residuals")
    integers = coded_component(source, count, row, plane, bits, exceptions)
    demand(source.at == len(source.data), "trailing bytes")
    return exceptions, integers


def said_of_grid(source, kind, count, grid, references):
    """The integers that references say; see "Encodings in time"."""
    order = source.byte()
    demand(1 <= order <= len(references), "order")
    tiles = (count + TILE - 1) // TILE
    left_out = int.from_bytes(source.take((tiles + 7) // 8), "little")
    size, form = SIZES[kind], "<f" if kind == FLOAT32 else "<d"
    said = [0] * count
    for i in range(count):
        if left_out >> i // TILE & 1:
            continue
        last = [one[i * size : (i + 1) * size] for one in references[:order]]
        said[i] = grid.integer(*struct.unpack(form, extrapolate_numbers(last, kind)))
    return said


def ordered(bits, width):
    return bits if bits >= 0 else signed(bits ^ ((1 << width - 1) - 1), width)


def read_lengths(source):
    """Lengths of codes by token; see "Codes of tokens"."""
    (tokens,) = struct.unpack("<H", source.take(2))
    demand(tokens <= ESCAPE + 1, "tokens")
    halves = []

    def half():
        if not halves:
            byte = source.byte()
            halves.extend([byte % 16, byte // 16])
        return halves.pop(0)

    lengths = []
    while len(lengths) < tokens:
        lengths.append(half())
        demand(lengths[-1] <= LONGEST_CODE, "length of a code")
        if lengths[-1] == 0:
            lengths += [0] * half()
    demand(not halves or halves[0] == 0, "half byte not 0")
    return {token: length for token, length in enumerate(lengths[: ESCAPE + 1]) if length}


def read_codes(source):
    """Tokens by length and code, the code's first bit highest."""
    lengths = read_lengths(source)
    if list(lengths.values()) == [1]:
        return {(0, 0): next(iter(lengths))}
    demand(sum(2**-length for length in lengths.values()) == 1, "incomplete codes")
    codes, code, before = {}, 0, 0
    for token, length in sorted(lengths.items(), key=lambda item: (item[1], item[0])):
        code <<= length - before
        codes[length, code] = token
        code, before = code + 1, length
    return codes


class Stream:
    def __init__(self, data):
        self.bits, self.size, self.at = int.from_bytes(data, "little"), len(data), 0

    def take(self, count):
        self.at += count
        return self.bits >> self.at - count & (1 << count) - 1

    def token(self, codes):
        length, code = 0, 0
        while (length, code) not in codes:
            length, code = length + 1, code * 2 + self.take(1)
            demand(length <= LONGEST_CODE, "unknown code")
        return codes[length, code]


def fours(source, count, bits, depth):
    """Residuals by symbols that tell four; see "Fours"."""
    demand(depth < 3, "fours within fours")
    symbols = segment(source, (count + 3) // 4, bits, depth + 1)
    demand(max(symbols) <= OTHER_FOUR, "symbol")
    size = 4 * symbols.count(OTHER_FOUR)
    others = iter(segment(source, size, bits, depth + 1) if size else [])
    residuals = []
    for symbol in symbols:
        if symbol == OTHER_FOUR:
            residuals += [next(others) for _ in range(4)]
        else:
            residuals += [symbol // 3**k % 3 for k in range(4)]
    return residuals[:count]


def segment(source, count, bits, depth=0):
    """Residuals, as in "Segments"."""
    kind, shift, base = source.byte(), 0, 0
    if kind == FOURS:
        return fours(source, count, bits, depth)
    demand(kind <= LINEAR, "kind of tokens")
    if kind == LINEAR:
        shift = source.byte()
        demand(shift < bits, "shift")
        base = int.from_bytes(source.take(bits // 8), "little")
    codes = read_codes(source)
    demand(kind == LINEAR or max(codes.values()) < 4 * (bits - 3) + 8, "token beyond the width")
    sizes = struct.unpack("<8H", source.take(16))
    streams = [Stream(source.take(size)) for size in sizes]
    residuals = []
    for i in range(count):
        stream = streams[i % 8]
        token = stream.token(codes)
        if kind == LINEAR and token == ESCAPE:
            value = stream.take(bits)
        elif kind == LINEAR:
            value = token << shift | stream.take(shift)
        elif token < 8:
            value = token
        else:
            extra = token // 4 - 1
            value = token % 4 + 4 << extra | stream.take(extra)
        residuals.append(value + base & (1 << bits) - 1)
    demand(all((s.at + 7) // 8 == s.size for s in streams), "length of a stream")
    return residuals


def coded_component(source, count, row, plane, bits, gaps=()):
    orders, lag = source.take(2)
    order, row_order, plane_order = orders % 16, orders // 16 % 4, orders // 64
    demand(order <= 7 and plane_order <= 2 and 1 <= lag <= 64, "differences")
    demand(row_order == 0 or row >= 16, "differences along rows")
    demand(plane_order == 0 or plane >= 16, "differences along planes")
    left = count - len(gaps)
    residuals = []
    while len(residuals) < left:
        residuals += segment(source, min(SEGMENT, left - len(residuals)), bits)
    following = iter(residuals)
    levels = [0 if i in gaps else unfold(next(following)) for i in range(count)]
    for distance in [lag] * order + [row] * (row_order % 3):
        for i in range(distance, count):
            levels[i] = signed(levels[i] + levels[i - distance], bits)
    if row_order == 3:
        for i in range(count):
            levels[i] = signed(levels[i] + three_rows(levels, i, row, bits), bits)
    for _ in range(plane_order):
        for i in range(plane, count):
            levels[i] = signed(levels[i] + levels[i - plane], bits)
    return levels


def coded_integers(source, count, components, row, plane, bits):
    streams = [
        coded_component(source, len(range(k, count, components)), row, plane, bits)
        for k in range(components)
    ]
    demand(source.at == len(source.data), "trailing bytes")
    return in_turn(streams, count)


def in_order(value, kind):
    bits = 8 * SIZES[kind]
    integer = int.from_bytes(value, "little", signed=True)
    return ordered(integer, bits) if kind >= FLOAT32 else integer


def extrapolate_numbers(last, kind):
    """The bytes of a prediction from the bytes of earlier values; see "Extrapolated"."""
    form, rounded = ("<f", to_float32) if kind == FLOAT32 else ("<d", float)
    values = [struct.unpack(form, one)[0] for one in last]
    total = 0.0
    for k in range(1, len(values)):
        step = rounded(rounded(values[k - 1] - values[k]) * math.comb(len(values) - 1, k))
        total = rounded(total - step if k % 2 == 0 else total + step)
    if not abs(total) > 0:
        return last[0]
    return struct.pack(form, rounded(values[0] + total))


def extrapolate(last, kind):
    """The ordered integer of a prediction."""
    if not last:
        return 0
    if kind >= FLOAT32:
        return in_order(extrapolate_numbers(last, kind), kind)
    weights = [(-1) ** k * math.comb(len(last), k + 1) for k in range(len(last))]
    return sum(w * in_order(one, kind) for w, one in zip(weights, last, strict=True))


def add_predictions(source, kind, integers, references):
    size, given = SIZES[kind], source.byte()
    order, some_left_out = given % 16, given // 16
    demand(1 <= order <= 8 and some_left_out <= 1, "order")
    demand(order <= len(references), "references")
    count = len(references[0]) // size
    left_out = 0
    if some_left_out:
        tiles = (count + TILE - 1) // TILE
        left_out = int.from_bytes(source.take((tiles + 7) // 8), "little")
    out = []
    for i, rest in enumerate(integers(max(32, 8 * size))):
        used = [] if left_out >> i // TILE & 1 else references[:order]
        last = [one[i * size : (i + 1) * size] for one in used]
        value = signed(rest + extrapolate(last, kind), 8 * size)
        if kind >= FLOAT32:
            value = ordered(value, 8 * size)
        out.append(signed(value, 8 * size).to_bytes(size, "little", signed=True))
    return b"".join(out)


def undo_transform(source, kind, integers, references):
    """The values of the integers that `integers(bits)` reads, behind what the transform needs."""
    size = SIZES[kind]
    bits = max(32, 8 * size)
    transform, shift = source.byte(), 0
    demand(transform <= EXTRAPOLATED, "transform")
    if transform == EXTRAPOLATED:
        return add_predictions(source, kind, integers, references)
    if transform == NARROWED:
        demand(kind == FLOAT64, "narrowed")
        narrow = [signed(ordered(x, 32), 32) for x in integers(32)]
        return b"".join(
            struct.pack("<d", *struct.unpack("<f", struct.pack("<i", x))) for x in narrow
        )
    if transform == QUOTIENTS:
        demand(kind >= FLOAT32, "quotients")
        divisor, width, fill_count = struct.unpack("<dBB", source.take(10))
        demand(1 <= divisor <= 2.0**40 and width <= (21 if size == 4 else 50), "quotients")
        demand(fill_count <= 4, "fills")
        fills = {2**width + k: source.take(size) for k in range(fill_count)}
        form = "<f" if kind == FLOAT32 else "<d"
        return b"".join(fills.get(x) or struct.pack(form, x / divisor) for x in integers(bits))
    if transform == SHIFTED:
        shift = source.byte()
        demand(shift < 8 * size, "shift")
    q = integers(bits)
    if kind >= FLOAT32:
        q = [ordered(x, bits) for x in q]
    return b"".join((x << shift & (1 << 8 * size) - 1).to_bytes(size, "little") for x in q)


def tiled_integers(source, count, components, row, plane, reach, bits):
    streams = tiled(source, count, components, row, plane, reach, bits)
    demand(not any(tiles.exceptions for tiles in streams), "exceptions")
    return in_turn([tiles.q for tiles in streams], count)


def decode_words(source, kind, count, references):
    demand(SIZES[kind] == 1, "words of words")
    word, offset = source.take(2)
    demand(INT16 <= word <= FLOAT64 and offset < SIZES[word] and offset <= count, "words")
    before = source.take(offset)
    behind = source.take((count - offset) % SIZES[word])
    inner = source.data[source.at :]
    words = count - offset - len(behind)
    size = (words // SIZES[word]).to_bytes(8, "little")
    demand(inner[1] == word and inner[8:16] == size, "words")
    end = count - len(behind)
    return before + decode_exact(inner, [one[offset:end] for one in references]) + behind


def two_parts(source, methods):
    """Encodings of `exact`, the first behind its size, and their types, methods and counts."""
    size = int.from_bytes(source.take(8), "little")
    parts = [source.take(size), source.data[source.at :]]
    for part, allowed in zip(parts, methods, strict=True):
        demand(len(part) >= 16 and part[2] in allowed, "method of a part")
    return [(part, part[1], int.from_bytes(part[8:16], "little")) for part in parts]


def decode_runs(source, kind, count):
    (lengths, of_lengths, pairs), (told, of_told, many) = two_parts(source, (PLAIN, (*PLAIN, LIST)))
    demand(of_lengths == INT32 and pairs % 2 == 0 and pairs <= count + 1, "lengths")
    demand(of_told == kind, "type of a part")
    lengths = struct.unpack(f"<{pairs}i", decode_exact(lengths))
    least = [1] * (pairs - 1) + [0] * (pairs > 0)
    demand(all(a >= b for a, b in zip(lengths, least, strict=True)), "length")
    demand(sum(lengths) == count and sum(lengths[::2]) == many, "lengths")
    told, size, values = Input(decode_exact(told)), SIZES[kind], b""
    for new, repeats in zip(lengths[::2], lengths[1::2], strict=True):
        values += told.take(new * size)
        values += values[-size:] * repeats
    return values


def decode_list(source, kind, count):
    (values, of_values, many), (places, of_places, all_places) = two_parts(source, (PLAIN, PLAIN))
    demand(SIZES[kind] >= 4 and of_values == kind and many <= count, "list")
    demand(of_places == INT32 and all_places == count, "places")
    values, size = decode_exact(values), SIZES[kind]
    places = struct.unpack(f"<{count}i", decode_exact(places))
    demand(all(0 <= place < many for place in places), "place")
    return b"".join(values[place * size :][:size] for place in places)


def decode_exact(data, references=()):
    head = Input(data)
    version, kind, method, structure, rows, count = struct.unpack("<BBBBIQ", head.take(16))
    components, reach = structure // 16 + 1, structure % 16
    demand(version == 3 and kind <= FLOAT64 and method <= LIST, "header")
    row, plane = planes_of(rows, components, count)
    demand(plane == 0 or method == 2 or (method == 1 and components == 1), "planes")
    demand(method == 1 or reach == 0, "reach")
    size = SIZES[kind]
    if method == WORDS:
        return decode_words(head, kind, count, references)
    if method in (RUNS, LIST):
        demand(components == 1, "components")
        return (decode_runs if method == RUNS else decode_list)(head, kind, count)
    if method == 0:
        demand(components == 1, "components")
        demand(len(data) == 16 + count * size, "stored size")
        return data[16:]
    if method == 2:
        return undo_transform(
            head,
            kind,
            lambda bits: coded_integers(head, count, components, row, plane, bits),
            references,
        )
    return undo_transform(
        head,
        kind,
        lambda bits: tiled_integers(head, count, components, row, plane, reach, bits),
        references,
    )


def references_of(path, data):
    file = path.with_suffix(".references")
    if not file.exists():
        return []
    count = data[12:20] if path.name.startswith("bounded") else data[8:16]
    size = SIZES[data[1]] * int.from_bytes(count, "little")
    together = file.read_bytes()
    return [together[at : at + size] for at in range(0, len(together), size)]


def decode(path):
    data = path.read_bytes()
    if not path.name.startswith("exact"):
        return decode_bounded(data, references_of(path, data))
    return decode_exact(data, references_of(path, data))


def check(folder):
    encodings = sorted(pathlib.Path(folder).glob("*.encoded"))
    wrong = [e.name for e in encodings if decode(e) != e.with_suffix(".values").read_bytes()]
    for name in wrong:
        print(f"{name}: decodes to other values", file=sys.stderr)
    right = len(encodings) - len(wrong)
    print(f"{right} of {len(encodings)} golden encodings decode as they should")
    return 1 if wrong or not encodings else 0


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--check":
        return check(arguments[1])
    values = decode(pathlib.Path(arguments[0]))
    pathlib.Path(arguments[1]).write_bytes(values)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
