import { writeFileSync } from 'node:fs';
import { loadFilter } from '../../src/workspace/app/load-filter.ts';

/** The numbers of unshare, mount, clone and setns, and AUDIT_ARCH_* of linux/audit.h. */
const architectures: Readonly<Record<string, { readonly audit: number; readonly calls: readonly number[] }>> =
  {
    x64: { audit: 0xc000003e, calls: [272, 165, 56, 308] },
    arm64: { audit: 0xc00000b7, calls: [97, 40, 220, 268] },
  };
const newUser = 0x10000000;

/**
 * Writes the filter of system calls that container runtimes have by default, as far as it concerns a sandbox: without capabilities, a
 * program can neither create a user namespace, nor enter one, nor mount. Returns the command that loads it and starts a program.
 *
 * @param descriptor - the one from which the command reads the file
 */
export function containerFilter(file: string, descriptor: number): readonly string[] {
  const known = architectures[process.arch];
  if (known === undefined) throw new Error(`unknown architecture ${process.arch}`);
  const [unshare = 0, mount = 0, clone = 0, setns = 0] = known.calls;
  const [load, equal, set, end] = [0x20, 0x15, 0x45, 0x06];
  const [denied, missing, allowed] = [0x00050001, 0x00050026, 0x7fff0000];
  const instructions: readonly (readonly [number, number, number, number])[] = [
    [load, 0, 0, 4],
    [equal, 1, 0, known.audit],
    [end, 0, 0, 0x80000000],
    [load, 0, 0, 0],
    [equal, 6, 0, unshare],
    [equal, 5, 0, mount],
    [equal, 4, 0, setns],
    // clone3 has its flags in memory: the runtimes have C libraries use clone instead.
    [equal, 4, 0, 435],
    [equal, 0, 4, clone],
    [load, 0, 0, 16],
    [set, 0, 2, newUser],
    [end, 0, 0, denied],
    [end, 0, 0, missing],
    [end, 0, 0, allowed],
  ];
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  writeFileSync(file, bytes);
  return ['/usr/bin/perl', ...loadFilter(descriptor)];
}
