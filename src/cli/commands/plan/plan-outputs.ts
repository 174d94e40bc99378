import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { planFormatNames, type PlanFormat } from './plan-formats.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** A format in which a plan is written. */
export interface PlanOutput {
  readonly format: PlanFormat;
  /** The file, as an absolute path. @default - standard output */
  readonly file?: string;
}

/**
 * Returns the outputs of `-o FORMAT` and `-o FORMAT=FILE`. If each has a file, the plan is also printed as text.
 *
 * @param cwd - the folder that files are relative to
 * @throws UserError if a format is unknown, or two outputs have one destination
 */
export function planOutputs(written: readonly string[], cwd: string): readonly PlanOutput[] {
  const outputs = written.map((word): PlanOutput => {
    const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const format = planFormatNames.find((each) => each === name);
    if (format === undefined)
      throw new UserError(
        `--output cannot be ${JSON.stringify(name)}`,
        `one of: ${planFormatNames.join(', ')}`,
      );
    if (file === '') throw new UserError(`--output ${word} names no file`, 'use the form html=plan.html');
    return { format, ...(file !== undefined && { file: path.resolve(cwd, file) }) };
  });
  const destinations = new Set<string | undefined>();
  for (const { file } of outputs) {
    if (destinations.has(file))
      throw new UserError(
        file === undefined
          ? 'two formats go to standard output'
          : `two formats go to ${path.relative(cwd, file)}`,
        'write one of them to its own file: -o html=plan.html',
      );
    destinations.add(file);
  }
  return destinations.has(undefined) ? outputs : [...outputs, { format: 'text' }];
}

/**
 * Removes the files of an earlier run: without a plan there must be none that looks like it. Removes links too, because a pull request
 * can contain a link to any file. Leaves devices and pipes, and links to them in /dev: the plan is written into them.
 */
export async function removeEarlier(outputs: readonly PlanOutput[]): Promise<void> {
  for (const { file } of outputs) {
    if (file === undefined) continue;
    const existing = await lstat(file).catch(() => undefined);
    if (existing?.isDirectory() === true)
      throw new UserError(`${file} is a folder`, 'name the file: -o html=plan.html');
    const isLink = existing?.isSymbolicLink() === true && path.dirname(file) !== '/dev';
    if (isLink || existing?.isFile() === true) await rm(file);
  }
}

/**
 * Returns the base URL for links.
 *
 * @throws UserError if it is not a URL of a website
 */
export function linkBaseOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new UserError(
      `--link-base ${url} is not a valid URL`,
      'use the form https://github.com/acme/fleet/blob/COMMIT',
    );
  if (parsed.username !== '' || parsed.password !== '')
    throw new UserError(
      '--link-base contains a password',
      'remove it: everyone who reads the report sees it',
    );
  return parsed.href;
}
