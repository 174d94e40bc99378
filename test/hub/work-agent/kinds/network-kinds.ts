import type { GeneratedKind } from './generated-kind.ts';

const address = (last: number): string => `10.1.0.${last}`;

/** Services and the network. */
export const networkKinds: readonly GeneratedKind[] = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    content: (random) => ({
      spec: {
        ports: [{ port: random.pick([80, 81] as const) }],
        ...random.pick([{}, {}, { clusterIP: 'None' }] as const),
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    content: (random) => ({
      subsets: [{ addresses: [{ ip: address(random.between(1, 2)) }], ports: [{ port: 80 }] }],
    }),
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    content: (random) => ({
      ...random.pick([
        { addressType: 'IPv4', endpoints: [{ addresses: [address(1)] }] },
        { addressType: 'IPv4', endpoints: [{ addresses: [address(2)] }] },
        { addressType: 'IPv4', endpoints: [{ addresses: [address(1)], conditions: {} }] },
        { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] },
      ] as const),
      ...random.pick([
        {},
        { ports: [{ port: 80 }] },
        { ports: [{ name: '', port: 80, protocol: 'TCP' }] },
      ] as const),
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    content: (random) => ({
      spec: {
        defaultBackend: { service: { name: random.pick(['a', 'b'] as const), port: { number: 80 } } },
        ...random.pick([{}, { ingressClassName: 'nginx' }] as const),
      },
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    content: (random) => ({
      spec: {
        podSelector: {},
        policyTypes: [random.pick(['Ingress', 'Egress'] as const)],
        ...random.pick([
          {},
          { ingress: [{ ports: [{ port: 80 }] }] },
          { ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }] },
        ] as const),
      },
    }),
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    isClusterScoped: true,
    content: (random) => ({ spec: { controller: random.pick(['a.com/x', 'a.com/y'] as const) } }),
  },
];
