import { namespaced, type Table } from './table.ts';

const container = { name: 'main', image: 'example.com/main:1' };

const podTemplate: Table = {
  object: {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: namespaced('case-pod-template'),
    template: { metadata: { labels: { app: 'case' } }, spec: { containers: [container] } },
  },
  accepted: {
    'a volume without a source': { 'template.spec.volumes': [{ name: 'a' }] },
    'ports with names and protocols': {
      'template.spec.containers.0.ports': [
        { name: 'http', containerPort: 80 },
        { name: 'dns', containerPort: 53, protocol: 'UDP', hostPort: 53 },
      ],
    },
    'the same port twice': {
      'template.spec.containers.0.ports': [{ containerPort: 80 }, { containerPort: 80 }],
    },
    'variables from everywhere': {
      'template.spec.containers.0.env': [
        { name: 'A.b-C', value: '' },
        { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
        { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        { name: 'MAP', valueFrom: { configMapKeyRef: { name: 'a', key: 'b.c', optional: true } } },
        { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
      ],
      'template.spec.containers.0.envFrom': [
        { prefix: 'X_', configMapRef: { name: 'a' } },
        { secretRef: { name: 'b' } },
      ],
    },
    'volumes of many kinds': {
      'template.spec.volumes': [
        { name: 'empty', emptyDir: { sizeLimit: '1Gi' } },
        { name: 'host', hostPath: { path: '/var/log', type: 'DirectoryOrCreate' } },
        { name: 'map', configMap: { name: 'a', defaultMode: 420, items: [{ key: 'a', path: 'b/c' }] } },
        { name: 'secret', secret: { secretName: 'a' } },
        { name: 'claim', persistentVolumeClaim: { claimName: 'a' } },
        { name: 'token', projected: { sources: [{ configMap: { name: 'a' } }] } },
        {
          name: 'fields',
          downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.labels' } }] },
        },
      ],
      'template.spec.containers.0.volumeMounts': [
        { name: 'empty', mountPath: '/empty', subPath: 'a/b' },
        { name: 'map', mountPath: '/map' },
      ],
    },
    'probes with defaults': {
      'template.spec.containers.0.livenessProbe': { httpGet: { port: 'http' } },
      'template.spec.containers.0.readinessProbe': { tcpSocket: { port: 80 }, successThreshold: 3 },
      'template.spec.containers.0.startupProbe': { exec: { command: ['true'] }, successThreshold: 0 },
    },
    'requests below limits': {
      'template.spec.containers.0.resources': {
        requests: { cpu: '100m', memory: 1024, 'example.com/gpu': '2' },
        limits: { cpu: 1, memory: '1Ki', 'example.com/gpu': 2 },
      },
    },
    'an init container with probes that restarts': {
      'template.spec.initContainers': [
        { ...container, name: 'side', restartPolicy: 'Always', livenessProbe: { tcpSocket: { port: 80 } } },
      ],
    },
    'tolerations and affinity': {
      'template.spec.tolerations': [
        { operator: 'Exists' },
        { key: 'a', value: 'b', effect: 'NoExecute', tolerationSeconds: 10 },
      ],
      'template.spec.affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'os', operator: 'In', values: ['linux'] }] }],
          },
        },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, podAffinityTerm: { topologyKey: 'zone', labelSelector: {} } },
          ],
        },
      },
      'template.spec.topologySpreadConstraints': [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' },
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    },
    'the host network, with the same ports': {
      'template.spec.hostNetwork': true,
      'template.spec.containers.0.ports': [{ containerPort: 80, hostPort: 80 }, { containerPort: 81 }],
    },
    'no name server': {
      'template.spec.dnsPolicy': 'None',
      'template.spec.dnsConfig': { nameservers: ['10.0.0.1'] },
    },
  },
  refused: {
    'a name in capitals': [
      { 'metadata.name': 'Case' },
      "metadata.name: Invalid value: \"Case\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    'a label value with a blank': [
      { 'metadata.labels': { app: 'a b' } },
      "metadata.labels: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    'a label key with two slashes': [
      { 'metadata.labels': { 'a/b/c': 'd' } },
      "metadata.labels: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ],
    'an annotation key with a blank': [
      { 'metadata.annotations': { 'a b': 'c' } },
      "metadata.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    'no containers': [{ 'template.spec.containers': [] }, 'template.spec.containers: Required value'],
    'a container without a name': [
      { 'template.spec.containers.0.name': undefined },
      'template.spec.containers[0].name: Required value',
    ],
    'a container without an image': [
      { 'template.spec.containers.0.image': undefined },
      'template.spec.containers[0].image: Required value',
    ],
    'a container name with a dot': [
      { 'template.spec.containers.0.name': 'a.b' },
      'template.spec.containers[0].name: Invalid value: "a.b": must not contain dots',
    ],
    'two containers of one name': [
      { 'template.spec.containers.1': container },
      'template.spec.containers[1].name: Duplicate value: "main"',
    ],
    'an init container with the name of a container': [
      { 'template.spec.initContainers': [container] },
      'template.spec.initContainers[0].name: Duplicate value: "main"',
    ],
    'an init container with a probe': [
      {
        'template.spec.initContainers': [
          { ...container, name: 'init', livenessProbe: { tcpSocket: { port: 80 } } },
        ],
      },
      'template.spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ],
    'a port without a number': [
      { 'template.spec.containers.0.ports': [{ name: 'http' }] },
      'template.spec.containers[0].ports[0].containerPort: Required value',
    ],
    'a port out of range': [
      { 'template.spec.containers.0.ports': [{ containerPort: 70000 }] },
      'template.spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    'a port name that is too long': [
      { 'template.spec.containers.0.ports': [{ containerPort: 80, name: 'a-port-with-a-name' }] },
      'template.spec.containers[0].ports[0].name: Invalid value: "a-port-with-a-name": must be no more than 15 characters',
    ],
    'a port name twice': [
      {
        'template.spec.containers.0.ports': [
          { containerPort: 80, name: 'a' },
          { containerPort: 81, name: 'a' },
        ],
      },
      'template.spec.containers[0].ports[1].name: Duplicate value: "a"',
    ],
    'a protocol in lower case': [
      { 'template.spec.containers.0.ports': [{ containerPort: 80, protocol: 'tcp' }] },
      'template.spec.containers[0].ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
    ],
    'a host port twice': [
      {
        'template.spec.containers.0.ports': [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 80 },
        ],
      },
      'template.spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
    ],
    'another host port in the host network': [
      {
        'template.spec.hostNetwork': true,
        'template.spec.containers.0.ports': [{ containerPort: 80, hostPort: 81 }],
      },
      'template.spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
    ],
    'a variable without a name': [
      { 'template.spec.containers.0.env': [{ value: 'a' }] },
      'template.spec.containers[0].env[0].name: Required value',
    ],
    'a variable name with an equals sign': [
      { 'template.spec.containers.0.env': [{ name: 'a=b' }] },
      'template.spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
    ],
    'a variable with two values': [
      {
        'template.spec.containers.0.env': [
          { name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
      },
      'template.spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ],
    'a variable from nowhere': [
      { 'template.spec.containers.0.env': [{ name: 'A', valueFrom: {} }] },
      'template.spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    ],
    'a variable from two sources': [
      {
        'template.spec.containers.0.env': [
          {
            name: 'A',
            valueFrom: { configMapKeyRef: { name: 'a', key: 'b' }, secretKeyRef: { name: 'a', key: 'b' } },
          },
        ],
      },
      'template.spec.containers[0].env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time',
    ],
    'a variable from a key without a name': [
      { 'template.spec.containers.0.env': [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a' } } }] },
      'template.spec.containers[0].env[0].valueFrom.secretKeyRef.key: Required value',
    ],
    'a variable from a ConfigMap without a name': [
      { 'template.spec.containers.0.env': [{ name: 'A', valueFrom: { configMapKeyRef: { key: 'a' } } }] },
      "template.spec.containers[0].env[0].valueFrom.configMapKeyRef.name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    'a variable from an unknown field': [
      {
        'template.spec.containers.0.env': [
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'template.spec.image' } } },
        ],
      },
      'template.spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "template.spec.image": error converting fieldPath: field label not supported: template.spec.image',
    ],
    'a variable from all labels': [
      {
        'template.spec.containers.0.env': [
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
        ],
      },
      'template.spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
    ],
    'a variable from an unknown resource': [
      {
        'template.spec.containers.0.env': [
          { name: 'A', valueFrom: { resourceFieldRef: { resource: 'cpu' } } },
        ],
      },
      'template.spec.containers[0].env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "cpu": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
    ],
    'variables from nowhere': [
      { 'template.spec.containers.0.envFrom': [{ prefix: 'A' }] },
      'template.spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
    ],
    'variables from two sources': [
      { 'template.spec.containers.0.envFrom': [{ configMapRef: { name: 'a' }, secretRef: { name: 'a' } }] },
      'template.spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
    ],
    'variables from a Secret without a name': [
      { 'template.spec.containers.0.envFrom': [{ secretRef: {} }] },
      'template.spec.containers[0].envFrom[0].secretRef.name: Required value',
    ],
    'a mount without its volume': [
      { 'template.spec.containers.0.volumeMounts': [{ name: 'a', mountPath: '/a' }] },
      'template.spec.containers[0].volumeMounts[0].name: Not found: "a"',
    ],
    'a mount without a path': [
      {
        'template.spec.volumes': [{ name: 'a', emptyDir: {} }],
        'template.spec.containers.0.volumeMounts': [{ name: 'a' }],
      },
      'template.spec.containers[0].volumeMounts[0].mountPath: Required value',
    ],
    'two mounts at one path': [
      {
        'template.spec.volumes': [{ name: 'a', emptyDir: {} }],
        'template.spec.containers.0.volumeMounts': [
          { name: 'a', mountPath: '/a' },
          { name: 'a', mountPath: '/a', subPath: 'b' },
        ],
      },
      'template.spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique',
    ],
    'a mount of a path above the volume': [
      {
        'template.spec.volumes': [{ name: 'a', emptyDir: {} }],
        'template.spec.containers.0.volumeMounts': [{ name: 'a', mountPath: '/a', subPath: '../b' }],
      },
      'template.spec.containers[0].volumeMounts.subPath: Invalid value: "../b": must not contain \'..\'',
    ],
    'a mount that propagates without privileges': [
      {
        'template.spec.volumes': [{ name: 'a', emptyDir: {} }],
        'template.spec.containers.0.volumeMounts': [
          { name: 'a', mountPath: '/a', mountPropagation: 'Bidirectional' },
        ],
      },
      'template.spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    ],
    'a device that is no claim': [
      {
        'template.spec.volumes': [{ name: 'a', emptyDir: {} }],
        'template.spec.containers.0.volumeDevices': [{ name: 'a', devicePath: '/dev/a' }],
      },
      'template.spec.containers[0].volumeDevices[0].name: Invalid value: "a": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    ],
    'a volume with two sources': [
      { 'template.spec.volumes': [{ name: 'a', emptyDir: {}, hostPath: { path: '/a' } }] },
      'template.spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
    ],
    'a volume without a name': [
      { 'template.spec.volumes': [{ emptyDir: {} }] },
      'template.spec.volumes[0].name: Required value',
    ],
    'two volumes of one name': [
      {
        'template.spec.volumes': [
          { name: 'a', emptyDir: {} },
          { name: 'a', emptyDir: {} },
        ],
      },
      'template.spec.volumes[1].name: Duplicate value: "a"',
    ],
    'a volume of a Secret without a name': [
      { 'template.spec.volumes': [{ name: 'a', secret: {} }] },
      'template.spec.volumes[0].secret.secretName: Required value',
    ],
    'a volume of a ConfigMap without a name': [
      { 'template.spec.volumes': [{ name: 'a', configMap: {} }] },
      'template.spec.volumes[0].configMap.name: Required value',
    ],
    'a volume of a claim without a name': [
      { 'template.spec.volumes': [{ name: 'a', persistentVolumeClaim: {} }] },
      'template.spec.volumes[0].persistentVolumeClaim.claimName: Required value',
    ],
    'a volume of a host without a path': [
      { 'template.spec.volumes': [{ name: 'a', hostPath: {} }] },
      'template.spec.volumes[0].hostPath.path: Required value',
    ],
    'a volume of a host with an unknown type': [
      { 'template.spec.volumes': [{ name: 'a', hostPath: { path: '/a', type: 'Folder' } }] },
      'template.spec.volumes[0].hostPath.type: Unsupported value: "Folder": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
    'a file mode in decimal': [
      { 'template.spec.volumes': [{ name: 'a', secret: { secretName: 'a', defaultMode: 777 } }] },
      'template.spec.volumes[0].secret.defaultMode: Invalid value: 777: must be a number between 0 and 0777 (octal), both inclusive',
    ],
    'a file with an absolute path': [
      {
        'template.spec.volumes': [{ name: 'a', configMap: { name: 'a', items: [{ key: 'a', path: '/a' }] } }],
      },
      'template.spec.volumes[0].configMap.items[0].path: Invalid value: "/a": must be a relative path',
    ],
    'an ephemeral volume without a template': [
      { 'template.spec.volumes': [{ name: 'a', ephemeral: {} }] },
      'template.spec.volumes[0].ephemeral.volumeClaimTemplate: Required value',
    ],
    'a pull policy in lower case': [
      { 'template.spec.containers.0.imagePullPolicy': 'always' },
      'template.spec.containers[0].imagePullPolicy: Unsupported value: "always": supported values: "Always", "IfNotPresent", "Never"',
    ],
    'a request above its limit': [
      { 'template.spec.containers.0.resources': { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } },
      'template.spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
    ],
    'a request for a device without a limit': [
      { 'template.spec.containers.0.resources': { requests: { 'example.com/gpu': 1 } } },
      'template.spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
    ],
    'a negative limit': [
      { 'template.spec.containers.0.resources': { limits: { memory: '-1' } } },
      'template.spec.containers[0].resources.limits[memory]: Invalid value: "-1": must be greater than or equal to 0',
    ],
    'half a device': [
      { 'template.spec.containers.0.resources': { limits: { 'example.com/gpu': '500m' } } },
      'template.spec.containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
    ],
    'an unknown resource': [
      { 'template.spec.containers.0.resources': { limits: { memroy: '1Gi' } } },
      'template.spec.containers[0].resources.limits[memroy]: Invalid value: "memroy": must be a standard resource type or fully qualified',
      'template.spec.containers[0].resources.limits[memroy]: Invalid value: "memroy": must be a standard resource for containers',
    ],
    'a liveness probe without a handler': [
      { 'template.spec.containers.0.livenessProbe': { periodSeconds: 5 } },
      'template.spec.containers[0].livenessProbe: Required value: must specify a handler type',
    ],
    'a probe with two handlers': [
      { 'template.spec.containers.0.readinessProbe': { exec: { command: ['a'] }, tcpSocket: { port: 80 } } },
      'template.spec.containers[0].readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
    ],
    'a probe without a command': [
      { 'template.spec.containers.0.readinessProbe': { exec: {} } },
      'template.spec.containers[0].readinessProbe.exec.command: Required value',
    ],
    'a probe without a port': [
      { 'template.spec.containers.0.readinessProbe': { httpGet: { path: '/' } } },
      'template.spec.containers[0].readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
    'a probe with a scheme in lower case': [
      { 'template.spec.containers.0.readinessProbe': { httpGet: { port: 80, scheme: 'https' } } },
      'template.spec.containers[0].readinessProbe.httpGet.scheme: Unsupported value: "https": supported values: "HTTP", "HTTPS"',
    ],
    'a probe with an invalid header': [
      {
        'template.spec.containers.0.readinessProbe': {
          httpGet: { port: 80, httpHeaders: [{ name: 'a b', value: 'c' }] },
        },
      },
      "template.spec.containers[0].readinessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
    ],
    'a negative delay': [
      { 'template.spec.containers.0.readinessProbe': { tcpSocket: { port: 80 }, initialDelaySeconds: -1 } },
      'template.spec.containers[0].readinessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    'a liveness probe that must succeed twice': [
      { 'template.spec.containers.0.livenessProbe': { tcpSocket: { port: 80 }, successThreshold: 2 } },
      'template.spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
    ],
    'a hook without a handler': [
      { 'template.spec.containers.0.lifecycle': { preStop: {} } },
      'template.spec.containers[0].lifecycle.preStop: Required value: must specify a handler type',
    ],
    'an administrator without escalation': [
      {
        'template.spec.containers.0.securityContext': {
          allowPrivilegeEscalation: false,
          capabilities: { add: ['CAP_SYS_ADMIN'] },
        },
      },
      'template.spec.containers[0].securityContext: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
    ],
    'an ephemeral container': [
      { 'template.spec.ephemeralContainers': [{ ...container, name: 'debugger' }] },
      'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
    ],
    'a negative user': [
      { 'template.spec.containers.0.securityContext': { runAsUser: -1 } },
      'template.spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
    'a negative group of files': [
      { 'template.spec.securityContext': { fsGroup: -1 } },
      'template.spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
    'an unknown restart policy': [
      { 'template.spec.restartPolicy': 'Sometimes' },
      'template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ],
    'an unknown DNS policy': [
      { 'template.spec.dnsPolicy': 'Custom' },
      'template.spec.dnsPolicy: Unsupported value: "Custom": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
    'no name server where one is needed': [
      { 'template.spec.dnsPolicy': 'None' },
      'template.spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ],
    'a node selector with a blank': [
      { 'template.spec.nodeSelector': { a: 'b c' } },
      "template.spec.nodeSelector: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    'an account with an underscore': [
      { 'template.spec.serviceAccountName': 'a_b' },
      "template.spec.serviceAccountName: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    'a host name with a dot': [
      { 'template.spec.hostname': 'a.b' },
      'template.spec.hostname: Invalid value: "a.b": must not contain dots',
    ],
    'a deadline of zero': [
      { 'template.spec.activeDeadlineSeconds': 0 },
      'template.spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
    ],
    'a toleration of everything that is equal': [
      { 'template.spec.tolerations': [{ effect: 'NoSchedule' }] },
      'template.spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
    'a toleration with a value that exists': [
      { 'template.spec.tolerations': [{ key: 'a', operator: 'Exists', value: 'b' }] },
      'template.spec.tolerations[0].operator: Invalid value: "b": value must be empty when `operator` is \'Exists\'',
    ],
    'a toleration with an unknown operator': [
      { 'template.spec.tolerations': [{ key: 'a', operator: 'In' }] },
      'template.spec.tolerations[0].operator: Unsupported value: "In": supported values: "Equal", "Exists"',
    ],
    'a toleration with an unknown effect': [
      { 'template.spec.tolerations': [{ key: 'a', operator: 'Exists', effect: 'Never' }] },
      'template.spec.tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
    'a toleration for seconds without NoExecute': [
      { 'template.spec.tolerations': [{ key: 'a', operator: 'Exists', tolerationSeconds: 1 }] },
      'template.spec.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
    ],
    'an affinity without terms': [
      {
        'template.spec.affinity': {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
        },
      },
      'template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
    'an affinity without values': [
      {
        'template.spec.affinity': {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
            },
          },
        },
      },
      "template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    'an affinity to pods without a topology': [
      {
        'template.spec.affinity': {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] },
        },
      },
      'template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
      'template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
      "template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    'an affinity without a weight': [
      {
        'template.spec.affinity': {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { topologyKey: 'zone' } }],
          },
        },
      },
      'template.spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
    ],
    'a spread without a skew': [
      {
        'template.spec.topologySpreadConstraints': [
          { topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
      'template.spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
    ],
    'a spread with an unknown action': [
      {
        'template.spec.topologySpreadConstraints': [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'Wait' },
        ],
      },
      'template.spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Wait": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
    'a spread twice': [
      {
        'template.spec.topologySpreadConstraints': [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
          { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
      'template.spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
    ],
  },
};

/** Admission plugins look at the accounts and classes of pods before their validation, so that most cases are templates. */
const pod: Table = {
  object: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: namespaced('case-pod'),
    spec: { containers: [container] },
  },
  accepted: {},
  refused: {
    'an image with a blank': [
      { 'spec.containers.0.image': 'a ' },
      'spec.containers[0].image: Invalid value: "a ": must not have leading or trailing whitespace',
    ],
    'no image': [{ 'spec.containers.0.image': undefined }, 'spec.containers[0].image: Required value'],
  },
};

export const podTables: readonly Table[] = [podTemplate, pod];
