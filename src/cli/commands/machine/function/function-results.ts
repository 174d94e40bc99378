import type { Diagnostic } from '../../../../compiler/index.ts';
import { isJsonMap, type JsonMap } from '../../../../base/json/json-map.ts';

/** The annotations in which kustomize and kpt record the file of an item; older releases write the second one. */
const pathAnnotations = ['internal.config.kubernetes.io/path', 'config.kubernetes.io/path'];
const indexAnnotations = ['internal.config.kubernetes.io/index', 'config.kubernetes.io/index'];

/** Returns findings as the `results` of a ResourceList, each with its item and file. */
export function functionResults(diagnostics: readonly Diagnostic[], items: readonly JsonMap[]): object[] {
  const byIdentity = new Map(items.map((item) => [identity(item['kind'], item['metadata']), item]));
  return diagnostics.map(({ code, severity, message, hint, object, path, location }) => {
    const item = object && byIdentity.get(identity(object.kind, object));
    const file = item === undefined ? fileOf(location) : itemFile(item);
    return {
      message: hint === undefined ? message : `${message} (${hint})`,
      severity,
      ...(object && { resourceRef: object }),
      ...(path !== undefined && path !== '' && { field: { path } }),
      ...(file && { file }),
      tags: { code },
    };
  });
}

/** Items are not validated: they may lack any field, and the name may have another type than string. */
function identity(kind: unknown, metadata: unknown): string {
  const { namespace, name } = isJsonMap(metadata) ? metadata : {};
  return [kind, namespace, name].map((value) => (typeof value === 'string' ? value : '')).join(' ');
}

function itemFile({ metadata }: JsonMap): object | undefined {
  const annotations = isJsonMap(metadata) ? metadata['annotations'] : undefined;
  const textOf = (keys: readonly string[]): string | undefined =>
    keys.map((key) => isJsonMap(annotations) && annotations[key]).find((value) => typeof value === 'string');
  const path = textOf(pathAnnotations);
  const index = textOf(indexAnnotations);
  if (path === undefined) return undefined;
  return { path, ...(index !== undefined && /^\d+$/.test(index) && { index: Number(index) }) };
}

function fileOf(location: Diagnostic['location']): object | undefined {
  if (location === undefined) return undefined;
  const file = 'file' in location ? location.file : location.source?.file;
  // Lines of standard input belong to a list that nobody wrote.
  return file === undefined || file === '<stdin>' ? undefined : { path: file };
}
