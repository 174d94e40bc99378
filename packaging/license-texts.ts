// The licenses of the packages in the bundles, for `packaging/bundle.ts`.
import { addToGroup } from '../src/base/collections/groups.ts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const separator = `\n${'-'.repeat(80)}\n\n`;

/**
 * Returns the name, version, license and notices of each package that is part of a bundle, in the order of their
 * folders.
 *
 * @param root folder that the inputs are relative to
 * @param inputs source files of the bundles
 * @throws Error if a package contains no license text and no copyright notice: it must not be shipped then
 */
export function licenseTexts(root: string, inputs: readonly string[]): string {
  const files = new Map<string, string[]>();
  for (const input of inputs) {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (folder !== undefined) addToGroup(files, folder, input);
  }
  const folders = [...files.keys()].sort();
  return folders.map((folder) => licenseText(root, folder, files.get(folder) ?? [])).join(separator);
}

function licenseText(root: string, folder: string, inputs: readonly string[]): string {
  const read = (name: string): string => readFileSync(path.join(root, name), 'utf8').trim();
  const { name, version, license } = JSON.parse(read(`${folder}/package.json`)) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const names = readdirSync(path.join(root, folder));
  const texts = [/^licen[cs]e/i, /^notice/i].flatMap((pattern) => {
    const file = names.find((entry) => pattern.test(entry));
    return file === undefined ? [] : [read(`${folder}/${file}`)];
  });
  // Some packages have their notices at the top of their files only.
  if (texts.length === 0) texts.push(...copyrightNotices(inputs.map(read)));
  if (texts.length === 0) throw new Error(`${folder} contains neither a license nor a copyright notice`);
  return `${name} ${version}: ${license ?? 'see below'}\n\n${texts.join('\n\n')}\n`;
}

/** Returns the comments at the top of files that contain a copyright, each once. */
function copyrightNotices(sources: readonly string[]): string[] {
  const comments = sources.map((source) => /^(?:\/\/.*\n)+/.exec(source)?.[0] ?? '');
  const notices = [...new Set(comments)]
    .filter((comment) => /\bcopyright\b/i.test(comment))
    .map((comment) => comment.replaceAll(/^\/\/ ?/gm, '').trim());
  // Generated files add lines to the notice of the others.
  return notices.filter(
    (notice) => !notices.some((other) => other !== notice && notice.startsWith(`${other}\n`)),
  );
}
