import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { codes } from '../model/codes.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { formatFieldPath } from '../model/field-path.ts';
import { objectKey, referenceTo, type Admitted, type Inventory } from '../model/inventory.ts';
import { clusterCount } from '../model/words.ts';
import type { RenderFault, RenderFaultCode } from './fault.ts';
import type { RenderGroup } from './render-result.ts';

/** A fault that stops the hub on the clusters of a group, or a warning of a chart there. */
export interface GroupFault {
  readonly fault: RenderFault;
  readonly group: Pick<RenderGroup, 'addOn' | 'config' | 'clusters'> & {
    /** The template, or the profile of the add-on's manager. */
    readonly template: AnyObject;
  };
}

type AnyObject = Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>;

interface CountedFault {
  readonly fault: RenderFault & { readonly code: RenderFaultCode };
  readonly subject: AnyObject;
  readonly addOn: string;
  clusters: number;
}

/** Returns one diagnostic per location that stops the hub, and per warning, with the number of clusters on which it does. */
export function faultDiagnostics(faults: readonly GroupFault[], inventory: Inventory): Diagnostic[] {
  const findings = new Map<string, CountedFault>();
  for (const { fault, group } of faults) {
    const subject = subjectOf(fault, group, inventory);
    const { code } = fault;
    if (code === undefined || subject === undefined) continue;
    const { kind, namespace, name } = referenceTo(subject.object);
    const path = formatFieldPath(fault.path ?? []);
    // A place has one fault on a cluster, and any number of warnings.
    const warning = codes[code].severity === 'error' ? '' : fault.error;
    const key = [code, kind, objectKey(namespace, name), group.addOn, path, warning].join('\n');
    const finding = findings.get(key);
    if (finding !== undefined) finding.clusters += group.clusters.length;
    else
      findings.set(key, {
        fault: { ...fault, code },
        subject,
        addOn: group.addOn,
        clusters: group.clusters.length,
      });
  }
  return [...findings.values()].map(toDiagnostic);
}

function subjectOf(
  { code }: RenderFault,
  group: GroupFault['group'],
  { managedClusters, managedClusterAddOns }: Inventory,
): AnyObject | undefined {
  if (code === 'FW6003') return group.config;
  const [cluster = ''] = group.clusters;
  if (code === 'FW6004') return managedClusters.get(cluster);
  if (code === 'FW6035')
    return managedClusterAddOns.get(objectKey(cluster, group.addOn)) ?? managedClusters.get(cluster);
  return group.template;
}

function toDiagnostic({ fault, subject, addOn, clusters }: CountedFault): Diagnostic {
  const { code, error, path = [] } = fault;
  const { what, hint } = explained(fault);
  return diagnostic(code, {
    message: `${what} of add-on "${addOn}" on ${clusterCount(clusters)}: ${shorten(error)}`,
    object: referenceTo(subject.object),
    ...(path.length === 0 ? {} : { path: formatFieldPath(path) }),
    location: path.length === 0 ? subject.origin.location : subject.origin.locate(path),
    hint,
  });
}

/** Returns what a fault means, and the fix. */
export function explained({ code, hint }: RenderFault): { readonly what: string; readonly hint: string } {
  const explanation = code && explanations[code];
  return {
    what: explanation?.what ?? 'cannot render the chart',
    hint: hint ?? explanation?.hint ?? 'correct the chart or its values',
  };
}

/** A fault of a chart has a hint, and is not in this table. */
const explanations: Readonly<
  Partial<Record<RenderFaultCode, { readonly what: string; readonly hint: string }>>
> = {
  FW6001: {
    what: 'the hub cannot read a manifest',
    hint: 'variables are inserted into JSON text unchanged: a value must be the inside of a JSON string, with \\" for a quotation mark',
  },
  FW6002: {
    what: 'the hub cannot render the template',
    hint: "close the variable with }}: otherwise OCM's add-on manager crashes, for all template add-ons",
  },
  FW6003: {
    what: 'the hub cannot use the configuration',
    hint: 'correct the field; until then the hub delivers nothing new',
  },
  FW6004: {
    what: 'the hub cannot read the image registries',
    hint: 'write {"registries":[{"source":"quay.io/ocm","mirror":"registry.example.com/ocm"}]}, or remove the annotation',
  },
  FW6005: {
    what: 'the hub cannot mount the certificates',
    hint: 'write customSigner with signerName and signingCA, or remove the registration',
  },
  FW6006: {
    what: 'the hub cannot move a binding',
    hint: 'add subjects to the binding, at least an empty list',
  },
  FW6007: {
    what: 'the hub cannot store a work',
    hint: 'correct the manifest; the API server rejects the whole work',
  },
  FW6008: {
    what: 'the hub cannot grant the permissions',
    hint: 'a template can bind one ClusterRole and one Role in each namespace: put what the agent needs into one role',
  },
  FW6032: {
    what: 'the chart',
    hint: 'enclose the templates of the subchart in {{ if }}, and set its values below its name',
  },
  FW6033: { what: 'the chart', hint: 'run `helm dependency build`' },
  FW6034: { what: 'the chart', hint: 'give both values the same type' },
  FW6035: {
    what: 'cannot read the values',
    hint: 'write a JSON object into the annotation, such as {"replicas":2}, or remove it',
  },
  FW6036: {
    what: 'cannot read the source of the manifests',
    hint: 'write the fields that docs/charts.md describes',
  },
  FW6039: {
    what: 'cannot decide which cluster gets a manifest',
    hint: 'write managed, hosting or none into the annotation',
  },
  FW6048: {
    what: 'the chart',
    hint: 'let the containers wait for what the Job does, or turn off the hook with a value of the chart',
  },
  FW6049: { what: 'the chart', hint: 'state the scope of the kind' },
  FW6052: {
    what: 'the chart',
    hint: 'to keep the descriptions, install the definitions in another way than with the add-on',
  },
  FW6053: { what: 'the chart', hint: 'create the Secret on each cluster' },
  FW6054: { what: 'the chart', hint: 'remove the name from `clusterSecrets` of the HelmChart' },
  FW6050: {
    what: 'cannot render the chart',
    hint: 'use a version of the chart for this version of Kubernetes',
  },
  FW6038: { what: 'cannot render the Go templates', hint: 'correct the template or its values' },
};

const longest = 300;

function shorten(text: string): string {
  if (text.length <= longest) return text;
  // Templates name the cause at the end, behind the templates that include each other.
  return text.startsWith('template: ') || text.includes(': executing "')
    ? `${text.slice(0, 100)}…${text.slice(100 - longest)}`
    : `${text.slice(0, longest)}…`;
}
