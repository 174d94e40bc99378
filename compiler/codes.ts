import type { Severity } from './diagnostic.ts';

/** What a code stands for; its page is docs/diagnostics/<code>.md. */
export interface CodeDescription {
  /** A short noun phrase, the title of the page. */
  readonly title: string;
  /** The severity that its diagnostics have. */
  readonly severity: Severity;
}

/**
 * Every diagnostic code. The first digit is the phase: 1 load, 2 admit, 3 place, 4 configure, 5 rollout, 6 render,
 * 7 rules across objects (check), 8 emit and plan, 9 the command line. Codes are never used again for something else.
 */
export const codes = {
  // load
  // admit
  // place
  // configure
  FW4001: { title: 'Configuration object that does not exist', severity: 'error' },
  FW4002: { title: 'Configuration kind that the add-on does not support', severity: 'warning' },
  FW4003: { title: 'ManagedClusterAddOn outside the placements', severity: 'error' },
  FW4004: { title: 'Several configurations of one kind in a placement', severity: 'warning' },
  FW4005: { title: 'ManagedClusterAddOn without a ClusterManagementAddOn', severity: 'warning' },
  FW4006: { title: 'Template add-on without a template', severity: 'error' },
  FW4007: { title: 'ManagedClusterAddOn for a cluster outside the fleet', severity: 'warning' },
  FW4008: { title: 'Configuration object of another kind that is not at hand', severity: 'warning' },
  // rollout
  // render
  // check
  // emit, plan
  // command line
  FW9001: { title: 'App that fails', severity: 'error' },
  FW9002: { title: 'App without a construct tree', severity: 'error' },
  FW9003: { title: 'Construct that is not valid', severity: 'error' },
} as const satisfies Record<string, CodeDescription>;

export type Code = keyof typeof codes;
