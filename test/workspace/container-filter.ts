import { writeFileSync } from 'node:fs';
import {
  allow,
  end,
  fail,
  filterProgram,
  jumpIfEqual,
  jumpIfSet,
  kill,
  load,
  offsets,
} from '../../src/workspace/app/filter-program.ts';
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
  const [denied, missing] = [fail(1), fail(38)];
  const program = filterProgram([
    [load, 0, 0, offsets.architecture],
    [jumpIfEqual, 1, 0, known.audit],
    [end, 0, 0, kill],
    [load, 0, 0, offsets.number],
    [jumpIfEqual, 6, 0, unshare],
    [jumpIfEqual, 5, 0, mount],
    [jumpIfEqual, 4, 0, setns],
    // clone3 has its flags in memory: the runtimes have C libraries use clone instead.
    [jumpIfEqual, 4, 0, 435],
    [jumpIfEqual, 0, 4, clone],
    [load, 0, 0, offsets.firstArgument],
    [jumpIfSet, 0, 2, newUser],
    [end, 0, 0, denied],
    [end, 0, 0, missing],
    [end, 0, 0, allow],
  ]);
  writeFileSync(file, program);
  return ['/usr/bin/perl', ...loadFilter(descriptor)];
}
