import { call, create, object, unlessEmptyObject, type Expression } from '../code/expression.ts';
import { configMapOf, secretOf } from './named-objects.ts';
import type { EnvSource, EnvVariable } from './manifests.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { allOf, kplus, unlessDefault, type FieldCode } from './field-code.ts';

const fieldPaths: Readonly<Record<string, string>> = {
  'metadata.name': 'POD_NAME',
  'metadata.namespace': 'POD_NAMESPACE',
  'metadata.uid': 'POD_UID',
  'status.podIP': 'POD_IP',
  'spec.serviceAccountName': 'SERVICE_ACCOUNT_NAME',
  'spec.nodeName': 'NODE_NAME',
  'status.hostIP': 'NODE_IP',
  'status.podIPs': 'POD_IPS',
};

/** Returns the variables of a container, by name. */
export function envVariables(variables: readonly EnvVariable[], scope: WorkloadScope): FieldCode {
  const entries = variables.map((variable) => [variable.name, envValue(variable, scope)] as const);
  if (entries.some(([, value]) => value === undefined)) return 'inexpressible';
  return entries.length === 0 ? undefined : object(Object.fromEntries(entries));
}

function envValue({ value, valueFrom }: EnvVariable, scope: WorkloadScope): Expression | undefined {
  const from = (method: string, ...args: readonly (Expression | undefined)[]) =>
    call(kplus('EnvValue'), method, ...args);
  if (value !== undefined) return from('fromValue', scope.text(value));
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  if (fieldRef !== undefined) {
    const path = fieldPaths[fieldRef.fieldPath];
    return path === undefined ? undefined : from('fromFieldRef', kplus('EnvFieldPaths', path));
  }
  const options = (optional: boolean | undefined) =>
    unlessEmptyObject(object({ optional: unlessDefault(optional) }));
  if (configMapKeyRef?.name !== undefined) {
    const { name: source, key, optional } = configMapKeyRef;
    return from('fromConfigMap', configMapOf(source, scope), scope.text(key), options(optional));
  }
  if (secretKeyRef?.name === undefined) return undefined;
  const { name: source, key, optional } = secretKeyRef;
  const secret = object({ secret: secretOf(source, scope), key: scope.text(key) });
  return from('fromSecretValue', secret, options(optional));
}

function envSource(
  { prefix, configMapRef, secretRef }: EnvSource,
  scope: WorkloadScope,
): Expression | undefined {
  if (configMapRef?.name !== undefined) {
    const source = configMapOf(configMapRef.name, scope);
    return create(kplus('EnvFrom'), source, prefix === undefined ? undefined : scope.text(prefix));
  }
  if (secretRef?.name === undefined || prefix !== undefined) return undefined;
  return call(kplus('Env'), 'fromSecret', secretOf(secretRef.name, scope));
}

/** Returns the sources of a container's variables. */
export function envSources(sources: readonly EnvSource[] | undefined, scope: WorkloadScope): FieldCode {
  return allOf(sources, (source) => envSource(source, scope));
}
