/** Identifies one configuration object; `namespace` is absent for cluster-scoped kinds. */
export interface ResourceReference {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}
