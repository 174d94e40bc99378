import { createHash } from 'node:crypto';
import { goJson } from '../../base/json/go-json.ts';
import { ChartError } from './chart-fault.ts';
import type { ChartDependency } from './chart.ts';
import { loadRoot } from './load-chart.ts';
import type { Value } from '../gotemplate/index.ts';
import { asJson } from './yaml/read.ts';

/** A dependency as Chart.lock has it. */
export interface LockedDependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
}

/**
 * Whether the digest of a Chart.lock is that of the dependencies in Chart.yaml, as `helm dependency build` requires. Also accepts the digests
 * of Helm 2, which only charts of apiVersion v1 have. True for a chart that cannot be loaded: that is reported when it is rendered.
 */
export function isLockCurrent(
  files: ReadonlyMap<string, Uint8Array>,
  locked: readonly LockedDependency[],
  digest: string,
): boolean {
  try {
    const { metadata } = loadRoot(files, 'helm').root;
    const required = (metadata.dependencies ?? []).map(requiredJson);
    const both = `[[${required.join()}],[${locked.map(lockedJson).join()}]]`;
    if (digest === digestOf(both)) return true;
    return metadata.apiVersion === 'v1' && digest === digestOf(`{"dependencies":[${required.join()}]}`);
  } catch (error) {
    if (error instanceof ChartError || error instanceof RangeError) return true;
    throw error;
  }
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Returns the text that Go writes for a dependency of Helm, whose fields are in this order. */
function requiredJson(dependency: ChartDependency): string {
  const { chart, version, repository, condition, tags, isEnabled, importValues, alias } = dependency;
  const fields: readonly (readonly [name: string, value: unknown, isPresent: boolean])[] = [
    ['name', chart, true],
    ['version', version, version !== ''],
    ['repository', repository, true],
    ['condition', condition, condition !== ''],
    ['tags', tags, tags.length > 0],
    ['enabled', true, isEnabled],
    ['import-values', importValues.map((value) => plain(asJson(value))), importValues.length > 0],
    ['alias', alias, alias !== ''],
  ];
  return `{${fields
    .filter(([, , isPresent]) => isPresent)
    .map(([name, value]) => `"${name}":${goJson(value)}`)
    .join()}}`;
}

function lockedJson({ name, version, repository }: LockedDependency): string {
  return `{"name":${goJson(name)},${version === '' ? '' : `"version":${goJson(version)},`}"repository":${goJson(repository)}}`;
}

function plain(value: Value): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? (value as readonly Value[]).map(plain) : value;
}
