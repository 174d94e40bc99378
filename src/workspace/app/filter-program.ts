/** An instruction of a filter of system calls. Jumps skip instructions. */
export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

// linux/bpf_common.h and linux/seccomp.h
export const load = 0x20;
export const jumpIfEqual = 0x15;
export const jumpIfAtLeast = 0x35;
export const jumpIfSet = 0x45;
export const end = 0x06;
export const allow = 0x7fff0000;
export const kill = 0x80000000;
export const fail = (errno: number): number => 0x00050000 | errno;
/** The offsets of what a filter reads (`struct seccomp_data`). */
export const offsets = { number: 0, architecture: 4, firstArgument: 16 };

/** Returns a filter for the kernel, as an array of `struct sock_filter`. */
export function filterProgram(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
