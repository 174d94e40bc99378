import { CommandError, type Terminal } from './terminal.ts';

/** The option of commands that report values, among which values of Secrets can be. */
export const showSecretsOption = {
  describe: 'show values of Secrets (only on a terminal)',
  type: 'boolean',
  default: false,
} as const;

/**
 * Whether values of Secrets are shown.
 *
 * @throws CommandError where the output is no text on a terminal: what is stored or sent on would have them.
 */
export function readShowSecrets(
  options: { readonly 'show-secrets': boolean; readonly output: string },
  { columns }: Terminal,
): boolean {
  if (!options['show-secrets']) return false;
  if (options.output !== 'text')
    throw new CommandError('--show-secrets requires text output', `omit -o ${options.output}`);
  if (columns === undefined)
    throw new CommandError('--show-secrets requires a terminal', 'remove the pipe or redirection');
  return true;
}
