import type { Engine } from '../../../compiler/index.ts';
import type { NewFiles } from '../../../workspace/output/create-files.ts';
import { settingsFile } from '../../../workspace/settings/settings.ts';
import { schemaPath } from '../../../workspace/settings/settings-schema.ts';
import { appFiles } from '../new/app-templates.ts';
import { exampleFleet } from '../new/example-fleet.ts';
import { gitAttributes, gitIgnore } from './git-files.ts';
import { gitOpsFiles, objectName } from './gitops.ts';
import type { AppliedRepository } from './applied-repository.ts';
import { packageJson, tsconfig, type PlusRelease } from './package-files.ts';
import { readme } from './readme.ts';
import { yamlString } from '../../yaml-string.ts';
import { workflowFiles, type Forge } from './workflow.ts';

/** The settings of a new repository. */
export interface RepositoryChoices extends Omit<AppliedRepository, 'name'> {
  /** Name of its package. */
  readonly name: string;
  /** The dependency on Fleetwright in package.json: a version, or a path that begins with `file:`. */
  readonly fleetwright: string;
  readonly forge: Forge;
  readonly engine: Engine;
  /** Whether apps are written in TypeScript. */
  readonly hasTypeScript: boolean;
  /** The release of cdk8s-plus. */
  readonly plus: PlusRelease;
  /** Whether the repository gets an example app, its fleet and a README. */
  readonly hasExample: boolean;
}

/** The name of the app of a new repository. */
const appName = 'hello';

/** Returns every file of a new repository: those of a workspace, and an app. The first `synth` writes `dist/`. */
export async function repositoryFiles(choices: RepositoryChoices): Promise<NewFiles> {
  const { name, fleetwright, forge, engine, origin, hubs, hasTypeScript, plus, hasExample } = choices;
  const files = new Map<string, string | Uint8Array>([
    ...(hasExample
      ? [['README.md', readme(name, { forge, engine, hubs, appName, hasTypeScript })] as const]
      : []),
    ['package.json', packageJson(name, fleetwright, { hasTypeScript, plus })],
    ...(hasTypeScript ? [['tsconfig.json', tsconfig] as const] : []),
    ['.gitignore', gitIgnore],
    ['.gitattributes', gitAttributes],
    [settingsFile, settings(engine, hubs)],
  ]);
  if (hasExample) {
    for (const [file, text] of await appFiles(appName, hasTypeScript ? 'typescript' : 'yaml'))
      files.set(`apps/${appName}/${file}`, text);
    for (const { file, pull } of fleetsOf(hubs)) files.set(file, await exampleFleet(pull));
  }
  for (const [file, text] of await gitOpsFiles(engine, { name: objectName(name), origin, hubs }))
    files.set(file, text);
  for (const [file, text] of await workflowFiles(forge, origin.branch)) files.set(file, text);
  return files;
}

/** Returns the fleet of all apps, of each hub if there are several, and the command that replaces it. */
function fleetsOf(hubs: readonly string[]): readonly { readonly file: string; readonly pull: string }[] {
  if (hubs.length < 2) return [{ file: 'fleet.yaml', pull: 'fleetwright fleet pull' }];
  return hubs.map((hub) => ({ file: `fleets/${hub}.yaml`, pull: `fleetwright fleet pull --hub ${hub}` }));
}

/** `fleetwright.yaml`: the engine, and the hubs. */
function settings(engine: Engine, hubs: readonly string[]): string {
  const listed =
    hubs.length === 0
      ? ''
      : `# The hubs. Each can have facts, which apps read.
hubs:
${hubs.map((hub) => `  ${yamlString(hub)}: {}\n`).join('')}`;
  return `# yaml-language-server: $schema=./node_modules/fleetwright/${schemaPath}
# The engine that applies dist/, which decides how the order is expressed: argocd, flux or none.
engine: ${engine}
# An uninstall fails the plan of a pull request, until somebody approves its hash.
guardrails:
  maxUninstalls: 0
${listed}`;
}
