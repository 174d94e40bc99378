import type { Diagnostic, ObjectReference } from '../compiler/diagnostic.ts';
import type { KubernetesObject } from '../schemas/object-meta.ts';

/** Where kustomize and kpt note from which file an item came; the second one is what older ones write. */
const pathAnnotations = ['internal.config.kubernetes.io/path', 'config.kubernetes.io/path'];
const indexAnnotations = ['internal.config.kubernetes.io/index', 'config.kubernetes.io/index'];

/** Findings as the `results` of a ResourceList, each with the item and the file that it is about. */
export function functionResults(
  diagnostics: readonly Diagnostic[],
  items: readonly KubernetesObject[],
): object[] {
  const byIdentity = new Map(items.map((item) => [identity(item.kind, item.metadata), item]));
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

function identity(kind: string, { namespace = '', name = '' }: Partial<ObjectReference>): string {
  return `${kind} ${namespace}/${name}`;
}

function itemFile({ metadata: { annotations = {} } }: KubernetesObject): object | undefined {
  const path = pathAnnotations.map((key) => annotations[key]).find((value) => value !== undefined);
  const index = indexAnnotations.map((key) => annotations[key]).find((value) => value !== undefined);
  if (path === undefined) return undefined;
  return { path, ...(index !== undefined && /^\d+$/.test(index) && { index: Number(index) }) };
}

function fileOf(location: Diagnostic['location']): object | undefined {
  if (location === undefined) return undefined;
  const file = 'file' in location ? location.file : location.source?.file;
  // Lines of standard input are those of a list that nobody wrote.
  return file === undefined || file === '<stdin>' ? undefined : { path: file };
}
