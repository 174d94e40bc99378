import {
  goFunction,
  GoObject,
  Integer,
  listItems,
  mapEntries,
  TypedList,
  TypedMap,
  type Value,
  type ValueMap,
} from '../../gotemplate/index.ts';
import type { ChartDependency, ChartMaintainer, ChartNode } from '../chart.ts';

/** The release that templates see as `.Release`. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** @default 0 */
  readonly revision?: number;
  /** @default false */
  readonly isInstall?: boolean;
  /** @default false */
  readonly isUpgrade?: boolean;
}

/** What templates see as `.Capabilities`. */
export interface Capabilities {
  readonly kubeVersion: {
    /** Such as `v1.31.2`. */
    readonly version: string;
    /** @default '' */
    readonly major?: string;
    /** @default '' */
    readonly minor?: string;
  };
  /** Such as `apps/v1` and `apps/v1/Deployment`. @default [] */
  readonly apiVersions?: readonly string[];
  /** @default - empty */
  readonly helmVersion?: { readonly version: string; readonly goVersion?: string };
}

export function releaseValue(release: Release): ValueMap {
  return new Map<string, Value>([
    ['Name', release.name],
    ['Namespace', release.namespace],
    ['IsUpgrade', release.isUpgrade ?? false],
    ['IsInstall', release.isInstall ?? false],
    ['Revision', new Integer(BigInt(release.revision ?? 0))],
    ['Service', 'Helm'],
  ]);
}

export function capabilitiesValue({ kubeVersion, apiVersions, helmVersion }: Capabilities): GoObject {
  const { version, major = '', minor = '' } = kubeVersion;
  const versionText = goFunction(' -> string', () => version);
  const versions = apiVersions ?? [];
  const fields: [string, Value][] = [
    [
      'KubeVersion',
      new GoObject('chartutil.KubeVersion', {
        fields: fieldsOf({ Version: version, Major: major, Minor: minor }),
        methods: new Map([
          ['String', versionText],
          ['GitVersion', versionText],
        ]),
        pointerText: version,
      }),
    ],
    [
      'APIVersions',
      new TypedList('chartutil.VersionSet', versions, apiVersions === undefined, {
        elementType: 'string',
        methods: new Map([
          ['Has', goFunction('string -> bool', ([name]) => versions.includes(name as string))],
        ]),
      }),
    ],
    ['HelmVersion', buildInfo(helmVersion?.version ?? '', helmVersion?.goVersion ?? '')],
  ];
  return new GoObject('*chartutil.Capabilities', { fields: new Map(fields) });
}

function buildInfo(version: string, goVersion: string): GoObject {
  const json: readonly (readonly [string, string])[] = [
    ['version', version],
    ['go_version', goVersion],
  ];
  return new GoObject('version.BuildInfo', {
    fields: fieldsOf({ Version: version, GitCommit: '', GitTreeState: '', GoVersion: goVersion }),
    jsonFields: new Map(json.filter(([, value]) => value !== '')),
  });
}

/** `.Chart`: the fields of Chart.yaml, and whether the chart is the root. */
export function chartValue(chart: ChartNode): GoObject {
  const { metadata } = chart;
  const fields = fieldsOf({
    Name: metadata.name,
    Home: metadata.home,
    Sources: textsOf(metadata.sources),
    Version: metadata.version,
    Description: metadata.description,
    Keywords: textsOf(metadata.keywords),
    Maintainers: listOf('[]*chart.Maintainer', metadata.maintainers?.map(maintainerValue)),
    Icon: metadata.icon,
    APIVersion: metadata.apiVersion,
    Condition: metadata.condition,
    Tags: metadata.tags,
    AppVersion: metadata.appVersion,
    Deprecated: metadata.deprecated,
    Annotations: new TypedMap('map[string]string', new Map(metadata.annotations), 'string', {
      isNil: metadata.annotations === undefined,
    }),
    KubeVersion: metadata.kubeVersion,
    Dependencies: listOf('[]*chart.Dependency', metadata.dependencies?.map(dependencyValue)),
    Type: metadata.type,
  });
  const jsonFields = withoutEmpty(fields);
  const embedded = new GoObject('chart.Metadata', { fields, jsonFields });
  return new GoObject('struct { chart.Metadata; IsRoot bool }', {
    fields: new Map<string, Value>([
      ['Metadata', embedded],
      ['IsRoot', chart.isRoot],
    ]),
    promoted: fields,
    jsonFields: new Map([...jsonFields, ['IsRoot', chart.isRoot]]),
  });
}

function maintainerValue({ name, email, url }: ChartMaintainer): GoObject {
  const fields = fieldsOf({ Name: name, Email: email, URL: url });
  return new GoObject('*chart.Maintainer', { fields, jsonFields: withoutEmpty(fields) });
}

function dependencyValue(dependency: ChartDependency): GoObject {
  const fields = fieldsOf({
    Name: dependency.name,
    Version: dependency.version,
    Repository: dependency.repository,
    Condition: dependency.condition,
    Tags: textsOf(presentItems(dependency.tags)),
    Enabled: dependency.isEnabled,
    ImportValues: listOf('[]interface {}', presentItems(dependency.importValues)),
    Alias: dependency.alias,
  });
  return new GoObject('*chart.Dependency', {
    fields,
    jsonFields: withoutEmpty(fields, 'name', 'repository'),
  });
}

const jsonNames: Readonly<Record<string, string>> = {
  APIVersion: 'apiVersion',
  URL: 'url',
  ImportValues: 'import-values',
};

/**
 * Returns the fields that encoding/json writes of a struct of Helm's package chart.
 *
 * @param required - JSON names of the fields that it writes although they are empty
 */
function withoutEmpty(
  fields: ReadonlyMap<string, Value>,
  ...required: readonly string[]
): ReadonlyMap<string, Value> {
  const json = new Map<string, Value>();
  for (const [name, value] of fields) {
    const jsonName = jsonNames[name] ?? name.charAt(0).toLowerCase() + name.slice(1);
    const isEmpty =
      value === '' || value === false || listItems(value)?.length === 0 || mapEntries(value)?.size === 0;
    if (!isEmpty || required.includes(jsonName)) json.set(jsonName, value);
  }
  return json;
}

function fieldsOf(fields: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(fields));
}

/** Go has nil for a list that Chart.yaml leaves out. */
function presentItems<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

function textsOf(items: readonly string[] | undefined): TypedList {
  return listOf('[]string', items);
}

function listOf(type: string, items: readonly Value[] | undefined): TypedList {
  return new TypedList(type, items ?? [], items === undefined);
}
