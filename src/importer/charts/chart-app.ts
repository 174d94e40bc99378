import type { JsonMap } from '../../base/json/json-map.ts';
import type { ChartLock } from '../../../constructs/chart-lock.ts';
import { archiveDigest } from '../../../constructs/chart-lock.ts';
import {
  loadChart,
  valueUse,
  type Chart,
  type ChartLine,
  type LoadedChart,
} from '../../engines/charts/index.ts';
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from '../../compiler/model/diagnostic.ts';
import { addOnNameFaults, type TemplateTarget } from '../as-template.ts';
import { appCode } from './app-code.ts';
import type { ChartAppContent, WaveGroup } from './content.ts';

/** A chart to import. */
export interface ImportedChart {
  /** The folder, archive or address as the user named it, for the locations of findings. */
  readonly path: string;
  /** The bytes of each file by its path, or those of the archive. */
  readonly content: ReadonlyMap<string, Uint8Array> | Uint8Array;
  /** Where the archive is from, for the lock. */
  readonly source: string;
  /** The digest of the manifest in a registry. */
  readonly manifestDigest?: string | undefined;
}

/** The add-on that a chart becomes. */
export interface ChartTarget {
  /** @default - the name of the chart */
  readonly addOn?: string | undefined;
  readonly placement?: TemplateTarget['placement'];
  /** Stronger than the chart's values. @default - none */
  readonly values?: JsonMap | undefined;
  /** The namespace of the release on the clusters. @default - the name of the add-on; for an agent that registers, that of OCM */
  readonly namespace?: string | undefined;
  /** The groups of clusters that are updated first. @default - none */
  readonly groups?: readonly WaveGroup[] | undefined;
}

/** A chart that is ready to become an app. */
export interface OpenedChart {
  readonly chart: Chart;
  readonly imported: ImportedChart;
  readonly content: ChartAppContent;
}

/** The value with the name of the Secret that has the agent's access to the hub. */
const hubAccess = 'hubKubeConfigSecret';

/** Loads a chart and decides what its app consists of. Undefined if it cannot be an add-on. */
export function openChart(imported: ImportedChart, target: ChartTarget): Outcome<OpenedChart | undefined> {
  const { path } = imported;
  const { chart, faults } = loadChart(imported.content, { rules: 'helm' });
  const diagnostics = faults.map((fault) => asDiagnostic(path, fault));
  if (chart === undefined) return { value: undefined, diagnostics };
  const addOn = target.addOn ?? chart.name;
  diagnostics.push(...addOnNameFaults(addOn));
  if (chart.isLibrary)
    diagnostics.push(
      diagnostic('FW6045', {
        message: `chart "${chart.name}" is a library, so it has no manifests`,
        location: { file: placeIn(path, 'Chart.yaml'), line: 1, column: 1 },
        hint: 'import a chart that uses it',
      }),
    );
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const use = valueUse(chart, hubAccess);
  const content: ChartAppContent = {
    addOn,
    source: imported.content instanceof Uint8Array ? 'chart.tgz' : 'chart',
    values: target.values ?? {},
    placement: target.placement,
    groups: target.placement === undefined ? (target.groups ?? []) : [],
    // An agent of addon-framework expects the namespace of OCM, and its Secrets are there.
    installNamespace: target.namespace ?? (use === undefined ? addOn : undefined),
    createsNamespace: true,
    registers: use !== undefined,
    registration:
      use === undefined
        ? `the agent does not register, because no template reads ${hubAccess}`
        : `the agent registers at the hub, because ${printableLine(use)} reads ${hubAccess}`,
  };
  return { value: { chart, imported, content }, diagnostics };
}

/** Returns the files of the app, by their names in its folder. */
export function appFiles({
  chart,
  imported,
  content,
}: OpenedChart): ReadonlyMap<string, string | Uint8Array> {
  return new Map<string, string | Uint8Array>([
    ['app.ts', appCode(content)],
    ...chartFiles({ chart, imported }),
  ]);
}

/** Returns the chart as an app keeps it: the archive with its lock, or the files of the folder. */
export function chartFiles({
  chart,
  imported: { content, source, manifestDigest },
}: Pick<OpenedChart, 'chart' | 'imported'>): [string, string | Uint8Array][] {
  if (!(content instanceof Uint8Array))
    return Array.from(content, ([file, bytes]) => [`chart/${file}`, bytes] as const).map(([a, b]) => [a, b]);
  const lock: ChartLock = {
    lockVersion: 1,
    name: chart.name,
    version: chart.version,
    source,
    ...(manifestDigest !== undefined && { manifestDigest }),
    digest: archiveDigest(content),
  };
  return [
    ['chart.tgz', content],
    ['chart.lock', `${JSON.stringify(lock, undefined, 2)}\n`],
  ];
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
