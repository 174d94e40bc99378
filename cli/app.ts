import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Construct } from 'constructs';
import type { Diagnostic } from '../compiler/diagnostic.ts';
import type { FileLocation } from '../compiler/origin.ts';
import { collect, type CollectedObject } from '../constructs/collect.ts';
import { runAsApp } from './app-process.ts';
import { describeThrown } from './failure.ts';
import { importApp } from './import-app.ts';
import { CommandError } from './terminal.ts';

/** What running an app's file gave: its objects, or why there are none. */
export interface AppResult {
  readonly objects: readonly CollectedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Runs an app's file (TypeScript or JavaScript) and walks the construct tree that it exports by default. What the app
 * throws becomes a diagnostic at the app's own line.
 */
export async function runApp(file: string, cwd: string): Promise<AppResult> {
  let exported: unknown;
  try {
    const module: { default?: unknown } = await runAsApp(
      async () => await importApp(path.resolve(cwd, file)),
    );
    exported = unwrapDefault(module.default);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return appFailed(error, file, cwd);
  }
  if (!Construct.isConstruct(exported)) {
    return failed(
      'FW9002',
      'the app exports no construct tree by default',
      { file, line: 1, column: 1 },
      'end the file with `export default app;`, where app is a cdk8s App',
    );
  }
  try {
    const tree = exported;
    const { objects, errors } = await runAsApp(async () => collect(tree));
    const diagnostics = errors.map(({ construct, message, source }): Diagnostic => {
      const place = source && relativeTo(source, cwd);
      return {
        code: 'FW9003',
        severity: 'error',
        message,
        location: { construct, ...(place && { source: place }) },
      };
    });
    // Places cost time to work out, and are asked for only where something is wrong.
    const placed = objects.map((collected) => ({
      object: collected.object,
      construct: collected.construct,
      get source(): FileLocation | undefined {
        return collected.source && relativeTo(collected.source, cwd);
      },
    }));
    return { objects: diagnostics.length === 0 ? placed : [], diagnostics };
  } catch (error) {
    return appFailed(error, file, cwd);
  }
}

function failed(
  code: 'FW9001' | 'FW9002',
  message: string,
  location: FileLocation,
  hint?: string,
): AppResult {
  return {
    objects: [],
    diagnostics: [{ code, severity: 'error', message, location, ...(hint === undefined ? {} : { hint }) }],
  };
}

/** Where the file is read as CommonJS, its default export is a property of the module's. */
function unwrapDefault(exported: unknown): unknown {
  if (typeof exported === 'object' && exported !== null && '__esModule' in exported && 'default' in exported)
    return exported.default;
  return exported;
}

/** Where the app is not in a package of type `module`, its lines are not known: then the place is the file. */
function appFailed(error: unknown, file: string, cwd: string): AppResult {
  const text = error instanceof Error ? error.message : '';
  const [syntax, at, line, column, message] = /^(.+):(\d+):(\d+): ERROR: (.+)$/m.exec(text) ?? [];
  if (syntax !== undefined && at !== undefined) {
    const location = { file: path.relative(cwd, at), line: Number(line), column: Number(column) + 1 };
    return failed('FW9001', `the app cannot be read: ${message ?? ''}`, location);
  }
  // Some messages go on with a code frame, or with the path of every module in between.
  return failed(
    'FW9001',
    // Of a missing module the message names files, and the folder may be temporary.
    `the app failed: ${describeThrown(error).replaceAll(`${cwd}${path.sep}`, '')}`,
    placeOf(error, cwd) ?? { file, line: 1, column: 1 },
    hintFor(error),
  );
}

/** What to do about an error that many apps throw. */
function hintFor(error: unknown): string | undefined {
  if (isMissingModule(error)) return 'correct the name, or install the package with npm';
  const [, name] = /^There is already a Construct with name '(.+?)' in /.exec(describeThrown(error)) ?? [];
  if (name !== undefined)
    return `ids are unique in a scope: give one of the constructs another id, and name: '${name}' where the object shall keep its name`;
  if (error instanceof TypeError) return 'a prop may have the wrong type: tsc --noEmit checks the app';
  return undefined;
}

function isMissingModule(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** The topmost line of an error's stack that stands in the user's own files. */
function placeOf(error: unknown, cwd: string): FileLocation | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const frame of (error.stack ?? '').split('\n')) {
    const match = /\(?(file:\/\/[^\s)]+?|\/[^\s):]+|[A-Za-z]:\\[^\s):]+):(\d+)(?::(\d+))?\)?:?$/.exec(
      frame.trim(),
    );
    if (match?.[1] === undefined || frame.includes('node_modules') || frame.includes('node:')) continue;
    const file = match[1].startsWith('file:') ? fileURLToPath(match[1].replace(/\?.*$/, '')) : match[1];
    const relative = path.relative(cwd, file);
    if (relative.startsWith('..') || path.isAbsolute(relative)) continue;
    return { file: relative, line: Number(match[2]), column: Number(match[3] ?? 1) };
  }
  return undefined;
}

function relativeTo({ file, line, column }: FileLocation, cwd: string): FileLocation {
  return { file: path.relative(cwd, file), line, column };
}
