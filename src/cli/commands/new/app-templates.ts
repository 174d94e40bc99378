import type { NewFiles } from '../../../workspace/output/create-files.ts';
import { ownPlusModule } from '../../../workspace/inputs/plus-module.ts';
import { packagedFile } from '../../../workspace/packaged-file.ts';
import { exampleApp, exampleYaml } from './example-app.ts';
import type { WaveGroup } from './wave-groups.ts';

/**
 * The files of the example apps that can be the beginning of an app. Examples that name clusters of the fleet of the examples are
 * not among them: the hub of a user has no such clusters. Neither are those that need the types of Node, which a new
 * repository does not have.
 */
export const templates = {
  'argocd-pull': ['app.ts'],
  'cluster-proxy': ['app.ts'],
  'policy-framework': ['app.ts'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The name of an example app that `new` copies. */
export type TemplateName = keyof typeof templates;

/** The form of a new app: the simple add-on in one of two languages, or a copy of an example. */
export type AppForm = 'typescript' | 'yaml' | { readonly template: TemplateName };

/**
 * Returns the files of a new app, by their names in its folder, without a fleet.
 *
 * @param groups - which clusters the simple add-on updates first. @default - those of the example fleet
 * @param plusModule - the release of cdk8s-plus that copies of examples import
 */
export async function appFiles(
  name: string,
  form: AppForm,
  groups?: readonly WaveGroup[],
  plusModule = ownPlusModule,
): Promise<NewFiles> {
  if (form === 'typescript') return new Map([['app.ts', await exampleApp(name, groups)]]);
  if (form === 'yaml') return new Map([['app.yaml', await exampleYaml(name, groups)]]);
  const files = new Map<string, string>();
  for (const file of templates[form.template])
    files.set(
      file,
      (await packagedFile(`apps/${form.template}/${file}`)).replaceAll(ownPlusModule, plusModule),
    );
  return files;
}
