import { packagedFile } from '../../../workspace/packaged-file.ts';
import { yamlString } from '../../yaml-string.ts';
import { exampleGroups, type WaveGroup } from './wave-groups.ts';

const folder = 'src/cli/commands/new/templates';

/** The files of the package that become an app and its fleet. */
export const exampleFiles = [`${folder}/app.ts`, `${folder}/app.yaml`, `${folder}/fleet.yaml`] as const;

/**
 * Returns `app.ts` of an add-on that requires nothing but a hub.
 *
 * @param name - of the app, of its add-on and of its namespace; a DNS label
 * @param groups - which clusters are updated first
 */
export async function exampleApp(
  name: string,
  groups: readonly WaveGroup[] = exampleGroups,
): Promise<string> {
  const text = withGroups(await templateOf(exampleFiles[0], groups), groups);
  return text.replaceAll('my-add-on', name).replaceAll('My add on', title(name));
}

/**
 * Returns `app.yaml` of the add-on of `exampleApp`.
 *
 * @param name - of the app, of its add-on and of its namespace; a DNS label
 * @param groups - which clusters are updated first
 */
export async function exampleYaml(
  name: string,
  groups: readonly WaveGroup[] = exampleGroups,
): Promise<string> {
  const text = withYamlGroups(await templateOf(exampleFiles[1], groups), groups);
  return text
    .replaceAll(/"my-add-on"/g, `"${name}"`)
    .replaceAll(/my-add-on(?:-\d+)?$/gm, (found) => yamlString(found.replace('my-add-on', name)))
    .replaceAll("'My add on'", yamlString(title(name)));
}

/** Returns a name as a title: `log-forwarder` as `Log forwarder`. */
function title(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}

/** Returns a template. Without groups, its first line does not promise an order. */
async function templateOf(file: string, groups: readonly WaveGroup[]): Promise<string> {
  const text = await packagedFile(file);
  return groups.length === 0 ? text.replace(', and changes production last.', '.') : text;
}

/** Returns app.ts with these groups in place of those of the template. */
function withGroups(text: string, groups: readonly WaveGroup[]): string {
  if (groups === exampleGroups) return text;
  const names = ['first', 'second'].slice(0, groups.length);
  const declarations = groups.map(
    ({ name, label, value }, index) =>
      `const ${names[index]} = DecisionGroup.named('${name}', { labels: { ${label}: '${value}' } });\n`,
  );
  const replaced = text
    .replace(/(?:^const \w+ = DecisionGroup\.named\(.*\n)+/m, declarations.join(''))
    .replaceAll('[dev, staging]', `[${names.join(', ')}]`);
  return groups.length > 0
    ? replaced
    : replaced.replaceAll(/^ +(?:DecisionGroup,|decisionGroups: \[\],|mandatoryGroups: \[\],)\n/gm, '');
}

/** Returns app.yaml with these groups in place of those of the template. */
function withYamlGroups(text: string, groups: readonly WaveGroup[]): string {
  if (groups === exampleGroups) return text;
  const selectors = groups.map(
    ({ name, label, value }) => `        - groupName: ${yamlString(name)}
          groupClusterSelector:
            labelSelector:
              matchLabels:
                ${label}: ${yamlString(value)}
`,
  );
  const mandatory = groups.map(({ name }) => `              - groupName: ${yamlString(name)}\n`);
  const section = (head: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `${head}${lines.join('')}`;
  return text
    .replace(/^(  decisionStrategy:\n.*\n.*\n)(?: {8}.*\n)+/m, (_, head: string) => section(head, selectors))
    .replace(/^( +mandatoryDecisionGroups:\n)(?: +- groupName: .*\n)+/m, (_, head: string) =>
      section(head, mandatory),
    );
}
