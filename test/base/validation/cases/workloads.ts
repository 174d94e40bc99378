import { namespaced, type Table } from './table.ts';

const template = {
  metadata: { labels: { app: 'case' } },
  spec: { containers: [{ name: 'main', image: 'example.com/main:1' }] },
};
const selector = { matchLabels: { app: 'case' } };

const deployment: Table = {
  object: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: namespaced('case-deployment'),
    spec: { selector, template },
  },
  accepted: {
    'a selector of expressions': {
      'spec.selector': {
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['case', 'other'] },
          { key: 'tier', operator: 'DoesNotExist' },
          { key: 'tier', operator: 'NotIn', values: ['web'] },
        ],
      },
    },
    'a strategy with one percentage': {
      'spec.strategy': { rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } },
    },
    'more than all pods at once': { 'spec.strategy': { rollingUpdate: { maxSurge: '200%' } } },
    'no replicas': { 'spec.replicas': 0 },
  },
  refused: {
    'a selector that does not match': [
      { 'spec.selector.matchLabels.app': 'other' },
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'a template without labels': [
      { 'spec.template.metadata': undefined },
      'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
    ],
    'no selector': [
      { 'spec.selector': undefined },
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'an empty selector': [
      { 'spec.selector': {} },
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ],
    'a selector with an unknown operator': [
      { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'Equals', values: ['case'] }] } },
      'spec.selector.matchExpressions[0].operator: Invalid value: "Equals": not a valid selector operator',
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Equals","values":["case"]}]}: invalid label selector',
    ],
    'a selector with an invalid value': [
      { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'In', values: ['a b'] }] } },
      "spec.selector.matchExpressions[0].values[0]: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In","values":["a b"]}]}: invalid label selector',
    ],
    'a label of the template with a blank': [
      { 'spec.template.metadata.labels.tier': 'a b' },
      "spec.template.labels: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    'an annotation of the template with a blank': [
      { 'spec.template.metadata.annotations': { 'a b': 'c' } },
      "spec.template.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    'no containers': [
      { 'spec.template.spec.containers': undefined },
      'spec.template.spec.containers: Required value',
    ],
    'pods that end': [
      { 'spec.template.spec.restartPolicy': 'Never' },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    'pods with a deadline': [
      { 'spec.template.spec.activeDeadlineSeconds': 10 },
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
    ],
    'fewer than no replicas': [
      { 'spec.replicas': -1 },
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    'an unknown strategy': [
      { 'spec.strategy': { type: 'Rolling' } },
      'spec.strategy: Unsupported value: {"Type":"Rolling","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
    'Recreate with a rolling update': [
      { 'spec.strategy': { type: 'Recreate', rollingUpdate: {} } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    'a strategy that changes nothing': [
      { 'spec.strategy': { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ],
    'more than all pods unavailable': [
      { 'spec.strategy': { rollingUpdate: { maxUnavailable: '101%' } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ],
    'a percentage without a sign': [
      { 'spec.strategy': { rollingUpdate: { maxSurge: '25' } } },
      "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"25\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
    'a deadline before pods are ready': [
      { 'spec.minReadySeconds': 600 },
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    ],
    'a negative history': [
      { 'spec.revisionHistoryLimit': -1 },
      'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
};

const daemonSet: Table = {
  object: {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: namespaced('case-daemon-set'),
    spec: { selector, template },
  },
  accepted: {
    'updates on deletion': { 'spec.updateStrategy': { type: 'OnDelete' } },
    'a surge': { 'spec.updateStrategy': { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  },
  refused: {
    'a selector that does not match': [
      { 'spec.template.metadata.labels.app': 'other' },
      'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
    ],
    'no selector': [
      { 'spec.selector': undefined },
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'an empty selector': [
      { 'spec.selector': {} },
      'spec.selector: Invalid value: {}: empty selector is invalid for daemonset',
    ],
    'pods that end': [
      { 'spec.template.spec.restartPolicy': 'OnFailure' },
      'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
    ],
    'an unknown strategy': [
      { 'spec.updateStrategy': { type: 'Recreate' } },
      'spec.updateStrategy: Unsupported value: {"Type":"Recreate","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
    ],
    'a surge beside unavailable pods': [
      { 'spec.updateStrategy': { rollingUpdate: { maxSurge: 1 } } },
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
    ],
    'a strategy that changes nothing': [
      { 'spec.updateStrategy': { rollingUpdate: { maxUnavailable: 0 } } },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    ],
  },
};

const statefulSet: Table = {
  object: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: namespaced('case-stateful-set'),
    spec: { selector, template, serviceName: 'case' },
  },
  accepted: {
    'a mount of a claim': {
      'spec.volumeClaimTemplates': [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      'spec.template.spec.containers.0.volumeMounts': [{ name: 'data', mountPath: '/data' }],
    },
    'updates on deletion': { 'spec.updateStrategy': { type: 'OnDelete' } },
    'a partition': { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
  },
  refused: {
    'a selector that does not match': [
      { 'spec.selector.matchLabels.app': 'other' },
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'no selector': [
      { 'spec.selector': undefined },
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'an empty selector': [
      { 'spec.selector': {} },
      'spec.selector: Invalid value: {}: empty selector is invalid for statefulset',
    ],
    'a selector without values': [
      { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'In' }] } },
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In"}]}',
    ],
    'an unknown management of pods': [
      { 'spec.podManagementPolicy': 'Ordered' },
      "spec.podManagementPolicy: Invalid value: \"Ordered\": must be 'OrderedReady' or 'Parallel'",
    ],
    'an unknown strategy': [
      { 'spec.updateStrategy': { type: 'Recreate' } },
      'spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
    ],
    'a partition of updates on deletion': [
      { 'spec.updateStrategy': { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ],
    'a negative partition': [
      { 'spec.updateStrategy': { rollingUpdate: { partition: -1 }, type: 'RollingUpdate' } },
      'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
    ],
    'pods that end': [
      { 'spec.template.spec.restartPolicy': 'Never' },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    'a mount without its claim': [
      { 'spec.template.spec.containers.0.volumeMounts': [{ name: 'data', mountPath: '/data' }] },
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ],
  },
};

const replicaSet: Table = {
  object: {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: namespaced('case-replica-set'),
    spec: { selector, template },
  },
  accepted: {},
  refused: {
    'a selector that does not match': [
      { 'spec.selector.matchLabels.app': 'other' },
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'fewer than no replicas': [
      { 'spec.replicas': -1 },
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
};

const replicationController: Table = {
  object: {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: namespaced('case-replication-controller'),
    spec: { template },
  },
  accepted: { 'a selector': { 'spec.selector': { app: 'case' } } },
  refused: {
    'a selector that does not match': [
      { 'spec.selector': { app: 'other' } },
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'neither selector nor labels': [{ 'spec.template.metadata': undefined }, 'spec.selector: Required value'],
  },
};

const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };

const job: Table = {
  object: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: namespaced('case-job'),
    spec: { template: once },
  },
  accepted: {
    'an indexed Job': { 'spec.completionMode': 'Indexed', 'spec.completions': 3 },
    'an indexed Job with defaults': { 'spec.completionMode': 'Indexed' },
    'a selector of its own': { 'spec.manualSelector': true, 'spec.selector': selector },
  },
  refused: {
    'pods that restart always': [
      { 'spec.template.spec.restartPolicy': undefined },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    'an unknown restart policy': [
      { 'spec.template.spec.restartPolicy': 'Sometimes' },
      'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "OnFailure", "Never"',
    ],
    'a selector without manualSelector': [
      { 'spec.selector': selector },
      'spec.selector: Invalid value: {"matchLabels":{"app":"case"}}: `selector` not auto-generated',
    ],
    'manualSelector without a selector': [
      { 'spec.manualSelector': true },
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'a selector that does not match': [
      { 'spec.manualSelector': true, 'spec.selector': { matchLabels: { app: 'other' } } },
      'spec.template.metadata.labels: Invalid value: {"app":"case"}: `selector` does not match template `labels`',
    ],
    'an indexed Job without completions': [
      { 'spec.completionMode': 'Indexed', 'spec.parallelism': 2 },
      'spec.completions: Required value: when completion mode is Indexed',
    ],
    'an unknown completion mode': [
      { 'spec.completionMode': 'Ordered' },
      'spec.completionMode: Unsupported value: "Ordered": supported values: "NonIndexed", "Indexed"',
    ],
    'a negative limit': [
      { 'spec.backoffLimit': -1 },
      'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
};

const cronJob: Table = {
  object: {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: namespaced('case-cron-job'),
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: once } } },
  },
  accepted: {
    'names of months and days': { 'spec.schedule': '0 0,12 1-15/2 jan-MAR ? ' },
    'days of the week by name': { 'spec.schedule': '0 8 * * mon-fri' },
    'a descriptor': { 'spec.schedule': '@daily' },
    'a period': { 'spec.schedule': '@every 1h30m' },
    'a time zone': { 'spec.timeZone': 'Etc/UTC' },
  },
  refused: {
    'no schedule': [{ 'spec.schedule': undefined }, 'spec.schedule: Required value'],
    'four fields': [
      { 'spec.schedule': '* * * *' },
      'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
    ],
    'minute 60': [
      { 'spec.schedule': '60 * * * *' },
      'spec.schedule: Invalid value: "60 * * * *": end of range (60) above maximum (59): 60',
    ],
    'day 0 of the month': [
      { 'spec.schedule': '0 0 0 * *' },
      'spec.schedule: Invalid value: "0 0 0 * *": beginning of range (0) below minimum (1): 0',
    ],
    'day 7 of the week': [
      { 'spec.schedule': '0 0 * * 7' },
      'spec.schedule: Invalid value: "0 0 * * 7": end of range (7) above maximum (6): 7',
    ],
    'a range that ends before it begins': [
      { 'spec.schedule': '30-10 * * * *' },
      'spec.schedule: Invalid value: "30-10 * * * *": beginning of range (30) beyond end of range (10): 30-10',
    ],
    'a step of zero': [
      { 'spec.schedule': '*/0 * * * *' },
      'spec.schedule: Invalid value: "*/0 * * * *": step of range should be a positive number: */0',
    ],
    'a word': [
      { 'spec.schedule': 'x * * * *' },
      'spec.schedule: Invalid value: "x * * * *": failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
    ],
    'an unknown descriptor': [
      { 'spec.schedule': '@sometimes' },
      'spec.schedule: Invalid value: "@sometimes": unrecognized descriptor: @sometimes',
    ],
    'a period without a unit': [
      { 'spec.schedule': '@every 5' },
      'spec.schedule: Invalid value: "@every 5": failed to parse duration @every 5: time: missing unit in duration "5"',
    ],
    'the local time zone': [
      { 'spec.timeZone': 'Local' },
      'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ],
    'a time zone with a blank': [
      { 'spec.timeZone': 'Europe/New York' },
      'spec.timeZone: Invalid value: "Europe/New York": unknown time zone Europe/New York',
    ],
    'an unknown policy': [
      { 'spec.concurrencyPolicy': 'Queue' },
      'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
    ],
    'pods that restart always': [
      { 'spec.jobTemplate.spec.template.spec.restartPolicy': undefined },
      'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    'a selector': [
      { 'spec.jobTemplate.spec.selector': selector },
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"app":"case"}}: `selector` will be auto-generated',
    ],
    'a name that leaves no room for a time': [
      { 'metadata.name': 'a-cron-job-with-a-name-of-more-than-fifty-two-letters' },
      'metadata.name: Invalid value: "a-cron-job-with-a-name-of-more-than-fifty-two-letters": must be no more than 52 characters',
    ],
    'a negative history': [
      { 'spec.failedJobsHistoryLimit': -1 },
      'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  },
};

export const workloadTables: readonly Table[] = [
  deployment,
  daemonSet,
  statefulSet,
  replicaSet,
  replicationController,
  job,
  cronJob,
];
