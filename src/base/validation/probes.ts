import { forbidden, invalid, invalidEach, notSupported, required, type FieldFault } from './field-fault.ts';
import type { Struct } from './struct.ts';
import { negativeFaults, portFaults } from './values.ts';

/** As validateLivenessProbe, validateReadinessProbe, validateStartupProbe and validateLifecycle, for one container. */
export function probeFaults(container: Struct): readonly FieldFault[] {
  const lifecycle = container.struct('lifecycle');
  return [
    ...['postStart', 'preStop'].flatMap((name) => {
      const handler = lifecycle?.struct(name);
      return handler === undefined ? [] : handlerFaults(handler, []);
    }),
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
      const probe = container.struct(name);
      return probe === undefined ? [] : [...faultsOf(probe), ...kindFaults(name, probe)];
    }),
  ];
}

const numbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

/** As validateProbe, without the grace period. */
function faultsOf(probe: Struct): readonly FieldFault[] {
  return [
    ...handlerFaults(probe, [...numbers, 'terminationGracePeriodSeconds']),
    ...numbers.flatMap((name) => negativeFaults(probe.at(name), probe.integer(name))),
  ];
}

function kindFaults(name: string, probe: Struct): readonly FieldFault[] {
  if (name === 'readinessProbe') return [];
  // zero becomes the default, 1
  const threshold = probe.integer('successThreshold') ?? 0;
  return threshold === 0 || threshold === 1
    ? []
    : [invalid(probe.at('successThreshold'), threshold, 'must be 1')];
}

/** The handlers in the order in which the API server looks at them. */
const handlers: Readonly<Record<string, (handler: Struct) => readonly FieldFault[]>> = {
  exec: (exec) => (exec.texts('command').length === 0 ? [required(exec.at('command'))] : []),
  httpGet: httpFaults,
  tcpSocket: (socket) => portFaults(socket.at('port'), socket.value('port')),
  grpc: (grpc) => portFaults(grpc.at('port'), grpc.value('port')),
  // its limit is the grace period of the pod
  sleep: () => [],
};

/** As validateHandler. */
function handlerFaults(handler: Struct, others: readonly string[]): readonly FieldFault[] {
  const [first, ...more] = Object.keys(handlers).filter((name) => handler.has(name));
  if (first === undefined) {
    // later releases can have more handlers
    const isUnknown = Object.keys(handler.fields).some((name) => !others.includes(name) && handler.has(name));
    return isUnknown ? [] : [required(handler.field, 'must specify a handler type')];
  }
  return [
    ...(handlers[first]?.(handler.embedded(first)) ?? []),
    ...more.map((name) => forbidden(handler.at(name), 'may not specify more than 1 handler type')),
  ];
}

const schemes = ['HTTP', 'HTTPS'];

/** As validateHTTPGetAction. An absent path is `/`. */
function httpFaults(http: Struct): readonly FieldFault[] {
  const scheme = http.text('scheme');
  return [
    ...portFaults(http.at('port'), http.value('port')),
    ...(scheme === '' || schemes.includes(scheme) ? [] : [notSupported(http.at('scheme'), scheme, schemes)]),
    ...http.structs('httpHeaders').flatMap((header) => {
      const name = header.text('name');
      return invalidEach(http.at('httpHeaders'), name, /^[-A-Za-z0-9]+$/.test(name) ? [] : [wrongHeader]);
    }),
  ];
}

const wrongHeader =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
