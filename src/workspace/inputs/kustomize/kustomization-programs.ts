import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Diagnostic, FileLocation } from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { TrustedPrograms } from '../../settings/kustomize-settings.ts';
import { pluginFields, type Kustomization } from './kustomization.ts';
import { isOutside, type KustomizationGraph } from './kustomization-graph.ts';

/** A part of a kustomization for which kustomize runs another program. */
interface ProgramUse {
  readonly program: keyof TrustedPrograms;
  /** Such as `the generator PolicyGenerator "install"`. */
  readonly text: string;
  readonly location: FileLocation;
}

/** The configuration of a plugin. */
interface PluginConfiguration {
  readonly field: (typeof pluginFields)[number];
  readonly index: number;
  /** @default - it is written in the kustomization */
  readonly file?: string;
  readonly content: JsonMap;
}

/** How the files of kustomizations are read. */
interface FilesOfKustomizations {
  readonly graph: KustomizationGraph;
  readonly cwd: string;
  readonly repository: string | undefined;
}

/** The kustomizations that are searched. */
interface SearchedKustomizations extends FilesOfKustomizations {
  /** A kustomization and all that it uses. */
  readonly used: readonly Kustomization[];
}

/**
 * Reports the plugins and charts that kustomizations use and the workspace does not trust.
 *
 * @param root - the kustomization to build
 */
export function untrustedPrograms(
  root: Kustomization,
  searched: SearchedKustomizations,
  trusted: TrustedPrograms,
): Diagnostic[] {
  const uses = searched.used.flatMap((each) => programsOf(each, searched));
  const folder = path.dirname(root.file);
  return uses
    .filter(({ program }) => !trusted[program])
    .map(({ program, text, location }) => {
      const isHelm = program === 'helm';
      const option = isHelm ? '--enable-helm' : '--enable-alpha-plugins';
      return diagnostic(isHelm ? 'FW9172' : 'FW9171', {
        message: `${location.file} uses ${text}, ${isHelm ? 'for which kustomize runs Helm' : 'a program that kustomize runs'}, and fleetwright.yaml does not allow it`,
        location,
        hint: `build it yourself: kustomize build ${option} ${folder} | fleetwright validate -; or set kustomize.${program}: true in fleetwright.yaml, if you trust everyone who can change ${folder}`,
      });
    });
}

/** Returns the files and folders that plugins and Helm read besides those that a kustomization lists. */
export function programInputs(
  kustomization: Kustomization,
  searched: FilesOfKustomizations,
): readonly string[] {
  const folder = path.dirname(kustomization.file);
  const configurations = configurationsOf(kustomization, searched);
  const contents = configurations.map(({ content }) => content);
  const charts = contents.filter(({ kind }) => kind === 'HelmChartInflationGenerator').map(chartHome);
  const { fields } = kustomization;
  if (listIn(fields['helmCharts']).length > 0) charts.push(chartHome(fields['helmGlobals']));
  const kindOf = (name: string): 'file' | 'folder' | undefined => {
    try {
      return statSync(path.resolve(searched.cwd, name)).isDirectory() ? 'folder' : 'file';
    } catch {
      // A text such as a description can be too long for a name.
      return undefined;
    }
  };
  const named = contents
    .flatMap((content) => textsIn(content))
    .map(({ key, text }) => ({ key, name: path.join(folder, text) }))
    // A namespace or a name can also be that of a folder.
    .filter(({ key, name }) => kindOf(name) === 'file' || (pathKey.test(key) && kindOf(name) === 'folder'));
  return [
    ...configurations.flatMap(({ file = [] }) => file),
    ...named.map(({ name }) => name),
    ...charts.map((name) => path.join(folder, name)).filter((name) => kindOf(name) !== undefined),
  ];
}

/** Keys whose values name files and folders: paths, files, folders, directories and homes. */
const pathKey = /(?:path|file|folder|dir|home)s?$/i;

function programsOf(kustomization: Kustomization, searched: FilesOfKustomizations): ProgramUse[] {
  const { fields, locate } = kustomization;
  const charts = ['helmCharts', 'helmChartInflationGenerator'].flatMap((field) =>
    listIn(fields[field]).map((chart, index): ProgramUse => {
      const name = isJsonMap(chart) ? (chart['name'] ?? chart['chartName']) : undefined;
      const text = typeof name === 'string' ? `the chart "${name}"` : 'a chart';
      return { program: 'helm', text, location: locate([field, index]) };
    }),
  );
  const plugins = configurationsOf(kustomization, searched).flatMap((each): ProgramUse[] => {
    const { apiVersion, kind, metadata } = each.content;
    const isHelm = kind === 'HelmChartInflationGenerator';
    if (apiVersion === 'builtin' && !isHelm) return [];
    const name = isJsonMap(metadata) && typeof metadata['name'] === 'string' ? ` "${metadata['name']}"` : '';
    const text = `the ${each.field.slice(0, -1)} ${String(kind)}${name}${each.file === undefined ? '' : ` of ${each.file}`}`;
    return [
      {
        program: apiVersion === 'builtin' ? 'helm' : 'plugins',
        text,
        location: locate([each.field, each.index]),
      },
    ];
  });
  return [...charts, ...plugins];
}

/** Returns the configurations of plugins: files, YAML in the kustomization, and the files that kustomizations of them list. */
function configurationsOf(
  kustomization: Kustomization,
  { graph, cwd, repository }: FilesOfKustomizations,
): PluginConfiguration[] {
  const folder = path.dirname(kustomization.file);
  return pluginFields.flatMap((field) =>
    listIn(kustomization.fields[field]).flatMap((entry, index) => {
      if (typeof entry !== 'string') return [];
      if (entry.includes('\n')) return mappingsIn(entry).map((content) => ({ field, index, content }));
      const name = path.join(folder, entry);
      const below = graph.at(name);
      const files = below === undefined ? [name] : graph.usedBy(below).flatMap(({ resources }) => resources);
      return files.flatMap((file) => {
        // Its content could be in a message.
        if (isOutside(file, cwd, repository)) return [];
        return mappingsIn(textOf(path.resolve(cwd, file))).map((content) => ({
          field,
          index,
          file,
          content,
        }));
      });
    }),
  );
}

/** Returns the folder of the charts, relative to the kustomization. */
function chartHome(settings: unknown): string {
  const home = isJsonMap(settings) ? settings['chartHome'] : undefined;
  return typeof home === 'string' ? home : 'charts';
}

/** Returns the mappings of a YAML text. kustomize reports one that is invalid. */
function mappingsIn(text: string): JsonMap[] {
  return parseAllDocuments(text).flatMap((document): JsonMap[] => {
    if (document.errors.length > 0) return [];
    try {
      const content: unknown = document.toJS({ maxAliasCount: 100 });
      return isJsonMap(content) ? [content] : [];
    } catch {
      // Too many aliases.
      return [];
    }
  });
}

/** Returns every text of one line, with the key under which it is. */
function textsIn(value: unknown, key = ''): { readonly key: string; readonly text: string }[] {
  if (typeof value === 'string') return value.includes('\n') ? [] : [{ key, text: value }];
  if (isJsonList(value)) return value.flatMap((item) => textsIn(item, key));
  return isJsonMap(value) ? Object.entries(value).flatMap(([name, item]) => textsIn(item, name)) : [];
}

function listIn(value: unknown): readonly unknown[] {
  return isJsonList(value) ? value : [];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
