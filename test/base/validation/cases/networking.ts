import { namespaced, type Table } from './table.ts';

const service: Table = {
  object: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: namespaced('case-service'),
    spec: { selector: { app: 'case' }, ports: [{ port: 80 }] },
  },
  accepted: {
    'two ports with names': {
      'spec.ports': [
        { name: 'http', port: 80, targetPort: 'web' },
        { name: 'https', port: 443, targetPort: 0 },
      ],
    },
    'a port in two protocols': {
      'spec.ports': [
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53 },
      ],
    },
    'no ports without an address': { 'spec.clusterIP': 'None', 'spec.ports': undefined },
    'an external name': { spec: { type: 'ExternalName', externalName: 'example.com.' } },
    'a time of no affinity': { 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 60 } } },
    'affinity with a default': { 'spec.sessionAffinity': 'ClientIP' },
    'a load balancer with its traffic policy': {
      'spec.type': 'LoadBalancer',
      'spec.externalTrafficPolicy': 'Cluster',
    },
  },
  refused: {
    'no ports': [{ 'spec.ports': [] }, 'spec.ports: Required value'],
    'a port out of range': [
      { 'spec.ports': [{ port: 70000 }] },
      'spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    'a port without a number': [
      { 'spec.ports': [{ name: 'http' }] },
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
    'two ports without names': [
      { 'spec.ports': [{ port: 80 }, { port: 81 }] },
      'spec.ports[0].name: Required value',
      'spec.ports[1].name: Required value',
    ],
    'a port name twice': [
      {
        'spec.ports': [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
      },
      'spec.ports[1].name: Duplicate value: "a"',
    ],
    'a port name in capitals': [
      { 'spec.ports': [{ name: 'HTTP', port: 80 }] },
      "spec.ports[0].name: Invalid value: \"HTTP\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    'a port twice': [
      {
        'spec.ports': [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      },
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
    ],
    'a protocol in lower case': [
      { 'spec.ports': [{ port: 80, protocol: 'tcp' }] },
      'spec.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
    ],
    'a target with a blank': [
      { 'spec.ports': [{ port: 80, targetPort: 'a b' }] },
      'spec.ports[0].targetPort: Invalid value: "a b": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ],
    'a node port of type ClusterIP': [
      { 'spec.ports': [{ port: 80, nodePort: 30080 }] },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ],
    'an unknown type': [
      { 'spec.type': 'Internal' },
      'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    'a selector with a blank': [
      { 'spec.selector.app': 'a b' },
      "spec.selector: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    'an external name that is missing': [
      { spec: { type: 'ExternalName' } },
      'spec.externalName: Required value',
    ],
    'an external name with a blank': [
      { spec: { type: 'ExternalName', externalName: 'a b' } },
      "spec.externalName: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    'a load balancer without an address': [
      { 'spec.type': 'LoadBalancer', 'spec.clusterIP': 'None' },
      'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for LoadBalancer services',
    ],
    'an unknown affinity': [
      { 'spec.sessionAffinity': 'Cookie' },
      'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
    ],
    'an affinity of no time': [
      {
        'spec.sessionAffinity': 'ClientIP',
        'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 0 } },
      },
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
    ],
    'a class without a load balancer': [
      { 'spec.loadBalancerClass': 'example.com/a' },
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
    ],
    'source ranges without a load balancer': [
      { 'spec.loadBalancerSourceRanges': ['10.0.0.0/8'] },
      "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
    ],
    'an external traffic policy without access': [
      { 'spec.externalTrafficPolicy': 'Local' },
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
    'a health check without a load balancer': [
      { 'spec.healthCheckNodePort': 30090 },
      "spec.healthCheckNodePort: Invalid value: 30090: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
    'an unknown internal traffic policy': [
      { 'spec.internalTrafficPolicy': 'Nearby' },
      'spec.internalTrafficPolicy: Unsupported value: "Nearby": supported values: "Cluster", "Local"',
    ],
    'a name with a dot': [
      { 'metadata.name': 'a.b' },
      "metadata.name: Invalid value: \"a.b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
  },
};

const backend = { service: { name: 'case', port: { number: 80 } } };

const ingress: Table = {
  object: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: namespaced('case-ingress'),
    spec: {
      rules: [{ host: 'case.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  },
  accepted: {
    'only a default': { spec: { defaultBackend: backend } },
    'a host with a star': { 'spec.rules.0.host': '*.example.com' },
    'no path of a controller': {
      'spec.rules.0.http.paths': [{ pathType: 'ImplementationSpecific', backend }],
    },
    certificates: { 'spec.tls': [{ hosts: ['case.example.com', '*.example.com'], secretName: 'case' }] },
    'a resource': {
      'spec.rules.0.http.paths.0.backend': {
        resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'a' },
      },
    },
    'rules without paths': { 'spec.rules': [{ host: 'case.example.com' }] },
    'a class in both places': {
      'metadata.annotations': { 'kubernetes.io/ingress.class': 'nginx' },
      'spec.ingressClassName': 'nginx',
    },
  },
  refused: {
    'neither rules nor a default': [
      { spec: {} },
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ],
    'a path without a slash': [
      { 'spec.rules.0.http.paths.0.path': 'a' },
      'spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path',
    ],
    'no path of a prefix': [
      { 'spec.rules.0.http.paths.0.path': undefined },
      'spec.rules[0].http.paths[0].path: Invalid value: "": must be an absolute path',
    ],
    'a path with two slashes': [
      { 'spec.rules.0.http.paths.0.path': '/a//b' },
      'spec.rules[0].http.paths[0].path: Invalid value: "/a//b": must not contain \'//\'',
    ],
    'a path without a type': [
      { 'spec.rules.0.http.paths.0.pathType': undefined },
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ],
    'a path with an unknown type': [
      { 'spec.rules.0.http.paths.0.pathType': 'Regex' },
      'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ],
    'no paths': [{ 'spec.rules.0.http': { paths: [] } }, 'spec.rules[0].http.paths: Required value'],
    'no backend': [
      { 'spec.rules.0.http.paths.0.backend': undefined },
      'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
    ],
    'a backend without a port': [
      { 'spec.rules.0.http.paths.0.backend.service': { name: 'case' } },
      'spec.rules[0].http.paths[0].backend: Required value: port name or number is required',
    ],
    'a backend without a name': [
      { 'spec.rules.0.http.paths.0.backend.service': { port: { number: 80 } } },
      'spec.rules[0].http.paths[0].backend.service.name: Required value',
    ],
    'a backend with two ports': [
      { 'spec.rules.0.http.paths.0.backend.service.port': { number: 80, name: 'http' } },
      'spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number',
    ],
    'an address as host': [
      { 'spec.rules.0.host': '10.0.0.1' },
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ],
    'a host with a port': [
      { 'spec.rules.0.host': 'case.example.com:80' },
      "spec.rules[0].host: Invalid value: \"case.example.com:80\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    'a star inside of a host': [
      { 'spec.rules.0.host': 'a.*.example.com' },
      "spec.rules[0].host: Invalid value: \"a.*.example.com\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    'another class in the annotation': [
      {
        'metadata.annotations': { 'kubernetes.io/ingress.class': 'nginx' },
        'spec.ingressClassName': 'other',
      },
      'annotations.kubernetes.io/ingress.class: Invalid value: "nginx": must match `ingressClassName` when both are specified',
    ],
    'a Secret with a blank': [
      { 'spec.tls': [{ secretName: 'a b' }] },
      "spec.tls[0].secretName: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  },
};

const ingressClass: Table = {
  object: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'case-ingress-class' },
    spec: { controller: 'example.com/controller' },
  },
  accepted: {},
  refused: {
    'no controller': [{ 'spec.controller': undefined }, 'spec.controller: Required value'],
    'a controller without a domain': [
      { 'spec.controller': 'controller' },
      'spec.controller: Invalid value: "controller": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
  },
};

const networkPolicy: Table = {
  object: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: namespaced('case-network-policy'),
    spec: { podSelector: {} },
  },
  accepted: {
    rules: {
      'spec.policyTypes': ['Ingress', 'Egress'],
      'spec.ingress': [
        { from: [{ podSelector: {}, namespaceSelector: {} }], ports: [{ port: 80, endPort: 90 }] },
      ],
      'spec.egress': [
        { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ protocol: 'UDP', port: 'dns' }] },
      ],
    },
  },
  refused: {
    'a rule without a peer': [
      { 'spec.ingress': [{ from: [{}] }] },
      'spec.ingress[0].from[0]: Required value: must specify a peer',
    ],
    'a block beside a selector': [
      { 'spec.egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }] }] },
      'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    'a block without addresses': [
      { 'spec.egress': [{ to: [{ ipBlock: {} }] }] },
      'spec.egress[0].to[0].ipBlock.cidr: Required value',
    ],
    'an end before the beginning': [
      { 'spec.ingress': [{ ports: [{ port: 80, endPort: 79 }] }] },
      'spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`',
    ],
    'an end of a name': [
      { 'spec.ingress': [{ ports: [{ port: 'http', endPort: 80 }] }] },
      'spec.ingress[0].ports[0].endPort: Invalid value: 80: may not be specified when `port` is non-numeric',
    ],
    'an unknown protocol': [
      { 'spec.ingress': [{ ports: [{ protocol: 'HTTP' }] }] },
      'spec.ingress[0].ports[0].protocol: Unsupported value: "HTTP": supported values: "TCP", "UDP", "SCTP"',
    ],
    'an unknown type': [
      { 'spec.policyTypes': ['ingress'] },
      'spec.policyTypes[0]: Unsupported value: "ingress": supported values: "Ingress", "Egress"',
    ],
    'a selector without values': [
      { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      "spec.podSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  },
};

export const networkingTables: readonly Table[] = [service, ingress, ingressClass, networkPolicy];
