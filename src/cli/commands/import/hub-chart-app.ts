import { type Diagnostic, hasErrors, load } from '../../../compiler/index.ts';
import { yamlDocument } from '../../../compiler/emit/yaml.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { OpenedChart } from '../../../importer/charts/chart-app.ts';
import { hubChartFinding, type HubChart } from '../../../importer/charts/hub-chart.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { writeObjectsApp } from './objects-app.ts';

/** A chart for the hub, rendered. */
interface HubChartImport {
  readonly opened: OpenedChart;
  readonly hub: HubChart;
  readonly manifests: readonly KubernetesObject[];
  /** The findings so far. */
  readonly diagnostics: readonly Diagnostic[];
  readonly out: string;
  readonly mode: 'create' | 'overwrite';
}

/** Namespaces that every hub has. The app does not create them, because it would delete them with itself. */
const existingNamespace = /^(?:default|kube-.*|open-cluster-management(?:-hub|-agent|-agent-addon)?)$/;

/**
 * Writes the objects of a chart for the hub as an app, as `helm template` renders them. The hub delivers none of them to clusters: it
 * runs the manager, and the manager or the template delivers the agent.
 */
export async function writeHubChart(
  { opened, diagnostics, hub, manifests, out, mode }: HubChartImport,
  terminal: Terminal,
): Promise<ExitCode> {
  const { chart, content, imported } = opened;
  const file = `${chart.name}.yaml`;
  // What the cluster writes is not part of the app.
  const written = manifests.map(({ status: _status, ...object }) => object as KubernetesObject);
  const text = [...namespaceOf(content.installNamespace, manifests), ...written]
    .map(yamlDocument)
    .join('---\n');
  const texts = new Map([[file, text]]);
  const { value: objects, diagnostics: unreadable } = load([{ file, text, source: 'app' }]);
  const finding = hubChartFinding(chart.name, hub, imported.path);
  const print = (found: Parameters<typeof printDiagnostics>[0]): void => {
    printDiagnostics([...diagnostics, finding, ...unreadable, ...found], texts, terminal);
  };
  if (hasErrors(unreadable)) {
    print([]);
    return exitCode.findings;
  }
  const furtherSteps =
    hub.managers.length === 0
      ? []
      : [
          'describe what the manager renders with a ManagerProfile, to predict it: https://github.com/fleetwright/fleetwright/blob/main/docs/charts.md#add-ons-with-a-manager',
        ];
  return await writeObjectsApp(
    { objects, texts, out, overwrite: mode === 'overwrite', parameters: false, print, furtherSteps },
    terminal,
  );
}

/** The app has the namespace of the release, unless the chart has it or every hub does. */
function namespaceOf(
  namespace: string | undefined,
  manifests: readonly KubernetesObject[],
): KubernetesObject[] {
  const isRendered = manifests.some(
    ({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace,
  );
  if (namespace === undefined || isRendered || existingNamespace.test(namespace)) return [];
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }];
}
