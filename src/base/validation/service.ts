import { dnsLabelErrors, dnsSubdomainErrors } from '../names/name-errors.ts';
import { duplicate, forbidden, invalid, invalidEach, required, type FieldFault } from './field-fault.ts';
import { GoStruct } from './go-struct.ts';
import { labelFaults, labelKeyFaults } from './labels.ts';
import type { Struct } from './struct.ts';
import { portFaults, portNumberFaults, unsupported } from './values.ts';

/** As validateService. Addresses, their families and the allocation of ports are not checked: they depend on the cluster. */
export function serviceFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const type = spec.text('type') || 'ClusterIP';
  const isHeadless = spec.text('clusterIP') === 'None';
  const ports = spec.structs('ports');
  return [
    ...(ports.length === 0 && !isHeadless && type !== 'ExternalName' ? [required(spec.at('ports'))] : []),
    ...(isHeadless && (type === 'LoadBalancer' || type === 'NodePort')
      ? [
          invalid(
            // the API server copies the address into the list
            spec.field.child('clusterIPs[0]', ['clusterIP']),
            'None',
            `may not be set to 'None' for ${type} services`,
          ),
        ]
      : []),
    ...(type === 'ExternalName' ? externalNameFaults(spec) : []),
    ...portsFaults(ports, type),
    ...labelFaults(spec.textMap('selector'), spec.at('selector')),
    ...unsupported(spec, 'sessionAffinity', ['ClientIP', 'None']),
    ...affinityTimeoutFaults(spec),
    ...unsupported(spec, 'type', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...balancerFaults(spec, type),
    ...trafficFaults(spec, type),
  ];
}

/** The name may end with a dot. */
function externalNameFaults(spec: Struct): readonly FieldFault[] {
  const name = spec.text('externalName').replace(/\.$/, '');
  const field = spec.at('externalName');
  return name === '' ? [required(field)] : invalidEach(field, name, dnsSubdomainErrors(name));
}

function portsFaults(ports: readonly Struct[], type: string): readonly FieldFault[] {
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port) => {
    const protocol = port.text('protocol') || 'TCP';
    const number = port.integer('port') ?? 0;
    const key = `${protocol}/${number}`;
    const isTaken = numbers.has(key);
    numbers.add(key);
    return [
      ...portNameFaults(port, ports.length > 1, names),
      ...portNumberFaults(port.at('port'), number),
      ...unsupported(port, 'protocol', ['SCTP', 'TCP', 'UDP']),
      ...targetPortFaults(port),
      ...(port.has('appProtocol') ? labelKeyFaults(port.text('appProtocol'), port.at('appProtocol')) : []),
      ...(type === 'ClusterIP' && (port.integer('nodePort') ?? 0) !== 0
        ? [forbidden(port.at('nodePort'), "may not be used when `type` is 'ClusterIP'")]
        : []),
      ...(isTaken ? [duplicate(port.field, printedPort(protocol, number))] : []),
    ];
  });
}

/** As core.ServicePort. The API server prints only the part that it compares. */
function printedPort(protocol: string, port: number): GoStruct {
  return new GoStruct({
    Name: '',
    Protocol: protocol,
    AppProtocol: null,
    Port: port,
    TargetPort: 0,
    NodePort: 0,
  });
}

function portNameFaults(port: Struct, isRequired: boolean, names: Set<string>): readonly FieldFault[] {
  const name = port.text('name');
  const field = port.at('name');
  if (name === '') return isRequired ? [required(field)] : [];
  const isTaken = names.has(name);
  names.add(name);
  return [...invalidEach(field, name, dnsLabelErrors(name)), ...(isTaken ? [duplicate(field, name)] : [])];
}

/** An absent target, 0 or an empty text becomes the port. */
function targetPortFaults(port: Struct): readonly FieldFault[] {
  const target = port.value('targetPort');
  const isDefault = target === undefined || target === 0 || target === '';
  return portFaults(port.at('targetPort'), isDefault ? (port.integer('port') ?? 0) : target);
}

/** As validateClientIPAffinityConfig. An absent timeout has a default, and without affinity the API server removes it. */
function affinityTimeoutFaults(spec: Struct): readonly FieldFault[] {
  if (spec.text('sessionAffinity') !== 'ClientIP') return [];
  const client = spec.embedded('sessionAffinityConfig').embedded('clientIP');
  const timeout = client.integer('timeoutSeconds');
  if (timeout === undefined || (timeout > 0 && timeout <= 86_400)) return [];
  return [invalid(client.at('timeoutSeconds'), timeout, 'must be greater than 0 and less than 86400')];
}

/** The fields that only load balancers have. */
function balancerFaults(spec: Struct, type: string): readonly FieldFault[] {
  if (type === 'LoadBalancer') {
    const name = spec.text('loadBalancerClass');
    return spec.has('loadBalancerClass') ? labelKeyFaults(name, spec.at('loadBalancerClass')) : [];
  }
  const only = "may only be used when `type` is 'LoadBalancer'";
  const ranges = spec.field.child('LoadBalancerSourceRanges', ['loadBalancerSourceRanges']);
  return [
    ...(spec.texts('loadBalancerSourceRanges').length > 0 ? [forbidden(ranges, only)] : []),
    ...['allocateLoadBalancerNodePorts', 'loadBalancerClass']
      .filter((name) => spec.has(name))
      .map((name) => forbidden(spec.at(name), only)),
  ];
}

/** As validateServiceExternalTrafficPolicy and validateServiceInternalTrafficFieldsValue. */
function trafficFaults(spec: Struct, type: string): readonly FieldFault[] {
  const policy = spec.text('externalTrafficPolicy');
  const isExternal =
    type === 'LoadBalancer' ||
    type === 'NodePort' ||
    (type === 'ClusterIP' && spec.texts('externalIPs').length > 0);
  const healthPort = spec.integer('healthCheckNodePort') ?? 0;
  const needsHealthCheck = type === 'LoadBalancer' && policy === 'Local';
  return [
    ...(isExternal
      ? unsupported(spec, 'externalTrafficPolicy', ['Cluster', 'Local'])
      : policy === ''
        ? []
        : [
            invalid(
              spec.at('externalTrafficPolicy'),
              policy,
              'may only be set for externally-accessible services',
            ),
          ]),
    ...(healthPort !== 0 && !needsHealthCheck
      ? [
          invalid(
            spec.at('healthCheckNodePort'),
            healthPort,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          ),
        ]
      : []),
    ...unsupported(spec, 'internalTrafficPolicy', ['Cluster', 'Local']),
  ];
}
