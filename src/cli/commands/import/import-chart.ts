import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { counted } from '../../../compiler/model/words.ts';
import { hasErrors, hubVersion, type Diagnostic } from '../../../compiler/index.ts';
import { terminalLine } from '../../../compiler/report/text/terminal-line.ts';
import { defaultInstallNamespace } from '../../../ocm/install-namespace.ts';
import type { PlacementName } from '../../../importer/as-template.ts';
import { appFiles, openChart, type OpenedChart } from '../../../importer/charts/chart-app.ts';
import { hubChart } from '../../../importer/charts/hub-chart.ts';
import { assumedVersion, type Preview } from '../../../importer/charts/preview.ts';
import type { AddedChart } from '../../../workspace/charts/chart-dependencies.ts';
import { readChart, type ChartOptions } from '../../../workspace/charts/read-chart.ts';
import { writeApp } from '../../../workspace/output/imported-app.ts';
import { openWorkspace, workspaceRoot } from '../../../workspace/workspace.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { fleetsOf, groupsIn, type WorkspaceFleet } from '../../workspace-fleets.ts';
import { readValues } from './chart-values.ts';
import { companionStep } from './companion-step.ts';
import { defaultFolder, destinationOf, nextSteps } from './destination.ts';
import { writeHubChart } from './hub-chart-app.ts';
import { upgradeChart } from './upgrade-chart.ts';

/** What `import CHART` and `new --chart` write, and where. */
export interface ChartImport {
  /** The path or the address of the chart. */
  readonly given: string;
  readonly selection: ChartOptions;
  /** @default - the name of the chart */
  readonly addOn: string | undefined;
  readonly placement: PlacementName | undefined;
  readonly namespace: string | undefined;
  readonly valuesFiles: readonly string[];
  /** The folder of the app. @default - the folder in apps/ with the name of the add-on */
  readonly out: string | undefined;
  readonly mode: 'create' | 'overwrite' | 'upgrade';
}

/** Errors of charts that other values may mend, and errors of the source itself. */
const renderFault = /^FW60(?:2\d|3[0-8]|50)$/;

/** `import CHART`: writes an app that delivers a Helm chart. */
export async function importChart(request: ChartImport, terminal: Terminal): Promise<ExitCode> {
  const { given, selection, addOn, placement, namespace, mode } = request;
  const workspace = await openWorkspace(terminal);
  const { content, source, manifestDigest, added = [] } = await readChart(given, selection, terminal);
  const values = await readValues(request.valuesFiles, terminal.cwd);
  const fleets = await fleetsOf(workspace);
  const imported = { path: given, content, source, manifestDigest };
  const target = { addOn, placement, values, namespace, groups: groupsIn(fleets) };
  const { value: opened, diagnostics } = openChart(imported, target);
  if (opened === undefined) {
    printDiagnostics(diagnostics, new Map(), terminal);
    return exitCode.findings;
  }
  const out = request.out ?? (await defaultFolder(terminal, opened.content.addOn));
  if (mode === 'upgrade') return await upgradeChart(opened, out, terminal);
  const { app, previews } = await previewed(opened, fleets, terminal);
  const manifests = previews.flatMap((each) => each.manifests ?? []);
  const hub = hubChart(manifests);
  if (hub !== undefined) {
    const [rendered = []] = previews.flatMap((each) =>
      each.manifests === undefined ? [] : [each.manifests],
    );
    return await writeHubChart({ opened, diagnostics, hub, manifests: rendered, out, mode }, terminal);
  }
  const ofPreviews = previews.flatMap((each) => each.diagnostics);
  const found = [...diagnostics, ...distinct(ofPreviews, given)];
  printDiagnostics(found, new Map(), terminal);
  if (hasErrors(found.filter(({ code }) => renderFault.test(code)))) {
    terminal.err(
      'fleetwright: nothing was written\n  set what the findings name in a file, and import the chart with --values FILE\n',
    );
    return exitCode.findings;
  }
  await writeApp(
    terminal.cwd,
    out,
    appFiles(app),
    mode === 'overwrite',
    await staleFiles(out, app, terminal),
  );
  terminal.out(`${await summary(app, out, previews, fleets, terminal)}${addedCharts(added)}`);
  return exitCode.clean;
}

