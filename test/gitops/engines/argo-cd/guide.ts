import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { ConsoleStep } from '../../../docs/console-steps.ts';
import { runSteps } from '../../../docs/run-steps.ts';
import type { Stage } from './stage.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

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

/** Runs the steps of a guide in a folder, with kubectl of the hub. */
export async function follow(
  stage: Stage,
  steps: readonly ConsoleStep[],
  folder: string,
  replacements: Replacements = {},
): Promise<void> {
  const adapted = steps.map(({ command, printed }) => ({
    command: inStory(command, replacements),
    printed: printed.map((line) => inStory(line, replacements)),
  }));
  expect(adapted.length).toBeGreaterThan(0);
  const env = stage.argoCd.environment;
  const results = await runSteps(adapted, { cwd: folder, scratch: stage.folder, env });
  expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
  expect(results).toHaveLength(steps.length);
}
