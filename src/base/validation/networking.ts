import { dnsSubdomainErrors } from '../names/name-errors.ts';
import {
  Field,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  ofNew,
  required,
  tooLong,
  type FieldFault,
} from './field-fault.ts';
import { selectorFaults } from './labels.ts';
import { serviceNameErrors } from './metadata.ts';
import type { Struct } from './struct.ts';
import {
  pathSegmentErrors,
  portFaults,
  portNameErrors,
  portNumberFaults,
  unsupported,
  wildcardErrors,
} from './values.ts';

/** As ValidateIngressCreate. */
export function ingressFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const backend = spec.struct('defaultBackend');
  const rules = spec.structs('rules');
  const className = spec.text('ingressClassName');
  return [
    ...(rules.length === 0 && backend === undefined
      ? [invalid(spec.field, spec.value('rules'), 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...(backend === undefined ? [] : backendFaults(backend)),
    ...rules.flatMap(ruleFaults),
    ...spec.structs('tls').flatMap(tlsFaults),
    ...(spec.has('ingressClassName')
      ? invalidEach(spec.at('ingressClassName'), className, dnsSubdomainErrors(className))
      : []),
    ...classFaults(object, spec),
  ];
}

const classAnnotation = 'kubernetes.io/ingress.class';

/** As ValidateIngressCreate. */
function classFaults(object: Struct, spec: Struct): readonly FieldFault[] {
  const annotation = object.embedded('metadata').textMap('annotations').get(classAnnotation);
  if (annotation === undefined || !spec.has('ingressClassName')) return [];
  if (annotation === spec.text('ingressClassName')) return [];
  // the API server prints the path without `metadata`
  const field = Field.root.child(`annotations.${classAnnotation}`, [
    'metadata',
    'annotations',
    classAnnotation,
  ]);
  return ofNew([invalid(field, annotation, 'must match `ingressClassName` when both are specified')]);
}

function ruleFaults(rule: Struct): readonly FieldFault[] {
  const http = rule.struct('http');
  const paths = http?.structs('paths') ?? [];
  return [
    ...hostFaults(rule.text('host'), rule.at('host')),
    ...(http !== undefined && paths.length === 0 ? [required(http.at('paths'))] : []),
    ...paths.flatMap(pathFaults),
  ];
}

function hostFaults(host: string, field: Field): readonly FieldFault[] {
  if (host === '') return [];
  return [
    ...(/^\d+\.\d+\.\d+\.\d+$/.test(host) && host.split('.').every((part) => Number(part) <= 255)
      ? [invalid(field, host, 'must be a DNS name, not an IP address')]
      : []),
    ...nameOrWildcardFaults(host, field),
  ];
}

function nameOrWildcardFaults(host: string, field: Field): readonly FieldFault[] {
  return invalidEach(field, host, host.includes('*') ? wildcardErrors(host) : dnsSubdomainErrors(host));
}

function tlsFaults(tls: Struct): readonly FieldFault[] {
  const secret = tls.text('secretName');
  const hosts = tls.at('hosts');
  return [
    ...tls.texts('hosts').flatMap((host, index) => nameOrWildcardFaults(host, hosts.index(index))),
    ...(secret === '' ? [] : invalidEach(tls.at('secretName'), secret, dnsSubdomainErrors(secret))),
  ];
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

/** As validateHTTPIngressPath. */
function pathFaults(entry: Struct): readonly FieldFault[] {
  if (!entry.has('pathType')) return [required(entry.at('pathType'), 'pathType must be specified')];
  const [type, path] = [entry.text('pathType'), entry.text('path')];
  const field = entry.at('path');
  const isAbsolute = path.startsWith('/') || (type === 'ImplementationSpecific' && path === '');
  return [
    ...(pathTypes.includes(type) ? [] : [notSupported(entry.at('pathType'), type, pathTypes)]),
    ...(isAbsolute || !pathTypes.includes(type) ? [] : [invalid(field, path, 'must be an absolute path')]),
    ...(type === 'Exact' || type === 'Prefix'
      ? [
          ...['//', '/./', '/../', '%2f', '%2F']
            .filter((part) => path.includes(part))
            .map((part) => invalid(field, path, `must not contain '${part}'`)),
          ...['/..', '/.']
            .filter((end) => path.endsWith(end))
            .map((end) => invalid(field, path, `cannot end with '${end}'`)),
        ]
      : []),
    ...backendFaults(entry.embedded('backend')),
  ];
}

/** As validateIngressBackend. */
function backendFaults(backend: Struct): readonly FieldFault[] {
  const [service, resource] = [backend.struct('service'), backend.struct('resource')];
  if (service !== undefined && resource !== undefined)
    return [invalid(backend.field, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return resourceFaults(resource);
  if (service === undefined) return [invalid(backend.field, '', 'resource or service backend is required')];
  const name = service.text('name');
  const nameField = service.at('name');
  return [
    ...(name === '' ? [required(nameField)] : invalidEach(nameField, name, serviceNameErrors(name))),
    ...backendPortFaults(service.embedded('port'), backend.field),
  ];
}

function backendPortFaults(port: Struct, backend: Field): readonly FieldFault[] {
  const [name, number] = [port.text('name'), port.integer('number') ?? 0];
  if (name !== '' && number !== 0) return [invalid(backend, '', 'cannot set both port name & port number')];
  if (name !== '') return invalidEach(port.at('name'), name, portNameErrors(name));
  return number === 0
    ? [required(backend, 'port name or number is required')]
    : portNumberFaults(port.at('number'), number);
}

/** As validateIngressTypedLocalObjectReference, without the group. */
function resourceFaults(reference: Struct): readonly FieldFault[] {
  return ['kind', 'name'].flatMap((part) => {
    const text = reference.text(part);
    const field = reference.at(part);
    return text === '' ? [required(field)] : invalidEach(field, text, pathSegmentErrors(text));
  });
}

/** As ValidateIngressClass: the controller. Its parameters are not checked. */
export function ingressClassFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const controller = spec.text('controller');
  const field = spec.at('controller');
  if (controller === '') return [required(field)];
  const [host = '', ...rest] = controller.split('/');
  const path = rest.join('/');
  const tooLarge = controller.length > 250 ? [tooLong(field, 250)] : [];
  if (host === '' || path === '')
    return [
      ...tooLarge,
      invalid(field, controller, 'must be a domain-prefixed path (such as "acme.io/foo")'),
    ];
  return [...tooLarge, ...invalidEach(field, host, dnsSubdomainErrors(host))];
}

/** As ValidateNetworkPolicySpec. Blocks of addresses are not checked. */
export function networkPolicyFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const types = spec.texts('policyTypes');
  const field = spec.at('policyTypes');
  return [
    ...selectorFaults(spec.struct('podSelector')),
    ...spec
      .structs('ingress')
      .flatMap((rule) => [
        ...rule.structs('ports').flatMap(policyPortFaults),
        ...rule.structs('from').flatMap(peerFaults),
      ]),
    ...spec
      .structs('egress')
      .flatMap((rule) => [
        ...rule.structs('ports').flatMap(policyPortFaults),
        ...rule.structs('to').flatMap(peerFaults),
      ]),
    ...(types.length > 2
      ? [invalid(field, types, 'may not specify more than two policyTypes')]
      : types.flatMap((type, index) =>
          type === 'Ingress' || type === 'Egress'
            ? []
            : [notSupported(field.index(index), type, ['Ingress', 'Egress'])],
        )),
  ];
}

/** As ValidateNetworkPolicyPort. */
function policyPortFaults(port: Struct): readonly FieldFault[] {
  const [number, end] = [port.value('port'), port.integer('endPort')];
  const field = port.at('endPort');
  const protocolFaults = unsupported(port, 'protocol', ['TCP', 'UDP', 'SCTP']);
  if (number === undefined)
    return end === undefined
      ? protocolFaults
      : [...protocolFaults, invalid(field, end, 'may not be specified when `port` is not specified')];
  const faults = [...protocolFaults, ...portFaults(port.at('port'), number)];
  if (end === undefined) return faults;
  if (typeof number === 'string')
    return [...faults, invalid(field, end, 'may not be specified when `port` is non-numeric')];
  return [
    ...faults,
    ...(end < Number(number) ? [invalid(field, number, 'must be greater than or equal to `port`')] : []),
    ...portNumberFaults(field, end),
  ];
}

/** As ValidateNetworkPolicyPeer. */
function peerFaults(peer: Struct): readonly FieldFault[] {
  const [pods, namespaces, block] = ['podSelector', 'namespaceSelector', 'ipBlock'].map((name) =>
    peer.struct(name),
  );
  const faults = [...selectorFaults(pods), ...selectorFaults(namespaces)];
  if (block === undefined)
    return pods === undefined && namespaces === undefined
      ? [required(peer.field, 'must specify a peer')]
      : faults;
  return [
    ...faults,
    ...(block.text('cidr') === '' ? [required(block.at('cidr'))] : []),
    ...(pods !== undefined || namespaces !== undefined
      ? [forbidden(peer.field, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}
