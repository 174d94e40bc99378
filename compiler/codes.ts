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
  FW1001: { title: 'Unreadable YAML', severity: 'error' },
  FW1002: { title: 'Tab as indentation', severity: 'error' },
  FW1003: { title: 'Key that stands twice', severity: 'error' },
  FW1004: { title: 'Unreadable JSON', severity: 'error' },
  FW1005: { title: 'Alias that stands for nothing', severity: 'error' },
  FW1006: { title: 'Aliases that multiply', severity: 'error' },
  FW1007: { title: 'Word that is read as a boolean', severity: 'warning' },
  FW1008: { title: 'Number that is not kept as written', severity: 'warning' },
  FW1009: { title: 'YAML without a form in JSON', severity: 'error' },
  FW1010: { title: 'Document or list item that is no object', severity: 'error' },
  FW1011: { title: 'Document marker that kubectl does not read', severity: 'error' },
  FW1012: { title: 'Character that YAML does not allow', severity: 'error' },
  FW1013: { title: 'Text that is not UTF-8', severity: 'error' },
  // admit
  FW2001: { title: 'Object without apiVersion or kind', severity: 'error' },
  FW2002: { title: 'Unknown kind', severity: 'error' },
  FW2003: { title: 'Version that the hub does not serve', severity: 'error' },
  FW2004: { title: 'Malformed metadata', severity: 'error' },
  FW2005: { title: 'Unknown field', severity: 'error' },
  FW2006: { title: 'Embedded object that is none', severity: 'error' },
  FW2007: { title: 'Value of the wrong type', severity: 'error' },
  FW2008: { title: 'Missing required field', severity: 'error' },
  FW2009: { title: 'Unsupported value', severity: 'error' },
  FW2010: { title: 'Value that does not match its pattern', severity: 'error' },
  FW2011: { title: 'Value outside its limits', severity: 'error' },
  FW2012: { title: 'Value that is not in its format', severity: 'error' },
  FW2013: { title: 'Duplicate list entry', severity: 'error' },
  FW2014: { title: 'Broken validation rule', severity: 'error' },
  FW2015: { title: 'Validation rule that cannot be evaluated', severity: 'error' },
  FW2016: { title: 'Bad name', severity: 'error' },
  FW2017: { title: 'Bad label', severity: 'error' },
  FW2018: { title: 'Bad annotation', severity: 'error' },
  FW2019: { title: 'Bad namespace', severity: 'error' },
  FW2020: { title: 'Namespace on a cluster-scoped object', severity: 'warning' },
  FW2021: { title: 'Object without a namespace', severity: 'warning' },
  FW2022: { title: 'Bad owner reference', severity: 'error' },
  FW2023: { title: 'Bad finalizer', severity: 'error' },
  FW2024: { title: 'Name left to the hub', severity: 'error' },
  FW2025: { title: 'Duplicate object', severity: 'error' },
  FW2026: { title: 'Status that no hub can hold', severity: 'error' },
  FW2027: { title: 'Field that the hub no longer reads', severity: 'warning' },
  FW2028: { title: 'Value that OCM cannot read', severity: 'error' },
  // place
  FW3001: { title: 'Misconfigured placement', severity: 'error' },
  FW3002: { title: 'Negative number of clusters', severity: 'error' },
  FW3003: { title: 'Placement name that is no label value', severity: 'error' },
  FW3004: { title: 'Cluster set that the hub cannot read', severity: 'error' },
  FW3005: { title: 'CEL expression without a known answer', severity: 'error' },
  FW3006: { title: 'Placement that the hub does not schedule', severity: 'info' },
  FW3007: { title: 'Placement that never comes to rest', severity: 'warning' },
  FW3008: { title: 'Decision by chance', severity: 'info' },
  FW3009: { title: 'Expired add-on scores', severity: 'warning' },
  FW3010: { title: 'Placement that is crowded out', severity: 'warning' },
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
  FW6001: { title: 'Manifest that is no object once variables are replaced', severity: 'error' },
  FW6002: { title: 'Variable that is not closed', severity: 'error' },
  FW6003: { title: 'Configuration that the hub cannot use', severity: 'error' },
  FW6004: { title: 'Image registries that the hub cannot read', severity: 'error' },
  FW6005: { title: 'Custom signer without its settings', severity: 'error' },
  FW6006: { title: 'Binding without subjects', severity: 'error' },
  FW6007: { title: 'Work that the API server refuses', severity: 'error' },
  FW6008: { title: 'Hub permission that cannot be granted', severity: 'error' },
  // check
  FW7001: { title: 'Placement without a bound set', severity: 'error' },
  FW7002: { title: 'Cluster set that is not bound', severity: 'warning' },
  FW7003: { title: 'Missing placement', severity: 'error' },
  FW7004: { title: 'Missing cluster set', severity: 'warning' },
  FW7005: { title: 'Binding that is not named like its set', severity: 'error' },
  FW7006: { title: 'Claim value that is no label value', severity: 'error' },
  FW7007: { title: 'Selector that matches nothing in the fleet', severity: 'warning' },
  FW7008: { title: 'Add-on that an outage uninstalls', severity: 'warning' },
  FW7009: { title: 'Decision of several pages', severity: 'warning' },
  FW7010: { title: 'Empty decision', severity: 'warning' },
  FW7011: { title: 'Placement for no clusters', severity: 'warning' },
  FW7012: { title: 'Add-on score that counts twice', severity: 'warning' },
  FW7013: { title: 'Negative weight of Steady', severity: 'warning' },
  FW7014: { title: 'Fault that the hub has not met yet', severity: 'warning' },
  FW7015: { title: 'Unknown operator of a toleration', severity: 'warning' },
  FW7016: { title: 'Taint without effect', severity: 'info' },
  FW7017: { title: 'Toleration that lasts too long', severity: 'warning' },
  FW7018: { title: 'Placement field without effect', severity: 'warning' },
  FW7019: { title: 'Cluster set without a selector', severity: 'warning' },
  FW7020: { title: 'Decision group that vanishes', severity: 'warning' },
  FW7021: { title: 'Selection by the health of an add-on', severity: 'info' },
  FW7022: { title: 'Predicate that matches no available cluster', severity: 'warning' },
  // emit, plan
  // command line
  FW9001: { title: 'App that fails', severity: 'error' },
  FW9002: { title: 'App without a construct tree', severity: 'error' },
  FW9003: { title: 'Construct that is not valid', severity: 'error' },
} as const satisfies Record<string, CodeDescription>;

export type Code = keyof typeof codes;
