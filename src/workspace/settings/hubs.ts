import path from 'node:path';
import type { Engine, FieldPath } from '../../compiler/index.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import type { AddOnApiVersion, HubVersionName } from '../../ocm/hub-version.ts';
import type { Located, SettingsFile } from './settings-file.ts';
import { mustBeInside, mustBeOutput, withoutSlash } from './settings-paths.ts';
import { UserError } from '../user-error.ts';

/** A named hub of a workspace, and what is compiled for it. */
export interface WorkspaceHub {
  readonly name: string;
  /** Output folder of synth, relative to the workspace. */
  readonly out: string;
  /** The fleet snapshot, relative to the workspace. @default - searched for by the hub's name */
  readonly fleet: readonly Located<string>[] | undefined;
  readonly engine: Engine;
  readonly hubVersion: HubVersionName;
  readonly apiVersion: AddOnApiVersion;
  /** The values that apps use. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The settings that a hub can replace. */
type HubSettings = Pick<WorkspaceHub, 'out' | 'fleet' | 'engine' | 'hubVersion' | 'apiVersion'>;

/** Names of hubs are names of folders, of Kubernetes objects and of values of labels. */
export const hubName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Returns the hubs of a settings file, in the order in which they are written. What a hub does not set is as in `settings`; the
 * output of one hub among several is in a folder of its name.
 *
 * @throws UserError if a name or a path is invalid, or the outputs of two hubs overlap
 */
export function hubsOf(file: SettingsFile, settings: HubSettings): readonly WorkspaceHub[] {
  const written = Object.entries(file.written.hubs ?? {});
  const hubs = written.map(([name, hub]): WorkspaceHub => {
    const at = ['hubs', name];
    if (!hubName.test(name))
      throw file.wrong(
        at,
        'is not a valid name of a hub',
        'use lowercase letters, digits and dashes, at most 63 characters',
      );
    const { fleet, out, facts = {}, ...target } = hub;
    const paths = typeof fleet === 'string' ? [fleet] : fleet;
    for (const each of paths ?? []) mustBeInside(file, [[...at, 'fleet'], each]);
    mustBeOutput(file, [[...at, 'out'], out]);
    const isOnly = written.length === 1;
    const defaultOut = isOnly ? settings.out : path.join(settings.out, name);
    return {
      name,
      out: out === undefined ? defaultOut : withoutSlash(out),
      fleet: locatedFleet(file, at, fleet) ?? (isOnly ? settings.fleet : undefined),
      engine: target.engine ?? settings.engine,
      hubVersion: target.hubVersion ?? settings.hubVersion,
      apiVersion: target.apiVersion ?? settings.apiVersion,
      facts,
    };
  });
  checkOutputs(file, hubs);
  return hubs;
}

function locatedFleet(
  file: SettingsFile,
  at: readonly string[],
  fleet: string | readonly string[] | undefined,
): readonly Located<string>[] | undefined {
  if (fleet === undefined) return undefined;
  const here = [...at, 'fleet'];
  return typeof fleet === 'string'
    ? [{ value: fleet, location: file.locate(here) }]
    : file.located(here, fleet);
}

/** Synth removes what it does not write: an output in another one would be removed. */
function checkOutputs(file: SettingsFile, hubs: readonly WorkspaceHub[]): void {
  for (const [index, { name, out }] of hubs.entries()) {
    const other = hubs
      .slice(0, index)
      .find((earlier) => isWithin(out, earlier.out) || isWithin(earlier.out, out));
    if (other === undefined) continue;
    throw file.wrong(
      file.written.hubs?.[name]?.out === undefined ? ['hubs', name] : ['hubs', name, 'out'],
      `writes to ${out}, and hub ${other.name} to ${other.out}`,
      'set out of each hub to a separate folder',
    );
  }
}

/** Hubs that must have the same configuration. */
export type EqualHubs = Located<readonly string[]>;

/**
 * Returns the lists of hubs that must be equal: `equal` is one list of names, or a list of such lists.
 *
 * @throws UserError if a name is not that of a hub
 */
export function equalHubsOf(file: SettingsFile): readonly EqualHubs[] {
  const { equal = [], hubs = {} } = file.written;
  const isOneList = equal.every((entry) => typeof entry === 'string');
  const lists = isOneList
    ? [{ names: equal, at: ['equal'] as FieldPath }]
    : equal.map((entry, index) => ({
        names: typeof entry === 'string' ? [entry] : entry,
        at: ['equal', index] as FieldPath,
      }));
  return lists.flatMap(({ names, at }) => {
    for (const [index, name] of names.entries()) {
      if (Object.hasOwn(hubs, name)) continue;
      const hint = didYouMean(name, Object.keys(hubs), 'the hubs are');
      throw file.wrong([...at, index], 'is not a hub', hint ?? 'list the hubs under hubs');
    }
    if (names.length === 1) throw file.wrong(at, 'has only one hub', 'list at least two hubs');
    return names.length === 0 ? [] : [{ value: names, location: file.locate(at) }];
  });
}

function isWithin(folder: string, around: string): boolean {
  const relative = path.relative(around, folder);
  return relative === '' || relative.split(path.sep)[0] !== '..';
}

/**
 * Returns the names of the hubs that a command line selects, in the order of the workspace; a list with `undefined` for the hub
 * of a workspace that names none.
 *
 * @param existing - the names of the hubs
 * @param given - the names on the command line; none selects all
 * @throws UserError if there is no such hub
 */
export function selectedHubs(
  existing: readonly string[],
  given: readonly string[],
): readonly (string | undefined)[] {
  for (const name of given) {
    if (existing.length === 0)
      throw new UserError(
        `--hub ${name}: the workspace names no hubs`,
        'omit --hub, or list the hubs under hubs in fleetwright.yaml',
      );
    if (!existing.includes(name))
      throw new UserError(`unknown hub ${name}`, didYouMean(name, existing, 'the hubs are'));
  }
  if (existing.length === 0) return [undefined];
  return given.length === 0 ? existing : existing.filter((name) => given.includes(name));
}
