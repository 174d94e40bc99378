import type { TypedMap, Value, ValueMap } from '../../gotemplate/index.ts';
import { cleaned } from '../loading/archive.ts';
import { inFolder } from '../loading/load-tree.ts';
import { fileText, type ChartFile, type ChartNode } from '../chart.ts';
import type { ChartTemplate } from '../engine.ts';
import { valuesMap } from '../values/values-map.ts';
import { tableAt } from '../values/dependencies.ts';
import { chartValue } from './built-in-objects.ts';
import { filesValue } from './files-object.ts';

/** A template with the file that it is in. */
export interface ScopedTemplate extends ChartTemplate {
  /** In the files of the root chart, such as `charts/redis/templates/service.yaml`. */
  readonly file: string;
}

/** Returns the templates of a chart and its dependencies that Helm parses: of library charts, only those named `_…`. */
export function templatesOf(chart: ChartNode): ScopedTemplate[] {
  const basePath = cleaned(`${chart.fullPath}/templates`);
  const own = chart.templates
    .filter(({ name }) => !chart.isLibrary || name.slice(name.lastIndexOf('/') + 1).startsWith('_'))
    .map((file) => ({
      name: cleaned(`${chart.fullPath}/${file.name}`),
      text: fileText(file),
      basePath,
      file: inFolder(chart.folder, file.name),
    }));
  return [...chart.dependencies.flatMap(templatesOf), ...own];
}

/** What the templates of one chart see, by the `basePath` of the templates. */
export type Scopes = ReadonlyMap<string, ValueMap>;

/** `.Files` of each chart, which no template can change. */
const filesByChart = new WeakMap<readonly ChartFile[], TypedMap>();

/**
 * Builds `.Values`, `.Chart` and so on for each chart. As recAllTpls of Helm's engine.
 *
 * @param top - `.Release`, `.Capabilities` and `.Values` of the root
 */
export function scopesOf(chart: ChartNode, top: ValueMap): Scopes {
  const scopes = new Map<string, ValueMap>();
  addScope(chart, top, scopes);
  return scopes;
}

function addScope(chart: ChartNode, parent: ValueMap, scopes: Map<string, ValueMap>): ValueMap {
  const subcharts: ValueMap = new Map();
  const scope: ValueMap = new Map<string, Value>([
    ['Chart', chartValue(chart)],
    ['Files', filesOf(chart)],
    ['Release', parent.get('Release')],
    ['Capabilities', parent.get('Capabilities')],
    ['Values', valuesMap(scopedValues(chart, parent))],
    ['Subcharts', subcharts],
  ]);
  for (const child of chart.dependencies) subcharts.set(child.name, addScope(child, scope, scopes));
  scopes.set(cleaned(`${chart.fullPath}/templates`), scope);
  return scope;
}

function filesOf({ files }: ChartNode): TypedMap {
  const earlier = filesByChart.get(files);
  if (earlier !== undefined) return earlier;
  const value = filesValue(files);
  filesByChart.set(files, value);
  return value;
}

function scopedValues(chart: ChartNode, parent: ValueMap): ValueMap {
  const values = (parent.get('Values') as TypedMap).entries;
  if (chart.isRoot) return values;
  return tableAt(values, chart.name) ?? new Map();
}
