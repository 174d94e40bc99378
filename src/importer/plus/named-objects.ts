import { call, name, type Expression } from '../code/expression.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { kplus } from './field-code.ts';

/** Returns the Secret: that of the workload, or one that exists elsewhere. */
export function secretOf(secretName: string, scope: WorkloadScope): Expression {
  return localOrReference('Secret', 'secret', secretName, scope);
}

/** Returns the ConfigMap: that of the workload, or one that exists elsewhere. */
export function configMapOf(configMapName: string, scope: WorkloadScope): Expression {
  return localOrReference('ConfigMap', 'config-map', configMapName, scope);
}

/** Returns the ServiceAccount: that of the workload, or one that exists elsewhere. */
export function serviceAccountOf(accountName: string, scope: WorkloadScope): Expression {
  return localOrReference('ServiceAccount', 'account', accountName, scope);
}

function localOrReference(kind: string, word: string, objectName: string, scope: WorkloadScope): Expression {
  const local = scope.construct(`v1/${kind}`, scope.namespace, objectName);
  if (local !== undefined) return local;
  const id = scope.takeId(objectName, `${objectName}-${word}`);
  return call(kplus(kind), `from${kind}Name`, name('scope'), id, scope.text(objectName));
}
