import { packagedFile } from '../../../workspace/packaged-file.ts';
import { yamlString } from '../../yaml-string.ts';

const folder = 'src/cli/commands/new/templates';

/** The files of the package that the functions below read. */
export const exampleFiles = [`${folder}/app.ts`, `${folder}/app.yaml`] as const;

/**
 * Returns `app.ts` of an add-on that requires nothing but a hub.
 *
 * @param name - of the app, of its add-on and of its namespace; a DNS label
 */
export async function exampleApp(name: string): Promise<string> {
  const text = await packagedFile(exampleFiles[0]);
  return text.replaceAll('my-add-on', name).replaceAll('My add on', title(name));
}

/**
 * Returns `app.yaml` of the add-on of `exampleApp`.
 *
 * @param name - of the app, of its add-on and of its namespace; a DNS label
 */
export async function exampleYaml(name: string): Promise<string> {
  const text = await packagedFile(exampleFiles[1]);
  return text
    .replaceAll(/"my-add-on"/g, `"${name}"`)
    .replaceAll(/my-add-on(?:-\d+)?$/gm, (found) => yamlString(found.replace('my-add-on', name)))
    .replaceAll("'My add on'", yamlString(title(name)));
}

/** Returns a name as a title: `log-forwarder` as `Log forwarder`. */
function title(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}
