import type { Engine } from '../../../compiler/index.ts';
import type { NewFiles } from '../../../workspace/create-files.ts';
import { appName, exampleApp, exampleFleet } from './example-app.ts';
import { gitAttributes, gitIgnore } from './git-files.ts';
import { settingsFile } from '../../../workspace/settings.ts';
import { engineSetting, gitOpsFiles, type Origin } from './gitops.ts';
import { packageJson, tsconfig } from './package-files.ts';
import { readme } from './readme.ts';
import { workflowFiles, type Forge } from './workflow.ts';

/** The settings of a new repository. */
export interface RepositoryChoices {
  /** Name of its package. */
  readonly name: string;
  /** The dependency on Fleetwright in package.json: a version, or a path that begins with `file:`. */
  readonly fleetwright: string;
  readonly forge: Forge;
  readonly engine: Engine;
  readonly origin: Origin;
}

/** Returns every file of a new repository. The first `synth` writes `dist/`. */
export async function repositoryFiles(choices: RepositoryChoices): Promise<NewFiles> {
  const { name, fleetwright, forge, engine, origin } = choices;
  return new Map([
    ['README.md', readme(name, forge, engine)],
    ['package.json', packageJson(name, fleetwright)],
    ['tsconfig.json', tsconfig],
    ['.gitignore', gitIgnore],
    ['.gitattributes', gitAttributes],
    [settingsFile, engineSetting(engine)],
    [`apps/${appName}/app.ts`, exampleApp],
    [`apps/${appName}/fleet.yaml`, exampleFleet],
    ...(await gitOpsFiles(engine, origin)),
    ...(await workflowFiles(forge)),
  ]);
}
