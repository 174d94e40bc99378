import { packagedFile } from '../../../workspace/packaged-file.ts';

/** The forges whose CI can plan pull requests. */
export const forges = ['github', 'gitlab', 'none'] as const;
export type Forge = (typeof forges)[number];

/**
 * Returns the workflow files of a forge, by their paths from the top of the repository. The content is in docs/ci/, which is
 * part of the package.
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
