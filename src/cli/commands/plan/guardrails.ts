import type { Argv } from 'yargs';
import { listOption } from '../../options.ts';
import type { Guardrails, LabelLimit, Limit } from '../../../compiler/index.ts';
import { isCount, sizeOf } from '../../../workspace/settings/policies.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** The guardrails on the command line. */
export interface GuardrailArguments {
  readonly 'max-uninstalls': number | undefined;
  readonly 'max-deletions': number | undefined;
  readonly 'max-deleted-applications': string | undefined;
  readonly 'max-stopped-policies': string | undefined;
  readonly 'at-most': readonly string[];
  readonly protect: readonly string[];
  readonly approve: readonly string[];
}

/** Adds the options that limit what a plan may do. */
export function guardrailOptions<T>(command: Argv<T>) {
  return command
    .option('max-uninstalls', {
      group: 'Guardrails:',
      describe: 'maximum number of uninstalls',
      type: 'number',
      defaultDescription: 'no limit',
    })
    .option('max-deletions', {
      group: 'Guardrails:',
      describe: 'maximum number of Namespaces, CRDs and PVCs that clusters delete with their content',
      type: 'number',
      defaultDescription: 'no limit',
    })
    .option('max-deleted-applications', {
      group: 'Guardrails:',
      describe: 'maximum number or share of Applications that ApplicationSets delete with what they deployed',
      type: 'string',
      defaultDescription: 'no limit',
    })
    .option('max-stopped-policies', {
      group: 'Guardrails:',
      describe: 'maximum number or share of policies on clusters that are removed or no longer enforced',
      type: 'string',
      defaultDescription: 'no limit',
    })
    .option('at-most', {
      group: 'Guardrails:',
      describe: 'maximum number of changed clusters per label, such as env=prod:10%',
      ...listOption,
      defaultDescription: 'no limit',
    })
    .option('protect', {
      group: 'Guardrails:',
      describe: 'clusters that must not change',
      ...listOption,
      defaultDescription: 'none',
    })
    .option('approve', {
      group: 'Guardrails:',
      describe: 'hashes of plans that are allowed to exceed the guardrails',
      ...listOption,
      defaultDescription: 'none',
    });
}

/**
 * Returns the guardrails of the policy file and the command line together. Flags replace a number and add to lists.
 *
 * @throws UserError if the value of a flag is not a valid guardrail
 */
export function withFlags(written: Guardrails, options: GuardrailArguments): Guardrails {
  const limitOf = (
    flag: 'max-uninstalls' | 'max-deletions',
    other: Limit<number> | undefined,
  ): Limit<number> | undefined => {
    const value = options[flag];
    if (value !== undefined && !isCount(value)) throw new UserError(`--${flag} must be 0 or more`);
    return value === undefined ? other : { value };
  };
  const maxUninstalls = limitOf('max-uninstalls', written.maxUninstalls);
  const maxDeletions = limitOf('max-deletions', written.maxDeletions);
  const shareOf = (
    flag: 'max-deleted-applications' | 'max-stopped-policies',
    other: Guardrails['maxStoppedPolicies'],
  ): Guardrails['maxStoppedPolicies'] => {
    const text = options[flag];
    if (text === undefined) return other;
    const value = sizeOf(text);
    if (value === undefined)
      throw new UserError(`--${flag} ${text} is neither a number nor a share such as 10%`);
    return { value };
  };
  const maxDeletedApplications = shareOf('max-deleted-applications', written.maxDeletedApplications);
  const maxStoppedPolicies = shareOf('max-stopped-policies', written.maxStoppedPolicies);
  const flags = options['at-most'].map((flag): Limit<LabelLimit> => {
    const [, label = '', value = '', size = ''] = /^([^=]+)=([^:]*):(.+)$/.exec(flag) ?? [];
    const limit = sizeOf(size);
    if (label === '' || limit === undefined) {
      throw new UserError(`--at-most ${flag} is not a valid limit`, 'use the form env=prod:10%');
    }
    return { value: { label, value, most: limit } };
  });
  return {
    ...(maxUninstalls === undefined ? {} : { maxUninstalls }),
    ...(maxDeletions === undefined ? {} : { maxDeletions }),
    ...(maxDeletedApplications === undefined ? {} : { maxDeletedApplications }),
    ...(maxStoppedPolicies === undefined ? {} : { maxStoppedPolicies }),
    atMost: [...written.atMost, ...flags],
    protect: [...written.protect, ...options.protect.map((value) => ({ value }))],
    approved: [...written.approved, ...options.approve],
  };
}
