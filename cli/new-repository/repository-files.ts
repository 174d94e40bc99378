import type { Engine } from '../../compiler/emit/engine.ts';
import type { NewFiles } from '../create-files.ts';
import { appName, exampleApp, exampleFleet } from './example-app.ts';
import { gitAttributes, gitIgnore } from './git-files.ts';
import { policyFile } from '../policy.ts';
import { engineSetting, gitOpsFiles, type Origin } from './gitops.ts';
import { packageJson, tsconfig } from './package-files.ts';
import { readme } from './readme.ts';
import { workflowFiles, type Forge } from './workflow.ts';

/** What a new repository is made from. */
export interface RepositoryChoices {
  /** The name of its package. */
  readonly name: string;
  /** Fleetwright as package.json names it: a version, or a file beginning with `file:`. */
  readonly fleetwright: string;
  readonly forge: Forge;
  readonly engine: Engine;
  readonly origin: Origin;
}

/** Every file of a new repository; `dist/` is left to the first synth. */
export async function repositoryFiles(choices: RepositoryChoices): Promise<NewFiles> {
  const { name, fleetwright, forge, engine, origin } = choices;
  return new Map([
    ['README.md', readme(name, forge, engine)],
    ['package.json', packageJson(name, fleetwright)],
    ['tsconfig.json', tsconfig],
    ['.gitignore', gitIgnore],
    ['.gitattributes', gitAttributes],
    [policyFile, engineSetting(engine)],
    [`apps/${appName}/app.ts`, exampleApp],
    [`apps/${appName}/fleet.yaml`, exampleFleet],
    ...(await gitOpsFiles(engine, origin)),
    ...(await workflowFiles(forge)),
  ]);
}
