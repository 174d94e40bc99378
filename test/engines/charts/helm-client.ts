import { parseAllDocuments } from 'yaml';
import { loadChart, renderChart } from '../../../src/engines/charts/index.ts';
import { goJson } from '../../../src/base/json/go-json.ts';
import { nameOf } from '../../../src/base/objects/object-identity.ts';
import type { GoJsonObject } from '../../../src/base/json/go-json.ts';
import type { InstallAnswer, InstallCase } from './case.ts';

/** What a client makes of a chart, in a form that can be compared. */
export interface Release {
  /** The objects without hooks as JSON, sorted. */
  readonly objects?: readonly string[];
  /** Events, weight, kind and name of each hook, sorted. */
  readonly hooks?: readonly string[];
  readonly error?: string;
}

/** Returns what our engine makes of a chart by the rules of Helm. */
export function releaseOf({ install }: InstallCase): Release {
  const files = new Map(
    Object.entries(install.files).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
  );
  const { chart, faults } = loadChart(files, { rules: 'helm' });
  if (chart === undefined) return { error: faults[0]?.message ?? '' };
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(install.kubeVersion) ?? [];
  const { manifests, faults: found } = renderChart(chart, {
    values: install.values,
    release: { name: install.release, namespace: install.namespace, isInstall: true, revision: 1 },
    capabilities: {
      kubeVersion: { version: install.kubeVersion, major, minor },
      apiVersions: install.apiVersions,
      helmVersion: { version: 'v3.19', goVersion: '' },
    },
  });
  const error = found.find(({ code }) => !['FW6033', 'FW6034'].includes(code));
  if (error !== undefined) return { error: error.message };
  return {
    objects: manifests
      .filter(({ hook }) => hook === undefined)
      .map(({ object }) => goJson(object))
      .toSorted(),
    hooks: manifests
      .flatMap(({ hook, kind, object }) =>
        hook === undefined || hook.events.length === 0
          ? []
          : [`${hook.events.join(',')} ${String(hook.weight)} ${kind} ${nameOf(object)}`],
      )
      .toSorted(),
  };
}

/** Returns the answer of Helm's client. Its objects are those that its text contains. */
export function releaseOfHelm({ output, hooks = [], error }: InstallAnswer): Release {
  if (error !== undefined) return { error };
  return {
    objects: objectsIn(output ?? '')
      .map((object) => goJson(object))
      .toSorted(),
    hooks: hooks
      .map(({ events, weight, manifest }) => {
        const [object] = objectsIn(manifest);
        return `${events.join(',')} ${String(weight)} ${String(object?.['kind'])} ${object === undefined ? '' : nameOf(object)}`;
      })
      .toSorted(),
  };
}

function objectsIn(text: string): GoJsonObject[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  return (documents as { toJS(options: object): unknown }[])
    .map((document) => document.toJS({ maxAliasCount: -1 }) as GoJsonObject | null)
    .filter((object) => object !== null)
    .flatMap((object) => (Array.isArray(object['items']) ? (object['items'] as GoJsonObject[]) : [object]));
}
