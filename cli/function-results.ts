import type { Diagnostic } from '../compiler/diagnostic.ts';
import { isJsonMap, type JsonMap } from '../encoding/json-map.ts';

/** Where kustomize and kpt note from which file an item came; the second one is what older ones write. */
const pathAnnotations = ['internal.config.kubernetes.io/path', 'config.kubernetes.io/path'];
const indexAnnotations = ['internal.config.kubernetes.io/index', 'config.kubernetes.io/index'];

/** Findings as the `results` of a ResourceList, each with the item and the file that it is about. */
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

/** Items are as they were written: they may lack anything, and have other than text in place of a name. */
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
  // Lines of standard input are those of a list that nobody wrote.
  return file === undefined || file === '<stdin>' ? undefined : { path: file };
}