/** Renders the chart with each fleet. The app delivers the namespace of the release, unless the chart does. */
async function previewed(
  opened: OpenedChart,
  fleets: readonly WorkspaceFleet[],
  terminal: Terminal,
): Promise<{ readonly app: OpenedChart; readonly previews: readonly Preview[] }> {
  // cdk8s takes a while to load
  const [{ appObjects }, { preview }] = await Promise.all([
    import('../../../workspace/charts/app-objects.ts'),
    import('../../../importer/charts/preview.ts'),
  ]);
  const { settings } = await openWorkspace(terminal);
  const now = terminal.now();
  const surroundings =
    fleets.length === 0
      ? [{ hub: hubVersion(settings.hubVersion), objects: [], now }]
      : fleets.map(({ hub, objects, time }) => ({ hub, objects, now: time ?? now }));
  const render = ({ content, imported }: OpenedChart): readonly Preview[] => {
    const objects = appObjects(content, imported.content);
    return surroundings.map((fleet) => preview(objects, content.addOn, fleet));
  };
  const without: OpenedChart = { ...opened, content: { ...opened.content, createsNamespace: false } };
  const first = render(without);
  const isRendered = first.some(({ manifests }) =>
    manifests?.some(
      ({ kind, metadata }) => kind === 'Namespace' && metadata.name === opened.content.installNamespace,
    ),
  );
  const manifests = first.flatMap((each) => each.manifests ?? []);
  if (isRendered || hubChart(manifests) !== undefined) return { app: without, previews: first };
  return { app: opened, previews: render(opened) };
}

/** Returns each finding once, at the chart that the user named: the app has no line yet. */
function distinct(diagnostics: readonly Diagnostic[], given: string): readonly Diagnostic[] {
  const byText = new Map<string, Diagnostic>();
  for (const each of diagnostics) {
    const { object: _object, path: _path, ...rest } = each;
    byText.set(`${each.code} ${each.message}`, { ...rest, location: { file: given, line: 1, column: 1 } });
  }
  return [...byText.values()];
}

/** Returns the files of an earlier import of another chart, which would be rendered too. */
async function staleFiles(
  out: string,
  { content }: OpenedChart,
  { cwd }: Terminal,
): Promise<readonly string[]> {
  const others = content.source === 'chart' ? ['chart.tgz', 'chart.lock'] : ['chart'];
  const found = await Promise.all(
    others.map(async (name) => await lstat(path.resolve(cwd, out, name)).catch(() => undefined)),
  );
  return others.filter((_, index) => found[index] !== undefined);
}

/** Names the charts that were added to the folder of the chart, because nobody else chose their versions. */
function addedCharts(added: readonly AddedChart[]): string {
  if (added.length === 0) return '';
  const lines = added.map(({ name, source }) => `  ${terminalLine(`${name}: ${source}`)}\n`).join('');
  return `\nAdded to the folder charts/, because Chart.yaml requires them:\n${lines}`;
}

async function summary(
  { chart, content, imported }: OpenedChart,
  out: string,
  previews: readonly Preview[],
  fleets: readonly WorkspaceFleet[],
  terminal: Terminal,
): Promise<string> {
  const clusters = previews.reduce((sum, each) => sum + each.clusters, 0);
  const objects = previews.find((each) => each.manifests !== undefined)?.manifests?.length ?? 0;
  const rendered =
    fleets.length === 0
      ? `for one assumed cluster with Kubernetes ${assumedVersion}, because the workspace has no fleet`
      : `for ${counted(clusters, 'cluster')}`;
  const assumptions = [
    content.registration,
    `the release is in the namespace ${content.installNamespace ?? defaultInstallNamespace} of each cluster`,
  ];
  const steps = nextSteps(await destinationOf(out, terminal), { hasFleet: false, isTypeScript: true });
  const companion = await companionStep(workspaceRoot(terminal.cwd));
  const secrets = previews.some(({ needsSecrets }) => needsSecrets)
    ? [
        `create the Secrets on each cluster that has the namespace: fleetwright render CLUSTER ${content.addOn} --secrets | kubectl create -f -`,
      ]
    : [];
  const names = (lines: Iterable<string>): string =>
    Array.from(lines, (line) => `  ${terminalLine(line)}\n`).join('');
  const files = appFiles({ chart, content, imported }).keys();
  return `${terminalLine(out)}: chart ${terminalLine(`${chart.name} ${chart.version}`)} as add-on "${content.addOn}"\n${names(files)}
Rendered ${rendered}: ${counted(objects, 'object')} each

Assumed, check it in app.ts:
${names(assumptions)}
Next steps:
${names([...steps, ...companion, ...secrets])}`;
}
