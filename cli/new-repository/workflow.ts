import { packagedFile } from '../packaged-file.ts';

/** Where pull requests are planned. */
export const forges = ['github', 'gitlab', 'none'] as const;
export type Forge = (typeof forges)[number];

/**
 * The workflow of a forge, by the name of its file, from the repository's top. The text is that of docs/ci/, which the
 * package brings along.
 */
export async function workflowFiles(forge: Forge): Promise<ReadonlyMap<string, string>> {
  if (forge === 'github')
    return new Map([['.github/workflows/fleetwright.yaml', await workflow('github.yaml')]]);
  if (forge === 'none') return new Map();
  return new Map([
    ['.gitlab-ci.yml', `include:\n  - local: .gitlab/fleetwright.yaml\n`],
    ['.gitlab/fleetwright.yaml', await workflow('gitlab.yaml')],
  ]);
}

async function workflow(name: string): Promise<string> {
  return await packagedFile(`docs/ci/${name}`);
}
