import { isVariableName } from '../compiler/check/templates/template-tag.ts';
import { diagnostic, type Diagnostic } from '../compiler/model/diagnostic.ts';
import { formatFieldPath, type FieldPath } from '../compiler/model/field-path.ts';
import { objectKey, referenceTo, type LoadedObject } from '../compiler/model/inventory.ts';
import { isJsonMap } from '../base/json/json-map.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { kindKey } from '../base/names/resource-name.ts';
import { hubKinds } from '../ocm/clusters/hub-kinds.ts';
import { isOnEveryCluster } from '../ocm/clusters/cluster-namespaces.ts';
import { defaultInstallNamespace } from '../ocm/install-namespace.ts';

/** Returns what prevents the hub from delivering objects unchanged, and what they need on the clusters. */
export function manifestFindings(
  workload: readonly LoadedObject[],
  isNamespaced: (object: KubernetesObject) => boolean,
): Diagnostic[] {
  const namespaces = new Set(
    workload.flatMap(({ object }) => (isNamespace(object) ? [object.metadata.name] : [])),
  );
  return [
    ...workload.flatMap((loaded) => [
      ...unsuitable(loaded),
      ...secretValues(loaded),
      ...braces(loaded),
      ...(isNamespaced(loaded.object) ? unnamedNamespace(loaded) : []),
    ]),
    ...missingNamespaces(workload, namespaces),
  ];
}

/** The kinds that each cluster writes itself, or that are requests and not stored. */
const kindsOfOneCluster: ReadonlySet<string> = new Set([
  '/Binding',
  '/ComponentStatus',
  '/Endpoints',
  '/Event',
  '/Node',
  'apps/ControllerRevision',
  'authentication.k8s.io/TokenRequest',
  'authentication.k8s.io/TokenReview',
  'authorization.k8s.io/LocalSubjectAccessReview',
  'authorization.k8s.io/SelfSubjectAccessReview',
  'authorization.k8s.io/SelfSubjectRulesReview',
  'authorization.k8s.io/SubjectAccessReview',
  'certificates.k8s.io/CertificateSigningRequest',
  'coordination.k8s.io/Lease',
  'discovery.k8s.io/EndpointSlice',
  'events.k8s.io/Event',
  'metrics.k8s.io/NodeMetrics',
  'metrics.k8s.io/PodMetrics',
]);

function* unsuitable({ object, origin }: LoadedObject): Iterable<Diagnostic> {
  const { kind, metadata } = object;
  const key = kindKey(object);
  const [owner] = metadata.ownerReferences ?? [];
  const report = (path: FieldPath, reason: string, hint: string): Diagnostic =>
    diagnostic('FW9094', {
      message: `a template cannot contain ${kind} "${metadata.name}": ${reason}`,
      object: referenceTo(object),
      path: formatFieldPath(path),
      location: origin.locate(path),
      hint,
    });
  const remove = 'remove the object from the input';
  if (hubKinds.has(key))
    yield report(['kind'], 'it is an object of the hub', `${remove}, or import it without --as-template`);
  else if (kindsOfOneCluster.has(key)) yield report(['kind'], 'each cluster writes it itself', remove);
  else if (key === '/ConfigMap' && metadata.name === 'kube-root-ca.crt')
    yield report(['metadata', 'name'], 'each cluster writes it itself', remove);
  else if (owner !== undefined)
    yield report(
      ['metadata', 'ownerReferences'],
      `${owner.kind} "${owner.name}" creates it`,
      `${remove}, and keep its owner`,
    );
}

/** Reports the keys of a Secret, never their values. */
function* secretValues({ object, origin }: LoadedObject): Iterable<Diagnostic> {
  if (kindKey(object) !== '/Secret') return;
  const keys = ['data', 'stringData'].flatMap((field) => {
    const values = object[field];
    return isJsonMap(values) ? Object.keys(values).filter((key) => !isEmpty(values[key])) : [];
  });
  if (keys.length === 0) return;
  const path = ['metadata', 'name'];
  yield diagnostic('FW9095', {
    message: `Secret "${object.metadata.name}" has values (${keys.join(', ')}), which everyone who reads Git, the template or a work could read`,
    object: referenceTo(object),
    path: formatFieldPath(path),
    location: origin.locate(path),
    hint: 'remove it from the input, and let each cluster fetch it, for example with External Secrets',
  });
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null;
}

/** The hub replaces each `{{…}}`, and has no way to escape it. Names of variables are left to `synth`, which knows their values. */
function* braces({ object, origin }: LoadedObject): Iterable<Diagnostic> {
  for (const { path, text } of stringsOf(object, [])) {
    const start = text.indexOf('{{');
    if (start < 0) continue;
    const literal = [...text.matchAll(/\{\{([^]*?)(?:\}\}|$)/g)].find(
      ([tag, name = '']) => !tag.endsWith('}}') || !isVariableName(name),
    );
    if (literal === undefined) continue;
    yield diagnostic('FW9096', {
      message: `the hub would replace "${shown(literal[0])}" in ${formatFieldPath(path)}: a template uses double braces for variables`,
      object: referenceTo(object),
      path: formatFieldPath(path),
      location: origin.locate(path),
      hint: 'double braces cannot be escaped: write {{NAME}}, and set NAME in customizedVariables of an AddOnDeploymentConfig; its value is inserted unchanged',
    });
  }
}

function shown(tag: string): string {
  const [line = ''] = tag.split('\n');
  return line.length > 60 || line !== tag ? `${line.slice(0, 60)}…` : tag;
}

/** Returns the texts of a value, and the keys, each with the path. */
function* stringsOf(value: unknown, path: FieldPath): Iterable<{ path: FieldPath; text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* stringsOf(item, [...path, index]);
  else if (isJsonMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key.includes('{{')) yield { path: [...path, key], text: key };
      yield* stringsOf(item, [...path, key]);
    }
  }
}

function* unnamedNamespace({ object, origin }: LoadedObject): Iterable<Diagnostic> {
  if (object.metadata.namespace !== undefined) return;
  yield diagnostic('FW9097', {
    message: `${object.kind} "${object.metadata.name}" has no namespace: the template puts it into ${defaultInstallNamespace}`,
    object: referenceTo(object),
    path: 'metadata.namespace',
    location: origin.locate(['metadata', 'name']),
    hint: 'set the namespace in the input if this is not the one',
  });
}

/** Reports each namespace without a manifest once, at its first object. */
function* missingNamespaces(
  workload: readonly LoadedObject[],
  namespaces: ReadonlySet<string | undefined>,
): Iterable<Diagnostic> {
  const reported = new Set<string>();
  for (const { object, origin } of workload) {
    const { name, namespace } = object.metadata;
    if (namespace === undefined || isOnEveryCluster(namespace)) continue;
    if (namespaces.has(namespace) || reported.has(namespace)) continue;
    reported.add(namespace);
    yield diagnostic('FW9099', {
      message: `${object.kind} "${objectKey(namespace, name ?? '')}" needs Namespace "${namespace}" on each cluster, and the input does not contain it`,
      object: referenceTo(object),
      path: 'metadata.namespace',
      location: origin.locate(['metadata', 'namespace']),
      hint: 'add the Namespace to the input, unless something else creates it on every cluster',
    });
  }
}

function isNamespace(object: KubernetesObject): boolean {
  return kindKey(object) === '/Namespace';
}
