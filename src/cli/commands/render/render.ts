import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { yamlDocument } from '../../../compiler/emit/yaml.ts';
import { counted } from '../../../compiler/model/words.ts';
import { goJson } from '../../../base/json/go-json.ts';
import { appOptions, fromRoot } from '../../app-resolutions.ts';
import { clusterAndAddOn, hubOptions, listOption } from '../../options.ts';
import { printDiff } from './render-diff.ts';
import { printSecrets } from './render-secrets.ts';
import {
  manifestsOf,
  openState,
  renderOne,
  sensitiveIn,
  whyNothing,
  type RenderArguments,
} from './render-one.ts';
import { showSecretsOption } from '../../show-secrets.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { openWorkspace, stateFromRoot } from '../../../workspace/workspace.ts';
import { oneHub } from '../../hub-selection.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';

interface Arguments extends RenderArguments {
  readonly diff: string | undefined;
  readonly output: string;
  readonly 'show-secrets': boolean;
  readonly secrets: boolean;
}

/** `render CLUSTER ADDON`: the manifests that the cluster receives, or the differences in them. */
export function renderCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'render <cluster> <addon>',
    describe: 'Print the manifests of an add-on on a cluster',
    builder: (command) =>
      clusterAndAddOn(appOptions(hubOptions(command)))
        .option('config', {
          describe:
            'use this configuration instead: namespace/name of an AddOnDeploymentConfig, or name of a template',
          ...listOption,
          defaultDescription: 'what the cluster uses',
        })
        .option('diff', {
          describe:
            'print the differences from a Git revision or folder; with --config alone, from the configuration of the cluster',
          type: 'string',
        })
        .option('show-secrets', {
          ...showSecretsOption,
          describe: 'show values of Secrets; with --diff only on a terminal',
        })
        .option('secrets', {
          describe:
            'print the Secrets of a chart, and other objects, that are not delivered instead, with new random values',
          type: 'boolean',
          default: false,
        })
        .option('output', {
          alias: 'o',
          describe: 'manifests as YAML, or complete ManifestWorks as JSON',
          choices: ['yaml', 'json'],
          default: 'yaml',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright render cluster1 helloworld-template': 'the manifests that the work agent applies',
            'fleetwright render cluster1 helloworld-template --show-secrets | kubectl diff -f -':
              'compared with the cluster',
            'fleetwright render cluster1 grafana --secrets | kubectl create -f -':
              'create the passwords of a chart, once',
            'fleetwright render cluster1 helloworld-template --diff main': 'the differences from main',
            'fleetwright render cluster1 helloworld-template --config default/next --diff':
              'the effect of another configuration',
          }),
        ),
    handler: async (options) => {
      const { diff } = options;
      const what = 'render prints the manifests for a cluster of one hub, and the workspace has several';
      const workspace = await openWorkspace(await oneHub(terminal, options, what));
      const inRoot = fromRoot(options, workspace);
      await checkNamedApps(workspace.root, { ...workspace.settings, apps: inRoot.apps });
      if (options.secrets) end(await printSecrets(inRoot, workspace.host));
      else
        end(
          diff === undefined
            ? await renderAndPrint(inRoot, workspace.host)
            : await printDiff(
                { ...inRoot, diff: await stateFromRoot(diff, workspace, terminal.cwd) },
                workspace.host,
              ),
        );
    },
  };
}

async function renderAndPrint(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { cluster } = options;
  const state = await openState(options, terminal);
  const { rendering, error } = renderOne(state, options);
  if (rendering === undefined) throw error;
  const sensitive = await sensitiveIn([state], options['show-secrets'], terminal);
  const works = rendering.works.map((work) => sensitive?.maskedObject(work) ?? work);
  if (works.some((work, index) => goJson(work) !== goJson(rendering.works[index] ?? null)))
    terminal.err('values of Secrets and other sensitive values are masked; --show-secrets prints them\n');
  if (options.output === 'json') {
    terminal.out(`${goJson(works)}\n`);
    return exitCode.clean;
  }
  const manifests = manifestsOf({ ...rendering, works });
  terminal.out(manifests.map((manifest) => yamlDocument(manifest)).join('---\n'));
  for (const { metadata, spec } of works) {
    if (metadata.namespace === undefined || metadata.namespace === cluster) continue;
    const { length } = spec?.workload?.manifests ?? [];
    terminal.err(
      `${length} of ${counted(manifests.length, 'manifest')} ${length === 1 ? 'is' : 'are'} for hosting cluster "${metadata.namespace}", in work ${metadata.name}\n`,
    );
  }
  if (manifests.length > 0) return exitCode.clean;
  const { reason, failed } = whyNothing(rendering);
  terminal.err(`nothing is delivered to ${cluster}${reason}\n`);
  return failed ? exitCode.findings : exitCode.clean;
}
