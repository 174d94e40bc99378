import { type Terminal } from './terminal/terminal.ts';
import { UserError } from '../workspace/user-error.ts';

/** The option of commands that report values, which can include values of Secrets. */
export const showSecretsOption = {
  describe: 'show values of Secrets (only on a terminal)',
  type: 'boolean',
  default: false,
} as const;

/**
 * Whether values of Secrets are shown.
 *
 * @throws UserError if the output is not text on a terminal: stored or forwarded output would contain them.
 */
export function readShowSecrets(
  options: { readonly 'show-secrets': boolean; readonly output: string },
  { columns }: Terminal,
): boolean {
  if (!options['show-secrets']) return false;
  if (options.output !== 'text')
    throw new UserError('--show-secrets requires text output', `omit -o ${options.output}`);
  if (columns === undefined)
    throw new UserError('--show-secrets requires a terminal', 'remove the pipe or redirection');
  return true;
}
