import { setFlagsFromString } from 'node:v8';

/**
 * Returns the flag with which V8 runs three times as much code as by default before it compiles a function with its optimizing
 * compiler. Most commands end before the time for compiling early is won back. Figures are in bench/README.md.
 *
 * Undefined for other releases than Node 20: they count calls, wait longer by default, and print an error for this flag.
 */
export function laterCompilation(nodeVersion: string): string | undefined {
  return nodeVersion.startsWith('20.') ? '--interrupt-budget=400000' : undefined;
}

/** Makes V8 compile functions later, in this process. */
export function compileLater(): void {
  const flag = laterCompilation(process.versions.node);
  if (flag !== undefined) setFlagsFromString(flag);
}
