import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ArgumentReader } from './tool-arguments.ts';

/** A tool: what an assistant sees, and the command line that it means. */
export interface CommandTool {
  readonly definition: Tool;
  /**
   * Returns the words of the command line, without the output format.
   *
   * @throws DiagnosedError if an argument is invalid
   */
  readonly words: (given: ArgumentReader) => readonly string[];
}

const text = (description: string): object => ({ type: 'string', description });
const texts = (description: string): object => ({ type: 'array', items: { type: 'string' }, description });

const apps = texts('Apps by name. Default: all.');

function tool(
  name: string,
  description: string,
  properties: Record<string, object>,
  required: string[],
  words: CommandTool['words'],
): CommandTool {
  return {
    definition: {
      name,
      description,
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: name === 'status',
      },
    },
    words,
  };
}

/** The tools. Each one reads; none writes files, commits or objects. */
export const commandTools: readonly CommandTool[] = [
  tool(
    'validate',
    "Check the workspace's add-ons: what the API server rejects, and findings with code, location and hint.",
    { paths: texts('Files or folders in the workspace. Default: all apps.') },
    [],
    (given) => ['validate', ...given.paths('paths')],
  ),
  tool(
    'plan',
    'Show what a change does to the fleet before it is merged: uninstalls, installs, changed values and their causes per cluster, waves, hash.',
    {
      base: text('Git revision before the change, such as main.'),
      head: text('Git revision after it. Default: the working tree.'),
      apps,
      by: text('Cluster labels to count by, such as env,region.'),
    },
    ['base'],
    (given) => {
      const [base, head] = [given.revision('base') ?? '', given.revision('head')];
      const by = given.word('by');
      return [
        'plan',
        head === undefined ? base : `${base}..${head}`,
        ...given.words('apps').map((app) => `--app=${app}`),
        ...(by === undefined ? [] : [`--by=${by}`]),
      ];
    },
  ),
  tool(
    'explain',
    'Explain what one cluster gets and which object and line decided each value, with the values that lost.',
    {
      cluster: text('Name of a ManagedCluster.'),
      addOn: text('Name of an add-on. Default: all.'),
      field: text("A variable or field, such as LOG_LEVEL or 'Deployment/agent .spec.replicas'."),
      apps,
    },
    ['cluster'],
    (given) => [
      'explain',
      ...given.words('apps').map((app) => `--app=${app}`),
      given.word('cluster') ?? '',
      ...given.optional('addOn'),
      ...given.optional('field'),
    ],
  ),
  tool(
    'who_uses',
    'List the add-ons and clusters that configurations, Placements or files affect. Use it before an edit.',
    { names: texts('namespace/name, placement/namespace/name, or files in the workspace.') },
    ['names'],
    (given) => ['who-uses', ...given.paths('names')],
  ),
  tool(
    'status',
    'Compare the hub of the kubeconfig with the prediction, with the first cause of each difference.',
    { addOn: text('Name of an add-on. Default: all.'), clusters: texts('Clusters. Default: all.') },
    [],
    (given) => [
      'status',
      ...given.words('clusters').map((cluster) => `--cluster=${cluster}`),
      ...given.optional('addOn'),
    ],
  ),
  tool(
    'prove',
    'Check the invariants of fleetwright.yaml for all clusters that may exist, with counterexamples.',
    { invariants: texts('Names. Default: all.'), apps },
    [],
    (given) => ['prove', ...given.words('apps').map((app) => `--app=${app}`), ...given.words('invariants')],
  ),
];
