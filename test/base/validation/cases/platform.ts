import { namespaced, type Table } from './table.ts';

const autoscaler: Table = {
  object: {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: namespaced('case-autoscaler'),
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'case' } },
  },
  accepted: {
    metrics: {
      'spec.metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
        {
          type: 'Pods',
          pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '1k' } },
        },
      ],
    },
    'a behavior': {
      'spec.behavior': {
        scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
        scaleUp: {},
      },
    },
  },
  refused: {
    'no maximum': [
      { 'spec.maxReplicas': 0 },
      'spec.maxReplicas: Invalid value: 0: must be greater than 0',
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    ],
    'a minimum above the maximum': [
      { 'spec.minReplicas': 4 },
      'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
    ],
    'no target': [
      { 'spec.scaleTargetRef': { apiVersion: 'apps/v1' } },
      'spec.scaleTargetRef.kind: Required value',
      'spec.scaleTargetRef.name: Required value',
    ],
    'a metric without a type': [
      { 'spec.metrics': [{}] },
      'spec.metrics[0].type: Required value: must specify a metric source type',
      'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
    'a metric without its source': [
      { 'spec.metrics': [{ type: 'Resource' }] },
      'spec.metrics[0].resource: Required value: must populate information for the given metric source',
    ],
    'a metric without a target': [
      { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu' } }] },
      'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
      'spec.metrics[0].resource.target.type: Required value: must specify a metric target type',
      'spec.metrics[0].resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
    ],
    'a utilization of zero': [
      {
        'spec.metrics': [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } },
          },
        ],
      },
      'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
    ],
    'a behavior without policies': [
      { 'spec.behavior': { scaleUp: { policies: [] } } },
      'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
    ],
    'a policy without a period': [
      { 'spec.behavior': { scaleUp: { policies: [{ type: 'Pods', value: 1 }] } } },
      'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero',
    ],
    'a window of a day': [
      { 'spec.behavior': { scaleDown: { stabilizationWindowSeconds: 86400 } } },
      'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 86400: must be less than or equal to 3600',
    ],
  },
};

const earlierAutoscaler: Table = {
  object: {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: namespaced('case-earlier-autoscaler'),
    spec: {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 80,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'case' },
    },
  },
  accepted: {},
  refused: {
    'no maximum in the first version': [
      { 'spec.maxReplicas': 0 },
      'spec.maxReplicas: Invalid value: 0: must be greater than 0',
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    ],
  },
};

const disruptionBudget: Table = {
  object: {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: namespaced('case-budget'),
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'case' } } },
  },
  accepted: {
    'a percentage': { 'spec.minAvailable': '50%' },
    'no limit': { 'spec.minAvailable': undefined },
  },
  refused: {
    'minimum and maximum': [
      { 'spec.maxUnavailable': 1 },
      'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"app":"case"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
    'more than all': [
      { 'spec.minAvailable': '101%' },
      'spec.minAvailable: Invalid value: "101%": must not be greater than 100%',
    ],
    'a negative minimum': [
      { 'spec.minAvailable': -1 },
      'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0',
    ],
    'a percentage without a sign': [
      { 'spec.minAvailable': '50' },
      "spec.minAvailable: Invalid value: \"50\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
    'a selector with a blank': [
      { 'spec.selector.matchLabels.app': 'a b' },
      "spec.selector.matchLabels: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  },
};

const claim: Table = {
  object: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: namespaced('case-claim'),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  accepted: { 'no class': { 'spec.storageClassName': '' } },
  refused: {
    'no access modes': [
      { 'spec.accessModes': undefined },
      'spec.accessModes: Required value: at least 1 access mode is required',
    ],
    'an unknown access mode': [
      { 'spec.accessModes': ['ReadWrite'] },
      'spec.accessModes: Unsupported value: "ReadWrite": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
    'one pod and many': [
      { 'spec.accessModes': ['ReadWriteOncePod', 'ReadWriteOnce'] },
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    ],
    'no size': [{ 'spec.resources': undefined }, 'spec.resources[storage]: Required value'],
    'a size of zero': [
      { 'spec.resources.requests.storage': 0 },
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
    'a class with an underscore': [
      { 'spec.storageClassName': 'a_b' },
      "spec.storageClassName: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    'an unknown mode': [
      { 'spec.volumeMode': 'Folder' },
      'spec.volumeMode: Unsupported value: "Folder": supported values: "Block", "Filesystem"',
    ],
  },
};

const storageClass: Table = {
  object: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'case-storage-class' },
    provisioner: 'example.com/disk',
  },
  accepted: {},
  refused: {
    'no provisioner': [{ provisioner: undefined }, 'provisioner: Required value'],
    'an unknown policy': [
      { reclaimPolicy: 'Recycle' },
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    ],
    'an unknown binding': [
      { volumeBindingMode: 'Later' },
      'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
  },
};

const priorityClass: Table = {
  object: {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'case-priority-class' },
    value: 1000,
  },
  accepted: { 'a negative priority': { value: -1 } },
  refused: {
    'a priority of the system': [
      { value: 1000000001 },
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ],
  },
};

const definition: Table = {
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cases.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'cases', kind: 'Case' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  },
  accepted: {},
  refused: {
    'another name': [
      { 'metadata.name': 'case.example.com' },
      'metadata.name: Invalid value: "case.example.com": must be spec.names.plural+"."+spec.group',
    ],
    'no scope': [{ 'spec.scope': undefined }, 'spec.scope: Required value'],
    'a group without a dot': [
      { 'spec.group': 'example', 'metadata.name': 'cases.example' },
      'spec.group: Invalid value: "example": should be a domain with at least one dot',
    ],
    'a plural in capitals': [
      { 'spec.names.plural': 'Cases', 'metadata.name': 'Cases.example.com' },
      "metadata.name: Invalid value: \"Cases.example.com\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.names.plural: Invalid value: \"Cases\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
    'no version that is stored': [
      { 'spec.versions.0.storage': false },
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ],
    'a version with a dot': [
      // that of the first one is also the one of `spec.version`
      {
        'spec.versions.1': {
          name: 'v1.0',
          served: true,
          storage: false,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      },
      "spec.versions[1].name: Invalid value: \"v1.0\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
    'no schema': [
      { 'spec.versions.0.schema': undefined },
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
  },
};

export const platformTables: readonly Table[] = [
  autoscaler,
  earlierAutoscaler,
  disruptionBudget,
  claim,
  storageClass,
  priorityClass,
  definition,
];
