import { goJson, type GoJsonObject } from '../../../src/base/json/go-json.ts';
import type { RenderedManifest, RenderInput } from '../../../src/engines/charts/index.ts';
import { loadChart, renderChart, readYaml, asJson } from '../../../src/engines/charts/index.ts';
import { ChartError } from '../../../src/engines/charts/chart-fault.ts';
import { fittingDefinition } from '../../../src/compiler/render/sources/large-definition.ts';
import { releaseObjects } from '../../../src/compiler/render/sources/release-objects.ts';
import { wellFormed } from '../../engines/charts/execute.ts';
import type { ReleaseAnswer, ReleaseRequest } from '../go-releases.ts';
import type { GeneratedRelease } from './random-release.ts';

/** What an engine makes of a release, in a form that can be compared. */
export interface ReleaseOutcome {
  /** The texts of the templates below the names of their files, sorted; or why the chart cannot be rendered. */
  readonly texts: readonly string[] | string;
  /** What an installation creates; undefined if the output is not valid. */
  readonly installation: InstalledObjects | undefined;
}

/** What an installation creates. */
interface InstalledObjects {
  /** The objects in their order. */
  readonly created: readonly unknown[];
  /** The hooks, sorted. */
  readonly hooks: readonly string[];
}

/** Returns the request to the Go program for a release. */
export function requestFor({
  files,
  values,
  release,
  namespace,
  kubeVersion,
}: GeneratedRelease): ReleaseRequest {
  return {
    release: {
      files: Object.fromEntries(
        Array.from(files, ([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
      ),
      values,
      release,
      namespace,
      kubeVersion,
      install: true,
    },
  };
}

/** Returns what Helm makes of a release. */
export function helmOutcome({ files = {}, error, installation }: ReleaseAnswer): ReleaseOutcome {
  return {
    texts: error === undefined ? named(Object.entries(files)) : comparableMessage(error),
    installation: installation && {
      // FW6052: Helm sends definitions as they are
      created: withoutRepeated(
        (installation.created as readonly (GoJsonObject & NamedObject)[]).map(
          (each) => fittingDefinition(each) as GoJsonObject & NamedObject,
        ),
      ),
      hooks: installation.hooks
        .map(({ kind, name, events, weight }) => hookWords(kind, name, events, weight))
        .toSorted(),
    },
  };
}

/** Returns what our engine makes of a release. */
export function ourOutcome(generated: GeneratedRelease, apiVersions: readonly string[]): ReleaseOutcome {
  const { files, values, release, namespace, kubeVersion } = generated;
  const { chart, faults } = loadChart(files, { rules: 'helm' });
  if (chart === undefined)
    return { texts: comparableMessage(faults[0]?.message ?? ''), installation: undefined };
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(kubeVersion) ?? [];
  const read = asJson(readYaml(values));
  const input: RenderInput = {
    values: read instanceof Map ? read : {},
    release: { name: release, namespace, revision: 1, isInstall: true },
    capabilities: {
      kubeVersion: { version: kubeVersion, major, minor },
      apiVersions,
      helmVersion: { version: 'v3.19', goVersion: '' },
    },
  };
  try {
    const { texts } = chart.program.renderTexts(input);
    const output = named(texts.map(({ file, text }) => [file, wellFormed(text)]));
    const { manifests, faults: found } = renderChart(chart, input);
    const isInvalid = found.some(({ code }) => code !== 'FW6034' && code !== 'FW6033');
    return { texts: output, installation: isInvalid ? undefined : installed(manifests, namespace) };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const message = error.faults.map((fault) => fault.message).join('\n');
    return { texts: comparableMessage(wellFormed(message)), installation: undefined };
  }
}

/** Helm prints the places where values do not match a schema in an order that is random, below the names of charts. */
function comparableMessage(message: string): string {
  const places = [...message.matchAll(/at '.*?': .*/g)].map(([text]) => text);
  return places.length === 0 ? message : places.toSorted().join('\n');
}

/** Of a chart with an alias, Helm's paths have the alias and ours the folder. */
function named(texts: readonly (readonly [name: string, text: string])[]): string[] {
  return texts.map(([name, text]) => `${name.replace(/^.*\//, '')}\n${text}`).toSorted();
}

function installed(manifests: readonly RenderedManifest[], namespace: string): InstalledObjects {
  const { objects } = releaseObjects(manifests, { namespace, scopes: new Map() });
  return {
    created: objects
      .map(({ object }) => JSON.parse(goJson(object)) as NamedObject)
      .filter((object) => isInstalled(object)),
    hooks: manifests
      .flatMap(({ kind, object, hook }) =>
        hook === undefined || hook.events.length === 0
          ? []
          : hookWords(
              kind,
              (object as unknown as NamedObject).metadata?.name ?? '',
              hook.events,
              hook.weight,
            ),
      )
      .toSorted(),
  };
}

interface NamedObject {
  readonly kind: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, unknown>>;
  };
}

/** Hooks of an upgrade or a deletion are objects of a work as well, and an installation does not create them. */
function isInstalled({ metadata }: NamedObject): boolean {
  const hook = metadata?.annotations?.['helm.sh/hook'];
  return typeof hook !== 'string' || /(?:pre|post)-install/i.test(hook);
}

/** Helm creates a hook once for each of its events, and a work has it once. */
function withoutRepeated(objects: readonly NamedObject[]): NamedObject[] {
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()];
}

function hookWords(kind: string, name: string, events: readonly string[], weight: number): string {
  return `${kind} ${name}: ${events.join(',')} ${weight}`;
}
