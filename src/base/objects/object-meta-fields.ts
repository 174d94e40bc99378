/** How Go's decoder reads the fields of metav1.ObjectMeta. */
export type GoType =
  | { readonly kind: 'string' | 'integer' | 'integer pointer' | 'boolean' | 'time' | 'any' }
  | { readonly kind: 'map' | 'list'; readonly of: GoType }
  | {
      readonly kind: 'struct';
      readonly fields: Readonly<Record<string, GoType>>;
      readonly fieldsThatStay: ReadonlySet<string>;
    };

const string: GoType = { kind: 'string' };
const boolean: GoType = { kind: 'boolean' };
const time: GoType = { kind: 'time' };
const strings: GoType = { kind: 'map', of: string };
const nothing: ReadonlySet<string> = new Set();

const ownerReference: GoType = {
  kind: 'struct',
  fields: {
    apiVersion: string,
    kind: string,
    name: string,
    uid: string,
    controller: boolean,
    blockOwnerDeletion: boolean,
  },
  fieldsThatStay: new Set(['apiVersion', 'kind', 'name', 'uid']),
};

const managedFieldsEntry: GoType = {
  kind: 'struct',
  fields: {
    manager: string,
    operation: string,
    apiVersion: string,
    time,
    fieldsType: string,
    fieldsV1: { kind: 'any' },
    subresource: string,
  },
  fieldsThatStay: nothing,
};

/** The fields of metav1.ObjectMeta. */
export const objectMetaFields: Readonly<Record<string, GoType>> = {
  name: string,
  generateName: string,
  namespace: string,
  selfLink: string,
  uid: string,
  resourceVersion: string,
  generation: { kind: 'integer' },
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: { kind: 'integer pointer' },
  labels: strings,
  annotations: strings,
  ownerReferences: { kind: 'list', of: ownerReference },
  finalizers: { kind: 'list', of: string },
  managedFields: { kind: 'list', of: managedFieldsEntry },
};
