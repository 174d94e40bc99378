import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { selectedHubs } from '../../../workspace/settings/hubs.ts';
import type { FileStates } from '../../../workspace/revisions.ts';
import { settingsFile, type WorkspaceSettings } from '../../../workspace/settings/settings.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** A hub in two states. */
export interface HubPair {
  /** The name in reports. @default - the states have one hub */
  readonly name?: string;
  /** The name in the earlier state. @default - the state names no hubs, or one */
  readonly base?: string;
  /** The name in the later state. @default - the state names no hubs, or one */
  readonly head?: string;
  /** The state that does not have the hub. @default - both have it */
  readonly missingIn?: 'base' | 'head';
  /**
   * Whether the earlier state has the fleet of the hub.
   * @default - as its settings say
   */
  readonly baseHasFleet?: boolean;
}

/** The hubs that a plan compares. */
export interface PairedHubs {
  readonly hubs: readonly HubPair[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the hubs of both states by name, in the order of the later one. If only the earlier state names no hubs, its apps are
 * those of each hub.
 *
 * @param given - the hubs that the command line selects
 * @throws UserError if there is no such hub, or the later state has no hubs and the earlier one has several
 */
export function pairedHubs(
  earlier: Pick<WorkspaceSettings, 'hubs'>,
  later: Pick<WorkspaceSettings, 'hubs'>,
  { base, head }: Pick<FileStates, 'base' | 'head'>,
  given: readonly string[],
): PairedHubs {
  const inBase = earlier.hubs.map(({ name }) => name);
  const inHead = later.hubs.map(({ name }) => name);
  if (inHead.length === 0 && inBase.length > 1) {
    throw new UserError(
      `${base.label} has the hubs ${inBase.join(', ')}, and ${head.label} names none`,
      'list the hub that stays under hubs in fleetwright.yaml',
    );
  }
  const all = [...inHead, ...inBase.filter((name) => !inHead.includes(name))];
  const isRenamed = inBase.length === 1 && inHead.length === 1 && all.length === 2;
  const names = selectedHubs(isRenamed ? inHead : all, given);
  // One hub has no name in reports, and a plan does not depend on its name.
  if (isRenamed || all.length < 2 || inHead.length === 0) return { hubs: [{}], diagnostics: [] };
  if (inBase.length === 0)
    return {
      hubs: names.map((name = '') => ({ name, head: name, baseHasFleet: false })),
      diagnostics: [
        diagnostic('FW9074', {
          message: `${base.label} names no hubs, so its apps are compared with those of each hub of ${head.label}, on the clusters of that hub`,
        }),
      ],
    };
  const hubs = names.map((name = ''): HubPair => {
    if (!inBase.includes(name)) return { name, head: name, missingIn: 'base' };
    if (!inHead.includes(name)) return { name, base: name, missingIn: 'head' };
    return { name, base: name, head: name };
  });
  return {
    hubs,
    diagnostics: hubs.flatMap(({ name, missingIn }): Diagnostic[] => {
      if (missingIn === undefined) return [];
      const message =
        missingIn === 'base'
          ? `hub ${name} is new: ${base.label} does not have it, so everything on it counts as added`
          : `hub ${name} is removed: ${head.label} does not have it, so everything on it counts as removed`;
      return [diagnostic('FW9073', { message })];
    }),
  };
}

/** Reports a change of `equal`; the plan applies that of the base. */
export function changedEqual(
  earlier: Pick<WorkspaceSettings, 'equal'>,
  later: Pick<WorkspaceSettings, 'equal'>,
  base: string,
): readonly Diagnostic[] {
  const [before, after] = [earlier, later].map(({ equal }) => equal.map(({ value }) => value));
  if (isDeepStrictEqual(before, after)) return [];
  return [
    diagnostic('FW8030', {
      message: `the change edits equal in ${settingsFile}; this plan uses that of ${base}`,
      location: { file: settingsFile, line: 1, column: 1 },
      hint: 'to use the edited one, run plan with --policy-from head',
    }),
  ];
}
