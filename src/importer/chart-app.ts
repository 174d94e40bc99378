import { loadChart, valueUse, type ChartLine, type LoadedChart } from '../engines/charts/index.ts';
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from '../compiler/model/diagnostic.ts';
import { addOnNameFaults, type TemplateTarget } from './as-template.ts';

/** A chart to import: its files, or the archive with them. */
export interface ImportedChart {
  /** The folder or archive as the user named it, for the locations of findings. */
  readonly path: string;
  readonly content: ReadonlyMap<string, Uint8Array> | Uint8Array;
  /** The name of the add-on. @default - the name of the chart */
  readonly addOn?: string | undefined;
  readonly placement?: TemplateTarget['placement'];
}

/** The app of an add-on from a chart. */
export interface ChartApp {
  readonly addOn: string;
  /** The name and version of the chart. */
  readonly chart: string;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Whether the agent is assumed to register at the hub, and why: one sentence without a period. */
  readonly registration: string;
}

/** The value with the name of the Secret that has the agent's access to the hub. */
const hubAccess = 'hubKubeConfigSecret';

/** Returns the app of an add-on that delivers a chart to the clusters of a Placement, by default to all clusters. */
export function chartApp({ path, content, addOn, placement }: ImportedChart): Outcome<ChartApp | undefined> {
  const { chart, faults } = loadChart(content, { program: 'addon-framework' });
  const diagnostics = faults.map((fault) => asDiagnostic(path, fault));
  if (chart === undefined) return { value: undefined, diagnostics };
  const name = addOn ?? chart.name;
  diagnostics.push(...addOnNameFaults(name));
  if (chart.isLibrary)
    diagnostics.push(
      diagnostic('FW6045', {
        message: `chart "${chart.name}" is a library, so it has no manifests`,
        location: { file: placeIn(path, 'Chart.yaml'), line: 1, column: 1 },
        hint: 'import a chart that uses it',
      }),
    );
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const archive = content instanceof Uint8Array ? content : undefined;
  const use = valueUse(chart, hubAccess);
  const registration =
    use === undefined
      ? `the agent does not register, because no template reads ${hubAccess}`
      : `the agent registers at the hub, because ${printableLine(use)} reads ${hubAccess}`;
  const copies =
    content instanceof Uint8Array
      ? [['chart.tgz', content] as const]
      : Array.from(content, ([file, bytes]) => [`chart/${file}`, bytes] as const);
  const app = appText({
    addOn: name,
    source: archive === undefined ? 'chart' : 'chart.tgz',
    registration,
    use,
    placement,
  });
  return {
    value: {
      addOn: name,
      chart: `${chart.name} ${chart.version}`,
      files: new Map<string, string | Uint8Array>([['app.ts', app], ...copies]),
      registration,
    },
    diagnostics,
  };
}

/** Returns a line of a chart for a comment. The names of files are from outside, and can have line breaks. */
function printableLine({ file, line }: ChartLine): string {
  return /^[\w./-]+$/.test(file) ? `${file}:${line}` : 'a template';
}

function asDiagnostic(path: string, { code, message, file, line, column, hint }: ChartFault): Diagnostic {
  return diagnostic(code, {
    message,
    location: { file: file === undefined ? path : placeIn(path, file), line: line ?? 1, column: column ?? 1 },
    ...(hint !== undefined && { hint }),
  });
}

type ChartFault = LoadedChart['faults'][number];

function placeIn(path: string, file: string): string {
  return `${path.replace(/\/+$/, '')}/${file}`;
}

interface AppContent {
  readonly addOn: string;
  readonly source: string;
  readonly registration: string;
  readonly use: ChartLine | undefined;
  readonly placement: TemplateTarget['placement'];
}

function appText({ addOn, source, registration, use, placement }: AppContent): string {
  const imports = [
    'AddOnTemplate',
    ...(placement === undefined ? ['ApiObject'] : []),
    'App',
    'Chart',
    'ClusterManagementAddOn',
    'HelmChart',
    ...(placement === undefined ? ['ManagedClusterSet', 'ManagedClusterSetBinding'] : []),
    'Placement',
    ...(use === undefined ? [] : ['Registration']),
    ...(placement === undefined ? ['Toleration'] : []),
  ];
  return `// The add-on "${addOn}", from a Helm chart. synth renders the chart for each cluster, and the companion
// (fleetwright controller hub) registers the agents.
import {
${imports.map((name) => `  ${name},\n`).join('')}} from 'fleetwright';

const app = new App();
const hub = new Chart(app, 'hub', { namespace: '${placement?.namespace ?? addOn}' });
${placement === undefined ? newPlacement(addOn) : referredPlacement(placement)}
const template = new AddOnTemplate(hub, 'template', {
  name: '${addOn}',
  addonName: '${addOn}',
  immutable: true,
  workload: (workload) => {
    new HelmChart(workload, '${addOn}', {
      chart: new URL('${source}', import.meta.url),
      // Values that are stronger than those in the chart's values.yaml. Values of single clusters are in an
      // AddOnDeploymentConfig: name its variables in \`variables\`.
      values: {},
    });
  },
  // A guess: ${registration}.
${use === undefined ? '' : '  // List the permissions that it needs there in `hubPermissions`.\n  registration: [Registration.kubeClient()],\n'}});

new ClusterManagementAddOn(hub, 'add-on', {
  name: '${addOn}',
  delivery: 'compiled',
  defaultConfigs: [template],
  placements: [{ placement: clusters }],
});

export default app;
`;
}

function newPlacement(addOn: string): string {
  return `new ApiObject(hub, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '${addOn}' } });

// All clusters of the hub. A cluster that is unreachable keeps the add-on.
new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
const clusters = new Placement(hub, 'all', { tolerations: [Toleration.unreachable(), Toleration.unavailable()] });
`;
}

function referredPlacement({ namespace, name }: NonNullable<TemplateTarget['placement']>): string {
  return `
const clusters = Placement.reference('${namespace}', '${name}');
`;
}
