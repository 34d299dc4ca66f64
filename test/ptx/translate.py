#!/usr/bin/env python3
"""Turns the PTX that nvcc makes of the GPU's kernels into C, so that a CPU runs what a GPU would: test/ptx/machine.h has the
instructions and the threads. What this does not know is an error, never left out.

usage: translate.py [--lockstep] KERNELS.ptx... >KERNELS.c
Several files, as of one program, make one: nvcc gives what is local to a file names of its own.
--lockstep: threads stop at the begin of each basic block (ptx_step), so that bench/gpu/lockstep.c can run those of a warp in step.
"""
import re
import sys


class Unknown(Exception):
    """Something in the PTX that has no translation."""


def width_of(type_name):
    if type_name == 'pred':
        return 8
    if not re.fullmatch(r'[usbf](8|16|32|64)', type_name):
        raise Unknown(f'type {type_name}')
    return int(type_name[1:])


def c_name(name):
    return name.replace('$', 'L_').replace('%', 'v_')


# ---- instructions: each takes the parts of its name and its operands, and gives C ----

ARITHMETIC = {'add': '+', 'sub': '-', 'mul': '*'}
COMPARE_FLOAT = {'eq': 'a == b', 'ne': 'a < b || a > b', 'lt': 'a < b', 'le': 'a <= b', 'gt': 'a > b', 'ge': 'a >= b',
                 'equ': '!(a < b || a > b)', 'neu': 'a != b', 'ltu': '!(a >= b)', 'leu': '!(a > b)', 'gtu': '!(a <= b)',
                 'geu': '!(a < b)', 'num': 'a == a && b == b', 'nan': 'a != a || b != b'}
COMPARE_INTEGER = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=', 'lo': '<', 'ls': '<=', 'hi': '>', 'hs': '>='}
SPACES = ('global', 'local', 'shared', 'param', 'const')
SPECIAL = {'%tid.x': 'self->thread', '%ntid.x': 'self->block->threads', '%ctaid.x': 'self->block->index',
           '%nctaid.x': 'self->block->blocks', '%laneid': '(self->thread & 31u)'}
for axis in 'yz':
    SPECIAL.update({f'%tid.{axis}': '0u', f'%ctaid.{axis}': '0u', f'%ntid.{axis}': '1u', f'%nctaid.{axis}': '1u'})


# How many instructions of a GPU an instruction of PTX becomes, where that is not one: by nvcc's code for sm_90. What only names a value
# in PTX (a move, a kernel's parameter, an address in a space) takes none. Arithmetic of 64 bits takes two, but for products.
SLOTS = {'mov': 0, 'cvta': 0, 'ld.param': 0, 'st.param': 1, 'cvt.u64': 0, 'cvt.s64': 0, 'cvt.u16': 0, 'cvt.u32.u16': 0, 'div.rn.f32': 9,
         'div.rn.f64': 20, 'rcp.rn.f32': 7, 'rcp.rn.f64': 16, 'sqrt.rn.f32': 9, 'sqrt.rn.f64': 18, 'div': 16, 'rem': 18, 'setp': 1}


def slots_of(opcode):
    for end in range(len(opcode), 0, -1):
        known = SLOTS.get('.'.join(opcode[:end]))
        if known is not None:
            return known
    return 2 if opcode[-1] in ('b64', 'u64', 's64') and opcode[0] in ('add', 'sub', 'and', 'or', 'xor', 'not', 'selp', 'shl', 'shr', 'neg') else 1


class Block:
    """A basic block of a function: what it costs, and where it may lead to. No thread enters it but at its begin."""

    def __init__(self):
        self.slots = 0
        self.targets = []  # labels, and numbers of blocks; None is the function's end


def meeting_points(blocks, labels):
    """For each block the first one through which all ways from it to the function's end lead: there threads that parted meet again. The
    end itself has the number len(blocks)."""
    end = len(blocks)
    leads = [{end if t is None else labels.get(t, t) for t in block.targets or [None]} for block in blocks]
    everything = (2 << end) - 1
    after = [everything] * end + [1 << end]  # sets of blocks, a bit each
    changed = True
    while changed:
        changed = False
        for i in range(end - 1, -1, -1):
            common = everything
            for t in leads[i]:
                common &= after[t]
            changed = changed or common | 1 << i != after[i]
            after[i] = common | 1 << i
    sizes = [bin(a).count('1') for a in after]
    return [next(m for m in range(end + 1) if after[i] >> m & 1 and sizes[m] == sizes[i] - 1) for i in range(end)]


