import { type PlanTextOptions, readableAnswer } from '../../compiler/index.ts';
import { jsonText } from '../../compiler/report/json/json-text.ts';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import type { AppArguments } from '../app-resolutions.ts';
import type { HubArguments } from '../options.ts';
import { painter } from './painter.ts';
import type { Terminal } from './terminal.ts';

/** The arguments of commands that answer a question about apps. */
export interface OutputArguments extends HubArguments, AppArguments {
  readonly output: string;
}

export const outputOption = {
  alias: 'o',
  describe: 'format',
  choices: ['text', 'json'],
  default: 'text',
} as const;

export function textOptions(terminal: Terminal): PlanTextOptions {
  return { paint: painter(terminal), names: 20 };
}

/** Prints one part per app and hub, under their names if there are several. */
export function printResults<T extends { readonly app: string; readonly hub?: string }>(
  parts: readonly T[],
  { output }: Pick<OutputArguments, 'output'>,
  terminal: Terminal,
  textOf: (part: T) => string,
): void {
  if (output === 'json') {
    terminal.out(jsonText({ results: parts }));
    return;
  }
  for (const [index, part] of parts.entries()) {
    const { app, hub } = part;
    const name = hub === undefined ? `app ${app}` : `hub ${hub}${app === '' ? '' : `, app ${app}`}`;
    if (parts.length > 1) terminal.out(`${index === 0 ? '' : '\n'}${terminalLine(name)}\n`);
    terminal.out(textOf(readableAnswer(part)));
  }
}
