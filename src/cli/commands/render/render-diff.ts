import path from 'node:path';
import type { SensitiveValues } from '../../../compiler/index.ts';
import { manifestDiff, type DiffSide } from '../../../compiler/report/manifest-diff.ts';
import { standardInput } from '../../../workspace/inputs/inputs.ts';
import { painter } from '../../terminal/painter.ts';
import { withStates, type FileState } from '../../../workspace/revisions.ts';
import { findingsReport } from '../../terminal/findings-report.ts';
import {
  manifestsOf,
  openState,
  renderOne,
  sensitiveIn,
  whyNothing,
  type Rendered,
  type RenderArguments,
  type RenderState,
} from './render-one.ts';
import { readShowSecrets } from '../../show-secrets.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { isFolder } from '../../../workspace/workspace.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

interface Arguments extends RenderArguments {
  /** A Git revision or range, a folder, or empty: the cluster without `config`. */
  readonly diff: string;
  readonly output: string;
  readonly 'show-secrets': boolean;
}

/**
 * `render CLUSTER ADDON --diff [STATE]`: a unified diff from another state of the inputs, or from the configuration
 * that the cluster uses to another one. Findings are differences.
 */
export async function printDiff(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { diff, config } = options;
  if (options.output !== 'yaml')
    throw new UserError('--diff compares manifests as YAML', `omit -o ${options.output}`);
  // Render both sides for one time if neither the user nor the fleet sets one.
  const now = terminal.now();
  const still = { ...terminal, now: () => now };
  if (diff === '') {
    if (config.length === 0) {
      throw new UserError(
        '--diff needs a state to compare with',
        'pass a Git revision or a folder, or another configuration with --config',
      );
    }
    const state = await openState(options, still);
    const base = renderOne(state, { ...options, config: [] });
    const head = renderOne(state, options);
    const sensitive = await sensitiveIn([state], readShown(options, terminal), terminal);
    return compare(
      options,
      [base, 'as configured'],
      [head, `with ${config.join(' and ')}`],
      sensitive,
      terminal,
    );
  }
  const inputs = { ...options, ...inEveryState(options, terminal.cwd) };
  const states = isFolder(path.resolve(terminal.cwd, diff)) ? [diff, '.'] : [diff];
  return await withStates(states, terminal.cwd, async ({ base, head, diagnostics }) => {
    const report = await findingsReport(terminal);
    report.print(diagnostics, new Map());
    report.end();
    const stateOf = async (state: FileState): Promise<RenderState> =>
      await openFileState(state, inputs, still);
    const [baseState, headState] = [await stateOf(base), await stateOf(head)];
    const before = renderState(base, baseState, { ...inputs, config: [] });
    const after = renderState(head, headState, inputs);
    const sensitive = await sensitiveIn([baseState, headState], readShown(options, terminal), terminal);
    const label = head.label === '.' ? 'this folder' : head.label;
    const changed = config.length === 0 ? label : `${label} with ${config.join(' and ')}`;
    return compare(options, [before, base.label], [after, changed], sensitive, terminal);
  });
}

async function openFileState(
  { cwd, label }: FileState,
  options: RenderArguments,
  terminal: Terminal,
): Promise<RenderState> {
  try {
    return await openState(options, { ...terminal, cwd });
  } catch (error) {
    throw inState(label, error);
  }
}

function renderState({ label }: FileState, state: RenderState, options: RenderArguments): Rendered {
  try {
    return renderOne(state, options);
  } catch (error) {
    throw inState(label, error);
  }
}

function inState(label: string, error: unknown): unknown {
  return error instanceof UserError ? new UserError(`${label}: ${error.message}`, error.hint) : error;
}

/** Whether values of Secrets are shown. */
function readShown(options: Arguments, terminal: Terminal): boolean {
  return readShowSecrets({ ...options, output: 'text' }, terminal);
}

function compare(
  options: Arguments,
  [base, baseLabel]: readonly [Rendered, string],
  [head, headLabel]: readonly [Rendered, string],
  sensitive: SensitiveValues | undefined,
  terminal: Terminal,
): ExitCode {
  const { cluster, addon } = options;
  const sides = [
    [base, baseLabel],
    [head, headLabel],
  ] as const;
  if (base.rendering === undefined && head.rendering === undefined) {
    throw head.isKnown || !base.isKnown ? head.error : base.error;
  }
  const manifests = sides.map(([side, label]): DiffSide => {
    if (side.rendering !== undefined) return { label, manifests: manifestsOf(side.rendering) };
    // It may be in an input that could not be read.
    if (!side.isKnown && side.failed.length > 0)
      throw new UserError(`${label} cannot be resolved, so there is nothing to compare`);
    return { label, manifests: [] };
  });
  for (const [{ rendering }, label] of sides) {
    if (rendering === undefined) terminal.err(`${label}: ${addon} is not installed on ${cluster}\n`);
    else if (manifestsOf(rendering).length === 0)
      terminal.err(`${label}: nothing is delivered to ${cluster}${whyNothing(rendering).reason}\n`);
  }
  const [from, to] = manifests;
  if (from === undefined || to === undefined) throw new Error('a diff has two sides');
  const text = manifestDiff(from, to, painter(terminal), sensitive);
  terminal.out(text);
  return text === '' ? exitCode.clean : exitCode.findings;
}

/**
 * Returns the inputs as paths that mean the same in every state: the command runs in another folder there.
 *
 * @throws UserError for standard input, which can be read only once.
 */
function inEveryState({ apps, path: paths }: Arguments, cwd: string): Pick<Arguments, 'apps' | 'path'> {
  if (paths.includes(standardInput))
    throw new UserError('standard input is the same in every state', 'pass files or folders with --path');
  const relative = (given: string): string => (path.isAbsolute(given) ? path.relative(cwd, given) : given);
  return { apps: apps && relative(apps), path: paths.map(relative) };
}