class Function:
    """One .func or .entry on its way to C."""

    def __init__(self, module, name):
        self.blocks, self.labels, self.fresh = [], {}, True  # fresh: the next instruction begins a block
        self.module, self.name = module, name
        self.widths = {}  # of registers, by name; 'pred' registers have 8
        self.params = {}  # PTX name -> C expression of its address
        self.symbols = {}  # local and shared variables -> C expression of their address
        self.lines = []
        self.site = 0

    def emit(self, text):
        self.lines.append('    ' + text)

    # -- operands --

    def width(self, register):
        if register in self.widths:
            return self.widths[register]
        family = re.fullmatch(r'(%[a-zA-Z]+)\d+', register)
        if family and family.group(1) in self.widths:
            return self.widths[family.group(1)]
        raise Unknown(f'register {register}')

    def raw(self, operand, bits):
        """An operand's bits, as an unsigned C expression of that width."""
        if operand in SPECIAL:
            return f'((uint{bits}_t){SPECIAL[operand]})'
        if operand.startswith('!'):
            return f'(!{self.raw(operand[1:], bits)})'
        if operand.startswith('%'):
            self.width(operand)
            return f'((uint{bits}_t){c_name(operand)})'
        if re.fullmatch(r'0[fF][0-9a-fA-F]{8}', operand):
            if bits != 32:
                raise Unknown(f'a float where {bits} bits are wanted')
            return f'0x{operand[2:]}u'
        if re.fullmatch(r'0[dD][0-9a-fA-F]{16}', operand):
            if bits != 64:
                raise Unknown(f'a double where {bits} bits are wanted')
            return f'0x{operand[2:]}ull'
        if re.fullmatch(r'-?(0[xX][0-9a-fA-F]+|\d+)U?', operand):
            return f'((uint{bits}_t)0x{int(operand.rstrip("U"), 0) & (1 << bits) - 1:x}ull)'
        address = self.address_of(operand)
        return f'((uint{bits}_t)({address}))'

    def value(self, operand, type_name):
        """As a C value of the type: signed, unsigned, float or double."""
        bits = width_of(type_name)
        raw = self.raw(operand, bits)
        if type_name[0] == 'f':
            return f'ptx_f{bits}({raw})'
        return f'((int{bits}_t){raw})' if type_name[0] == 's' else raw

    def store(self, register, type_name, value):
        """register = value, where value is of the type's kind; wider registers are filled as PTX says."""
        if register == '_':
            return f'(void)({value});'
        bits, room = width_of(type_name), self.width(register)
        if room < bits:
            raise Unknown(f'{bits} bits into {register}')
        if type_name[0] == 'f':
            return f'{c_name(register)} = ptx_b{bits}({value});'
        if type_name[0] == 's':
            return f'{c_name(register)} = (uint{room}_t)(int{bits}_t)({value});'
        return f'{c_name(register)} = (uint{bits}_t)({value});'

    def address_of(self, name):
        for table in (self.symbols, self.params, self.module.symbols):
            if name in table:
                return table[name]
        raise Unknown(f'operand {name}')

    def address(self, operand, space):
        """The C pointer of [register+offset] or [name+offset]."""
        inner = re.fullmatch(r'\[\s*([^\s+\]]+)\s*(?:\+\s*(-?\d+))?\s*\]', operand)
        if not inner:
            raise Unknown(f'address {operand}')
        base, offset = inner.group(1), inner.group(2) or '0'
        if base.startswith('%'):
            start = f'(uint64_t){c_name(base)}'
            self.width(base)
        else:
            start = f'(uint64_t){self.address_of(base)}'
        if space == 'shared':
            start = f'ptx_shared(self, {start})'
        return f'({start} + (uint64_t)({offset}ll))'

    # -- instructions --

    def begin_block(self, waiting):
        """Where the last one has ended, or threads are to meet."""
        if not self.module.lockstep or not (self.fresh or waiting):
            return
        if not self.fresh:
            self.blocks[-1].targets.append(len(self.blocks))
        for label in [label for label, block in self.labels.items() if block is None]:
            self.labels[label] = len(self.blocks)
        self.emit(f'ptx_step(self, {self.module.number[self.name]}, {len(self.blocks)});')
        self.blocks.append(Block())
        self.fresh = False

    def end_block(self, opcode, guard, operands):
        """Counts an instruction, and ends the block where it may lead elsewhere."""
        self.blocks[-1].slots += slots_of(opcode)
        if opcode[0] not in ('bra', 'ret', 'exit', 'call'):
            return
        if opcode[0] != 'call':
            self.blocks[-1].targets.append(operands[0] if opcode[0] == 'bra' else None)
        if guard or opcode[0] == 'call':
            self.blocks[-1].targets.append(len(self.blocks))
        self.fresh = True

    def label(self, name):
        if self.module.lockstep:
            self.labels[name] = None
            if not self.fresh:
                self.blocks[-1].targets.append(len(self.blocks))
            self.fresh = True
        self.emit(f'{c_name(name)}:;')

    def instruction(self, text):
        guard = ''
        match = re.match(r'@(!?)(%\w+)\s+(.*)', text, re.S)
        if match:
            guard, text = f'if ({match.group(1)}{c_name(match.group(2))}) ', match.group(3)
        parts = text.split(None, 1)
        opcode, operands = parts[0].split('.'), split_operands(parts[1]) if len(parts) > 1 else []
        handler = getattr(self, 'op_' + opcode[0], None)
        if handler is None:
            raise Unknown(f'instruction {text}')
        self.begin_block(opcode[0] in ('activemask', 'shfl', 'vote', 'match', 'bar', 'barrier'))
        if self.module.lockstep:
            self.end_block(opcode, guard, operands)
        code = handler(opcode[1:], operands)
        self.emit(f'{guard}{{ {code} }}' if guard else code)

    def expect(self, condition, mods):
        if not condition:
            raise Unknown('modifiers ' + '.'.join(mods))

    def op_mov(self, mods, args):
        self.expect(len(mods) == 1, mods)
        bits = width_of(mods[0])
        if args[0].startswith('{'):
            parts = split_operands(args[0].strip('{}'))
            each = bits // len(parts)
            return ''.join(self.store(part, f'b{each}', f'{self.raw(args[1], bits)} >> {i * each}') for i, part in enumerate(parts))
        if args[1].startswith('{'):
            parts = split_operands(args[1].strip('{}'))
            each = bits // len(parts)
            whole = ' | '.join(f'(uint{bits}_t){self.raw(part, each)} << {i * each}' for i, part in enumerate(parts))
            return self.store(args[0], f'b{bits}', whole)
        return self.store(args[0], f'b{bits}', self.raw(args[1], bits))

    def memory(self, mods):
        """(space, vector length, type) of a load's or store's modifiers. One that is volatile is like another here, where the
        host writes nothing while a kernel runs."""
        mods = [mod for mod in mods if mod != 'volatile']
        mods, space, count = list(mods), 'generic', 1
        if mods and mods[0] in SPACES:
            space = mods.pop(0)
        if mods and mods[0] == 'nc' and space == 'global':
            mods.pop(0)
        if mods and mods[0] in ('v2', 'v4'):
            count = int(mods.pop(0)[1])
        self.expect(len(mods) == 1, mods)
        return space, count, mods[0]

    def access(self, mods, where, registers):
        """(type, its bits, the address in C, the registers) of a load or store."""
        space, count, kind = self.memory(mods)
        registers = split_operands(registers.strip('{}')) if count > 1 else [registers]
        self.expect(len(registers) == count, mods)
        return kind, width_of(kind), self.address(where, space), registers

    def op_ld(self, mods, args):
        kind, bits, address, targets = self.access(mods, args[1], args[0])
        code = [f'const char *from = ptx_at({address}, {bits // 8 * len(targets)});']
        for i, target in enumerate(targets):
            loaded = f'ptx_load{bits}(from + {i * bits // 8})'
            code.append(self.store(target, 's' + kind[1:] if kind[0] == 's' else f'b{bits}', loaded))
        return '{ ' + ' '.join(code) + ' }'

    def op_st(self, mods, args):
        _, bits, address, sources = self.access(mods, args[0], args[1])
        code = [f'char *to = ptx_at({address}, {bits // 8 * len(sources)});']
        for i, source in enumerate(sources):
            code.append(f'ptx_store{bits}(to + {i * bits // 8}, {self.raw(source, bits)});')
        return '{ ' + ' '.join(code) + ' }'

    def binary(self, mods, args, sign):
        kind = mods[-1]
        a, b = self.value(args[1], kind), self.value(args[2], kind)
        if kind[0] == 'f':
            self.expect(mods[:-1] == ['rn'], mods)  # anything else rounds or flushes otherwise
        else:
            self.expect(mods[:-1] == [], mods)
            a, b = self.raw(args[1], width_of(kind)), self.raw(args[2], width_of(kind))
        return self.store(args[0], kind, f'{a} {sign} {b}')

    def op_add(self, mods, args):
        return self.binary(mods, args, '+')

    def op_sub(self, mods, args):
        return self.binary(mods, args, '-')

    def product(self, mods, args):
        """(type of the result, expression) of mul's and mad's product of integers."""
        self.expect(len(mods) == 2 and mods[0] in ('lo', 'hi', 'wide'), mods)
        part, kind = mods
        bits = width_of(kind)
        if part == 'lo':
            return kind, f'(uint64_t){self.raw(args[1], bits)} * {self.raw(args[2], bits)}'
        wide = ('__int128' if kind[0] == 's' else 'unsigned __int128')
        whole = f'({wide}){self.value(args[1], kind)} * {self.value(args[2], kind)}'
        if part == 'hi':
            return kind, f'({whole}) >> {bits}'
        return f'{kind[0]}{2 * bits}', whole

    def op_mul(self, mods, args):
        if mods[-1][0] == 'f':
            return self.binary(mods, args, '*')
        kind, code = self.product(mods, args)
        return self.store(args[0], kind, code)

    def op_mad(self, mods, args):
        self.expect(mods[-1][0] in 'us', mods)  # of floats it is a contraction that nobody wrote
        kind, code = self.product(mods, args)
        return self.store(args[0], kind, f'(uint{width_of(kind)}_t)({code}) + {self.raw(args[3], width_of(kind))}')

    def op_fma(self, mods, args):
        self.expect(mods in (['rn', 'f32'], ['rn', 'f64']), mods)
        a, b, c = (self.value(x, mods[1]) for x in args[1:])
        return self.store(args[0], mods[1], f'ptx_fma_{mods[1]}({a}, {b}, {c})')

    def op_div(self, mods, args):
        kind = mods[-1]
        if kind[0] == 'f':
            return self.binary(mods, args, '/')
        self.expect(len(mods) == 1, mods)
        return self.store(args[0], kind, f'ptx_div_{kind}({self.value(args[1], kind)}, {self.value(args[2], kind)})')

    def op_rem(self, mods, args):
        self.expect(len(mods) == 1 and mods[0][0] in 'us', mods)
        return self.store(args[0], mods[0], f'ptx_rem_{mods[0]}({self.value(args[1], mods[0])}, {self.value(args[2], mods[0])})')

    def op_rcp(self, mods, args):
        self.expect(mods in (['rn', 'f32'], ['rn', 'f64']), mods)
        return self.store(args[0], mods[1], f'({"float" if mods[1] == "f32" else "double"})1 / {self.value(args[1], mods[1])}')

    def op_sqrt(self, mods, args):
        self.expect(mods in (['rn', 'f32'], ['rn', 'f64']), mods)
        return self.store(args[0], mods[1], f'ptx_sqrt_{mods[1]}({self.value(args[1], mods[1])})')

    def extreme(self, name, mods, args):
        self.expect(len(mods) == 1, mods)
        kind = mods[0]
        return self.store(args[0], kind, f'ptx_{name}_{kind}({self.value(args[1], kind)}, {self.value(args[2], kind)})')

    def op_min(self, mods, args):
        return self.extreme('min', mods, args)

    def op_max(self, mods, args):
        return self.extreme('max', mods, args)

    def op_neg(self, mods, args):
        self.expect(len(mods) == 1, mods)
        bits = width_of(mods[0])
        if mods[0][0] == 'f':
            return self.store(args[0], f'b{bits}', f'{self.raw(args[1], bits)} ^ (uint{bits}_t)1 << {bits - 1}')
        return self.store(args[0], mods[0], f'0 - {self.raw(args[1], bits)}')

    def op_abs(self, mods, args):
        self.expect(len(mods) == 1 and mods[0][0] in 'fs', mods)
        bits = width_of(mods[0])
        if mods[0][0] == 'f':
            return self.store(args[0], f'b{bits}', f'{self.raw(args[1], bits)} & ~((uint{bits}_t)1 << {bits - 1})')
        a = self.value(args[1], mods[0])
        return self.store(args[0], mods[0], f'{a} < 0 ? 0 - {self.raw(args[1], bits)} : {self.raw(args[1], bits)}')

    def op_copysign(self, mods, args):  # the first operand's sign, the second's size
        self.expect(mods in (['f32'], ['f64']), mods)
        bits = width_of(mods[0])
        top = f'((uint{bits}_t)1 << {bits - 1})'
        return self.store(args[0], f'b{bits}', f'({self.raw(args[1], bits)} & {top}) | ({self.raw(args[2], bits)} & ~{top})')

    def logic(self, mods, args, sign):
        self.expect(len(mods) == 1 and (mods[0] == 'pred' or mods[0][0] == 'b'), mods)
        bits = width_of(mods[0])
        return self.store(args[0], f'b{bits}', f'{self.raw(args[1], bits)} {sign} {self.raw(args[2], bits)}')

    def op_and(self, mods, args):
        return self.logic(mods, args, '&')

    def op_or(self, mods, args):
        return self.logic(mods, args, '|')

    def op_xor(self, mods, args):
        return self.logic(mods, args, '^')

    def op_not(self, mods, args):
        self.expect(len(mods) == 1, mods)
        bits = width_of(mods[0])
        return self.store(args[0], f'b{bits}', f'{"!" if mods[0] == "pred" else "~"}{self.raw(args[1], bits)}')

    def op_lop3(self, mods, args):
        self.expect(mods == ['b32'], mods)
        a, b, c = (self.raw(x, 32) for x in args[1:4])
        table = int(args[4], 0)
        terms = [f'({"" if i & 4 else "~"}{a} & {"" if i & 2 else "~"}{b} & {"" if i & 1 else "~"}{c})' for i in range(8) if table >> i & 1]
        return self.store(args[0], 'b32', ' | '.join(terms) or '0')

    def op_shl(self, mods, args):
        self.expect(len(mods) == 1, mods)
        bits, amount = width_of(mods[0]), self.raw(args[2], 32)
        return self.store(args[0], f'b{bits}', f'{amount} < {bits} ? {self.raw(args[1], bits)} << {amount} : 0')

    def op_shr(self, mods, args):
        self.expect(len(mods) == 1, mods)
        bits, amount = width_of(mods[0]), self.raw(args[2], 32)
        a = self.value(args[1], mods[0])
        beyond = f'{a} >> {bits - 1}' if mods[0][0] == 's' else '0'
        return self.store(args[0], mods[0], f'{amount} < {bits} ? {a} >> {amount} : {beyond}')

    def op_shf(self, mods, args):
        self.expect(len(mods) == 3 and mods[0] in 'lr' and mods[1] in ('wrap', 'clamp') and mods[2] == 'b32', mods)
        a, b, c = (self.raw(x, 32) for x in args[1:])
        amount = f'({c} & 31u)' if mods[1] == 'wrap' else f'({c} < 32u ? {c} : 32u)'
        both = f'((uint64_t){b} << 32 | {a})'
        return self.store(args[0], 'b32', f'{both} << {amount} >> 32' if mods[0] == 'l' else f'{both} >> {amount}')

    def op_bfe(self, mods, args):
        self.expect(mods in (['u32'], ['s32'], ['u64'], ['s64']), mods)
        return self.store(args[0], mods[0], f'ptx_bfe_{mods[0]}({self.value(args[1], mods[0])}, {self.raw(args[2], 32)}, {self.raw(args[3], 32)})')

    def op_bfi(self, mods, args):
        self.expect(mods in (['b32'], ['b64']), mods)
        bits = width_of(mods[0])
        a, b = (self.raw(x, bits) for x in args[1:3])
        return self.store(args[0], mods[0], f'ptx_bfi_{mods[0]}({a}, {b}, {self.raw(args[3], 32)}, {self.raw(args[4], 32)})')

    def op_brev(self, mods, args):
        self.expect(mods in (['b32'], ['b64']), mods)
        return self.store(args[0], mods[0], f'ptx_brev_{mods[0]}({self.raw(args[1], width_of(mods[0]))})')

    def op_popc(self, mods, args):
        self.expect(mods in (['b32'], ['b64']), mods)
        return self.store(args[0], 'b32', f'__builtin_popcountll({self.raw(args[1], width_of(mods[0]))})')

    def op_clz(self, mods, args):
        self.expect(mods in (['b32'], ['b64']), mods)
        bits = width_of(mods[0])
        a = self.raw(args[1], bits)
        return self.store(args[0], 'b32', f'{a} ? __builtin_clzll({a}) - {64 - bits} : {bits}')

    def op_bfind(self, mods, args):
        shift = mods[0] == 'shiftamt'
        self.expect(mods[-1] in ('u32', 'u64') and len(mods) == 1 + shift, mods)
        bits = width_of(mods[-1])
        a = self.raw(args[1], bits)
        place = f'__builtin_clzll({a}) - {64 - bits}' if shift else f'63 - __builtin_clzll({a})'
        return self.store(args[0], 'b32', f'{a} ? (uint32_t)({place}) : 0xffffffffu')

    def op_prmt(self, mods, args):
        self.expect(mods == ['b32'], mods)
        return self.store(args[0], 'b32', f'ptx_prmt({", ".join(self.raw(x, 32) for x in args[1:])})')

    def op_setp(self, mods, args):
        compare, kind = mods[0], mods[-1]
        self.expect(len(mods) in (2, 3), mods)
        targets = args[0].split('|')
        self.expect(len(targets) == 1, mods)
        a, b = self.value(args[1], kind), self.value(args[2], kind)
        if kind[0] == 'f':
            self.expect(compare in COMPARE_FLOAT, mods)
            real = 'float' if kind == 'f32' else 'double'
            code = f'({{ const {real} a = {a}, b = {b}; {COMPARE_FLOAT[compare]}; }})'
        else:
            self.expect(compare in COMPARE_INTEGER, mods)
            code = f'{a} {COMPARE_INTEGER[compare]} {b}'
        if len(mods) == 3:
            self.expect(mods[1] in ('and', 'or', 'xor'), mods)
            code = f'({code}) {dict([("and", "&"), ("or", "|"), ("xor", "^")])[mods[1]]} {self.raw(args[3], 8)}'
        return f'{c_name(targets[0])} = {code};'

    def op_selp(self, mods, args):
        self.expect(len(mods) == 1, mods)
        bits = width_of(mods[0])
        return self.store(args[0], f'b{bits}', f'{self.raw(args[3], 8)} ? {self.raw(args[1], bits)} : {self.raw(args[2], bits)}')

    def op_cvt(self, mods, args):
        rounding, (to, source) = mods[:-2], mods[-2:]
        a = self.value(args[1], source)
        if to[0] != 'f' and source[0] != 'f':
            self.expect(rounding == [], mods)
            return self.store(args[0], to, a)
        if to[0] != 'f':
            self.expect(rounding == ['rzi'], mods)
            return self.store(args[0], to, f'ptx_cvt_rzi_{to}_{source}({a})')
        exact = source == 'f32' and to == 'f64'
        self.expect(rounding == ([] if exact else ['rn']), mods)
        return self.store(args[0], to, f'({"float" if to == "f32" else "double"}){a}')

    def op_cvta(self, mods, args):
        self.expect(mods[-1] == 'u64', mods)
        into, space = mods[0] == 'to', mods[-2]
        self.expect(space in SPACES and len(mods) == 2 + into, mods)
        a = self.raw(args[1], 64)
        if space == 'shared':
            a = f'ptx_shared_offset(self, {a})' if into else f'ptx_shared(self, {a})'
        return self.store(args[0], 'u64', a)

    def op_bra(self, mods, args):
        self.expect(mods in ([], ['uni']), mods)
        return f'goto {c_name(args[0])};'

    def op_ret(self, mods, args):
        self.expect(mods in ([], ['uni']), mods)
        return 'return;'

    def op_exit(self, mods, args):
        return self.op_ret(mods, args) if self.name in self.module.entries else self.expect(False, ['exit in a function'])

    def op_call(self, mods, args):
        self.expect(mods in ([], ['uni']), mods)
        result = 'NULL'
        if args[0].startswith('('):
            result = args.pop(0).strip('() ')
        callee = args.pop(0)
        if callee not in self.module.functions:
            raise Unknown(f'call of {callee}')
        given = split_operands(args[0].strip('() \n')) if args else []
        return f'{callee}({", ".join(["self", result] + [c_name(x) for x in given])});'

    def op_atom(self, mods, args):
        mods = [m for m in mods if m not in ('relaxed', 'gpu')]
        if mods[0] == 'global':
            mods = mods[1:]
        self.expect(len(mods) == 2 and mods[0] in ('add', 'max', 'min', 'or', 'exch', 'and') and mods[1] in ('u32', 'u64', 'b32', 'b64'), mods)
        bits = width_of(mods[1])
        where = f'ptx_at({self.address(args[1], "generic")}, {bits // 8})'
        return self.store(args[0], f'b{bits}', f'ptx_atom_{mods[0]}_{bits}({where}, {self.raw(args[2], bits)})')

    def op_red(self, mods, args):
        return self.op_atom(mods, ['_'] + args)

    def sync(self, kind, mask, value, source):
        self.site += 1
        return f'ptx_meet(self, {kind}, {self.module.number[self.name] * 65536 + self.site}, {mask}, {value}, {source})'

    def op_activemask(self, mods, args):
        self.expect(mods == ['b32'], mods)
        return self.store(args[0], 'b32', self.sync('PTX_ACTIVE', '0', '0', '0'))

    def op_shfl(self, mods, args):
        self.expect(mods == ['sync', 'idx', 'b32'], mods)
        target, *predicate = args[0].split('|')
        if args[3].startswith('%'):
            check = f'ptx_need({self.raw(args[3], 32)} == 31u);'  # one segment of 32 lanes
        else:
            self.expect(int(args[3], 0) == 31, mods)
            check = ''
        code = check + self.store(target, 'b32', self.sync('PTX_SHUFFLE', self.raw(args[4], 32), self.raw(args[1], 32), self.raw(args[2], 32)))
        return code + (f'{c_name(predicate[0])} = 1;' if predicate else '')

    def op_vote(self, mods, args):
        self.expect(mods[0] == 'sync' and mods[1] in ('ballot', 'any', 'all'), mods)
        ballot = self.sync('PTX_BALLOT', self.raw(args[2], 32), self.raw(args[1], 32), '0')
        if mods[1] == 'ballot':
            return self.store(args[0], 'b32', ballot)
        test = '!= 0' if mods[1] == 'any' else f'== {self.raw(args[2], 32)}'
        return f'{c_name(args[0])} = {ballot} {test};'

    def op_match(self, mods, args):
        self.expect(mods == ['any', 'sync', 'b32'], mods)
        return self.store(args[0], 'b32', self.sync('PTX_MATCH', self.raw(args[2], 32), self.raw(args[1], 32), '0'))

    def op_bar(self, mods, args):
        if mods == ['warp', 'sync']:
            return f'(void){self.sync("PTX_BALLOT", self.raw(args[0], 32), "0", "0")};'
        self.expect(mods == ['sync'] and args == ['0'], mods)
        return f'(void){self.sync("PTX_BARRIER", "0", "0", "0")};'

    op_barrier = op_bar


