import { packagedFile } from '../../../workspace/packaged-file.ts';

/** The forges and the CI systems that can plan each change. */
export const forges = ['github', 'gitlab', 'azure', 'jenkins', 'tekton', 'none'] as const;
export type Forge = (typeof forges)[number];

/** The file in docs/ci/ of each forge, and its path from the top of a repository. */
const workflows: Readonly<
  Record<Exclude<Forge, 'none'>, { readonly file: string; readonly target: string }>
> = {
  github: { file: 'github.yaml', target: '.github/workflows/fleetwright.yaml' },
  gitlab: { file: 'gitlab.yaml', target: '.gitlab/fleetwright.yaml' },
  azure: { file: 'azure.yaml', target: 'azure-pipelines.yml' },
  jenkins: { file: 'Jenkinsfile', target: 'Jenkinsfile' },
  tekton: { file: 'tekton.yaml', target: '.tekton/fleetwright.yaml' },
};

/**
 * Returns the workflow files of a forge, by their paths from the top of the repository. The content is in docs/ci/, which is
 * part of the package.
 *
 * @param branch - the branch that is applied, whose pushes are planned
 */
export async function workflowFiles(forge: Forge, branch: string): Promise<ReadonlyMap<string, string>> {
  if (forge === 'none') return new Map();
  const { file, target } = workflows[forge];
  const recipe = await packagedFile(`docs/ci/${file}`);
  const isUsual = ['main', 'master'].includes(branch) || !/^[\w./-]+$/.test(branch);
  const text = isUsual ? recipe : recipe.replaceAll('[main, master', `[${branch}`);
  const included =
    forge === 'gitlab' ? [['.gitlab-ci.yml', `include:\n  - local: ${target}\n`] as const] : [];
  return new Map([...included, [target, text]]);
}
