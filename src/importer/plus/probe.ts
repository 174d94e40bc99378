import { call, literal, object, plain, unlessEmptyObject, type Expression } from '../code/expression.ts';
import type { Probe } from './manifests.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { enumValue, isExpressible, kplus, seconds, unlessDefault } from './field-code.ts';

/** Writes `kplus.Probe.fromHttpGet(…)` and similar calls; undefined if `Probe` cannot express it. */
export function probe(settings: Probe, scope: WorkloadScope): Expression | undefined {
  const options = {
    failureThreshold: unlessDefault(settings.failureThreshold, 3),
    initialDelaySeconds: seconds(settings.initialDelaySeconds),
    periodSeconds: seconds(settings.periodSeconds),
    successThreshold: unlessDefault(settings.successThreshold),
    timeoutSeconds: seconds(settings.timeoutSeconds),
  };
  const from = (method: string, ...args: readonly (Expression | undefined)[]) =>
    call(kplus('Probe'), method, ...args);
  const { exec, httpGet, tcpSocket } = settings;
  if (exec?.command !== undefined) {
    const command = plain(exec.command, undefined, (text) => scope.text(text));
    return from('fromCommand', command, unlessEmptyObject(object(options)));
  }
  // the construct accepts port numbers only
  const port = (httpGet ?? tcpSocket)?.port;
  if (typeof port !== 'number') return undefined;
  if (httpGet === undefined) return from('fromTcpSocket', object({ port: literal(port), ...options }));
  const scheme = enumValue('ConnectionScheme', { HTTP: 'HTTP', HTTPS: 'HTTPS' }, httpGet.scheme, 'HTTP');
  if (!isExpressible(scheme) || httpGet.path === undefined) return undefined;
  return from('fromHttpGet', scope.text(httpGet.path), object({ port: literal(port), scheme, ...options }));
}
