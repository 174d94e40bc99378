import type { FuzzInput } from './input.ts';

/** The command lines of an input, each with its command in front. */
export function commandLines({ kind, names }: FuzzInput): readonly (readonly string[])[] {
  const hub = ['--path', 'apps/hello'];
  const { cluster, addOn, object } = names;
  if (kind === 'list') {
    return [
      ['machine', 'function'],
      ['machine', 'function'],
      ['validate', '-', '-o', 'json'],
      ['resolve', '-', '--fleet', 'apps/hello/fleet.yaml'],
      ['import', '-', '--out', 'from-list'],
    ];
  }
  return [
    ['synth'],
    ['validate'],
    ['validate', '.', '-o', 'json'],
    ['resolve', 'apps/hello', '-o', 'json'],
    ['rollout', 'base/apps/hello', '--update', 'apps/hello/hub.yaml', '-o', 'json'],
    ['plan', 'base', '.', '--by', 'env', '-o', 'json'],
    ['plan', 'base', '.', '-o', 'markdown'],
    ['render', cluster, addOn, ...hub],
    ['explain', cluster, ...hub],
    ['explain', cluster, addOn, ...hub],
    ['who-uses', object, ...hub],
    ['who-uses', 'apps/hello/hub.yaml'],
    ['machine', 'generate', 'apps/hello'],
    ['import', 'apps/hello/hub.yaml', '--out', 'imported'],
    ['machine', 'oci', '--to', 'artifact'],
    ['--get-yargs-completions', 'explain', ''],
    ...(kind === 'settings' ? [['machine', 'function']] : []),
  ];
}