def split_operands(text):
    """Splits at commas outside of braces, brackets and parentheses."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in '{[(':
            depth += 1
        elif c in '}])':
            depth -= 1
        elif c == ',' and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
        elif c == '(' and depth == 0:
            start = i
    last = text[start:].strip()
    return parts + [last] if last else parts


class Module:
    def __init__(self, lockstep=False):
        self.lockstep = lockstep
        self.tables = []  # of basic blocks, by function
        self.text = ''  # of the file in hand
        self.symbols, self.functions, self.entries, self.number = {}, {}, {}, {}
        self.shared_bytes = 0
        self.globals, self.bodies = [], []

    def read(self, text):
        at = 0
        text = self.text = re.sub(r'//[^\n]*', '', text)
        header = re.compile(r'\s*(\.version|\.target|\.address_size)[^\n]*\n')
        while True:
            match = header.match(text, at)
            if match:
                at = match.end()
                continue
            if not text[at:].strip():
                break
            at = self.top_level(at)

    def translate(self):
        for name, (params, body, result) in self.functions.items():
            self.function(name, params, body, result)
        return self.output()

    def top_level(self, at):
        text = self.text
        linkage = re.compile(r'\s*((?:\.visible|\.weak|\.extern)\s+)?').match(text, at)
        at = linkage.end()
        match = re.compile(r'\.(func|entry)\s*(\([^)]*\))?\s*([\w$]+)\s*(\([^)]*\))?\s*([^{;]*)([{;])').match(text, at)
        if match:
            kind, result, name, params, directives, opening = match.groups()
            for word in re.findall(r'\.\w+', directives):
                if word not in ('.maxntid', '.minnctapersm', '.noinline', '.maxnreg', '.reqntid'):
                    raise Unknown(f'directive {word}')
            if opening == ';':
                return match.end()
            depth, end = 1, match.end()
            while depth:
                depth += {'{': 1, '}': -1}.get(text[end], 0)
                end += 1
            names = [re.search(r'([\w$]+)(?:\[\d+\])?\s*$', p).group(1) for p in split_operands((params or '').strip('() \n'))]
            self.number[name] = len(self.functions)
            self.functions[name] = (names, text[match.end():end - 1], result)
            if kind == 'entry':
                self.entries[name] = True
            return end
        match = re.compile(r'\.(global|const|shared)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)((?:\[\d*\])*)\s*(?:=\s*([^;]*))?;').match(text, at)
        if match:
            self.variable(*match.groups())
            return match.end()
        raise Unknown(text[at:at + 100].strip().split('\n')[0])

    def shared(self, align, size):
        self.shared_bytes = -(-self.shared_bytes // align) * align
        offset = self.shared_bytes
        self.shared_bytes += size
        return f'{offset}ull'

    def variable(self, space, align, kind, name, dimensions, values):
        count = 1
        for dimension in re.findall(r'\[(\d*)\]', dimensions):
            count *= int(dimension)
        bits = width_of(kind)
        if space == 'shared':
            self.symbols[name] = self.shared(int(align or bits // 8), count * bits // 8)
            return
        initial = ''
        if values:
            numbers = [f'0x{int(v, 0) & (1 << bits) - 1:x}ull' for v in split_operands(values.strip().strip('{}'))]
            initial = ' = {' + ', '.join(numbers) + '}'
        self.globals.append(f'static _Alignas({align or bits // 8}) uint{bits}_t {name}[{count}]{initial};')
        self.symbols[name] = f'(uint64_t){name}'

    def function(self, name, params, body, result):
        f = Function(self, name)
        for i, param in enumerate(params):
            f.params[param] = f'param{i}_of'
        if result:
            f.params[re.search(r'([\w$]+)(?:\[\d+\])?\s*\)$', result).group(1)] = 'result_of'
        try:
            self.body(f, body)
        except Unknown as unknown:
            raise Unknown(f'{name}: {unknown}') from None
        arguments = ''.join(f', char *param{i}_of' for i in range(len(params)))
        if self.lockstep:
            points = meeting_points(f.blocks, f.labels)
            self.tables.append(', '.join(f'{{{block.slots}, {point}}}' for block, point in zip(f.blocks, points)))
        self.bodies.append((f'static void {name}(struct ptx_thread *self, char *result_of{arguments})', f.lines))

    def body(self, f, text):
        statement = re.compile(r'\s*(?:([{}])|([$\w]+):|((?:\{[^{}]*\}|[^;{}])+);)')
        at = 0
        text = text.rstrip()
        while text[at:].strip():
            # A brace opens a block, unless a statement has begun: those have vectors.
            match = statement.match(text, at)
            if text[at:].lstrip()[0] == '{':
                at = text.index('{', at) + 1
                f.emit('{')
                continue
            if not match:
                raise Unknown(text[at:at + 100])
            at = match.end()
            brace, label, plain = match.groups()
            if brace:
                f.emit(brace)
            elif label:
                f.label(label)
            else:
                plain = plain.strip()
                try:
                    if plain.startswith('.'):
                        self.declaration(f, plain)
                    else:
                        f.instruction(plain)
                except Unknown as unknown:
                    raise Unknown(f'{plain}: {unknown}') from None

    def declaration(self, f, text):
        if re.fullmatch(r'\.pragma\s+"(used_bytes_mask \d+|nounroll)"', text):
            return  # hints for the assembler
        match = re.fullmatch(r'\.reg\s+\.(\w+)\s+(.*)', text, re.S)
        if match:
            bits = width_of(match.group(1))
            for name in split_operands(match.group(2)):
                many = re.fullmatch(r'(%\w+)<(\d+)>', name)
                if many:
                    f.widths[many.group(1)] = bits
                    names = [f'{many.group(1)}{i}' for i in range(int(many.group(2)))]
                else:
                    f.widths[name] = bits
                    names = [name]
                f.emit(f'uint{bits}_t ' + ', '.join(f'{c_name(n)} = (uint{bits}_t)PTX_UNSET' for n in names) + ';')
            return
        match = re.fullmatch(r'\.(local|shared|param)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?', text)
        if not match:
            raise Unknown('declaration')
        space, align, kind, name, count = match.groups()
        size = width_of(kind) // 8 * int(count or 1)
        if space == 'shared':
            f.symbols[name] = self.shared(int(align or 8), size)
        elif space == 'local':
            f.emit(f'_Alignas({align or 8}) char {name}[{size}];')
            f.symbols[name] = f'(uint64_t){name}'
        else:
            f.emit(f'_Alignas({align or 8}) char {name}[{size}];')
            f.params[name] = name

    def output(self):
        lines = ['#include "test/ptx/machine.h"', '']
        lines += self.globals
        lines += [signature + ';' for signature, _ in self.bodies]
        for signature, body in self.bodies:
            lines += ['', signature, '{'] + body + ['}']
        lines += ['', f'const uint32_t ptx_shared_bytes = {self.shared_bytes};', 'const struct ptx_entry ptx_entries[] = {']
        lines += [f'    {{"{name}", {name}}},' for name in self.entries]
        lines += ['    {NULL, NULL},', '};']
        for i, table in enumerate(self.tables):
            lines.append(f'static const struct ptx_step_about steps_{i}[] = {{{table}}};')
        if self.lockstep:
            lines.append('const struct ptx_step_about *const ptx_steps[] = {' + ', '.join(f'steps_{i}' for i in range(len(self.tables))) + '};')
        return '\n'.join(lines) + '\n'


def main():
    lockstep = sys.argv[1:2] == ['--lockstep']
    paths = sys.argv[1 + lockstep:]
    if not paths:
        sys.exit(__doc__)
    module = Module(lockstep)
    try:
        for path in paths:
            with open(path, encoding='utf-8') as file:
                module.read(file.read())
        sys.stdout.write(module.translate())
    except Unknown as unknown:
        sys.exit(f'{", ".join(paths)}: no translation: {unknown}')


if __name__ == '__main__':
    main()
