import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConsoleStep } from '../../docs/console-steps.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The section of gitops.md that has the commands to revert a change. */
export const syncRule = 'The rule: a sync ends soon';

/** Texts of a guide, and what a story has instead. */
export type Replacements = Readonly<Record<string, string>>;

/** Returns a page of docs/. */
export function page(name: string): string {
  return readFileSync(path.join(root, 'docs', name), 'utf8');
}

/** Returns a text of a guide with the names of a story. */
export function inStory(text: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((all, [from, to]) => all.replaceAll(from, to), text);
}

/** Returns the commands of the first `sh` block of a section, which shows no output. */
export function shellSteps(markdown: string, heading: string): readonly ConsoleStep[] {
  const commands = block(markdown, heading, 'sh').replaceAll('\\\n', '').trim().split('\n');
  return commands.map((command) => ({ command: command.trim(), printed: [] }));
}

/** Returns the first block of a language in a section. */
export function block(markdown: string, heading: string, language: string): string {
  const [, section = ''] = markdown.split(new RegExp(`\\n#+ ${heading}\\n`));
  const [, text] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section) ?? [];
  if (text === undefined) throw new Error(`the section ${heading} has no block of ${language}`);
  return text;
}

/** Writes the commands `fleetwright` and `npx`, which run what `npm run build` made. */
export function writeCommands(bin: string): void {
  mkdirSync(bin, { recursive: true });
  const program = `exec "${process.execPath}" "${root}/build/cli/main.js" "$@"`;
  writeFileSync(path.join(bin, 'fleetwright'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  writeFileSync(path.join(bin, 'npx'), `#!/bin/sh\nshift\n${program}\n`, { mode: 0o755 });
}

/** The environment in which the commands of a guide can commit. */
export const committer: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'Team',
  GIT_AUTHOR_EMAIL: 'team@example.com',
  GIT_COMMITTER_NAME: 'Team',
  GIT_COMMITTER_EMAIL: 'team@example.com',
};
