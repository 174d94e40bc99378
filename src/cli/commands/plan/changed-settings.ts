import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import type { Diagnostic } from '../../../compiler/index.ts';
import { settingsFile, type WorkspaceSettings } from '../../../workspace/settings/settings.ts';
import { inHead } from './compared-policies.ts';
import type { HubArguments } from '../../options.ts';

type TargetSettings = Pick<WorkspaceSettings, 'hubVersion' | 'apiVersion' | 'engine'>;

/** The settings that states are compiled with. */
const targets = [
  {
    key: 'hubVersion',
    option: 'hub-version',
    hint: 'upgrade the hub before the change is applied: the setting only says what the output is for',
  },
  {
    key: 'apiVersion',
    option: 'api-version',
    hint: 'check that the hub serves this version',
  },
  {
    key: 'engine',
    option: undefined,
    hint: 'the output gets the layout of the other engine: move its objects as docs/gitops.md describes',
  },
] as const;

/**
 * Reports the settings that a change edits and that each state is compiled with: the objects can stay the same, and the hub or
 * the output differs.
 *
 * @param options - override the settings of both states
 */
export function changedSettings(
  base: TargetSettings,
  head: TargetSettings,
  options: HubArguments,
): readonly Diagnostic[] {
  return targets.flatMap(({ key, option, hint }) => {
    const [before, after] = [base[key], head[key]];
    if (before === after || (option !== undefined && options[option] !== undefined)) return [];
    return diagnostic('FW8031', {
      message: `the change edits ${key} in ${settingsFile} from ${before} to ${after}; each state is compiled with its own`,
      location: inHead({ file: settingsFile, line: 1, column: 1 }),
      hint,
    });
  });
}
