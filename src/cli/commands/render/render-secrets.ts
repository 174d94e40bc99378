import { goJson } from '../../../base/json/go-json.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { yamlDocument } from '../../../compiler/emit/yaml.ts';
import { objectKey } from '../../../compiler/index.ts';
import { counted } from '../../../compiler/model/words.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { unknownAddOn } from '../../unknown-names.ts';
import { openState, renderOne, type RenderArguments } from './render-one.ts';

interface Arguments extends RenderArguments {
  readonly output: string;
  readonly diff: string | undefined;
}

/**
 * `render CLUSTER ADDON --secrets`: the Secrets of charts that are not delivered, with new random values at each call. Nothing keeps them:
 * they are for a command that reads the output.
 *
 * @throws UserError if the add-on cannot be rendered for the cluster
 */
export async function printSecrets(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { addon, cluster, output, config, diff } = options;
  if (diff !== undefined || config.length > 0)
    throw new UserError(
      '--secrets prints Secrets for a cluster as it is configured',
      'omit --diff and --config',
    );
  const state = await openState(options, terminal);
  const { rendering, error } = renderOne(state, options);
  if (rendering === undefined) throw error;
  const [found] = state.resolved.flatMap(({ resolution: { configuration, rendering: of } }) =>
    configuration.has(addon) ? [of.secrets(addon, cluster)] : [],
  );
  if (found === undefined) throw unknownAddOn(addon, state);
  if ('error' in found)
    throw new UserError(
      `the Secrets of ${addon} cannot be rendered for ${cluster}: ${found.error}`,
      'if a random character is the reason, such as a quotation mark from randAscii, run the command again',
    );
  const { managed, hosting, hostingCluster = '' } = found;
  const secrets = [...managed, ...hosting];
  if (secrets.length === 0) terminal.err(`${addon} has no Secrets that are not delivered to ${cluster}\n`);
  else if (output === 'json') terminal.out(`${goJson({ apiVersion: 'v1', kind: 'List', items: secrets })}\n`);
  else terminal.out(secrets.map((secret) => yamlDocument(secret)).join('---\n'));
  if (hosting.length > 0)
    terminal.err(
      `${hosting.length} of ${counted(secrets.length, 'object')} ${hosting.length === 1 ? 'is' : 'are'} for hosting cluster "${hostingCluster}": ${hosting.map((secret) => objectKey(namespaceOf(secret), nameOf(secret))).join(', ')}\n`,
    );
  return exitCode.clean;
}
