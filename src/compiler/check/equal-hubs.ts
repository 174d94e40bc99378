import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { Location } from '../model/origin.ts';

/** Two hubs that a policy requires to be equal, and what differs between them. */
export interface ComparedEqualHubs {
  readonly hubs: readonly [string, string];
  readonly addOns: readonly {
    readonly addOn: string;
    readonly onlyOn?: string;
    readonly values: readonly { readonly path: string }[];
  }[];
  /** The location of the policy. */
  readonly location: Location;
}

/** The maximum number of fields that a message names. */
const namedFields = 3;

/** Returns one violation for each add-on that differs between hubs that must be equal. */
export function unequalHubs(compared: readonly ComparedEqualHubs[]): readonly Diagnostic[] {
  return compared.flatMap(({ hubs, addOns, location }) =>
    addOns.map(({ addOn, onlyOn, values }) => {
      const [a, b] = hubs;
      const paths = values.map(({ path }) => path);
      const rest = paths.length - namedFields;
      const named = `${paths.slice(0, namedFields).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
      const count = paths.length === 1 ? '1 value' : `${paths.length} values`;
      const what =
        onlyOn === undefined
          ? `the configuration of add-on "${addOn}" differs in ${count}: ${named}`
          : `only ${onlyOn} has add-on "${addOn}" on a cluster`;
      return diagnostic('FW7310', {
        message: `hubs ${a} and ${b} must be equal, but ${what}`,
        object: {
          apiVersion: 'addon.open-cluster-management.io/v1alpha1',
          kind: 'ClusterManagementAddOn',
          name: addOn,
        },
        location,
        hint: `fleetwright diff ${a} ${b} lists the differences`,
      });
    }),
  );
}
