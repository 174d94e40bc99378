import { ofUpdate, type ConfinedCompanion, type PolicyContent } from './policy.ts';

/**
 * Events of one reporter.
 *
 * @param kinds - the kinds that they are about, and what the message calls them
 */
export function eventsOf(reporter: string, kinds: Readonly<Record<string, string>>): PolicyContent {
  const names = Object.keys(kinds)
    .sort()
    .map((kind) => `'${kind}'`);
  return {
    group: '',
    version: 'v1',
    resources: ['events'],
    operations: ['CREATE', 'UPDATE'],
    // Two groups have a kind of this name, and the type checker would look for the fields in both.
    variables: { event: 'dyn(object)', eventBefore: 'dyn(oldObject)' },
    checks: {
      [`Events are about ${Object.values(kinds).join(' and ')}`]: [
        `variables.event.?reportingComponent.orValue('') == '${reporter}'`,
        `variables.event.involvedObject.?kind.orValue('') in [${names.join(', ')}]`,
        "object.metadata.namespace == variables.event.involvedObject.?namespace.orValue('default')",
      ].join(' && '),
      'Events of others stay as they are': ofUpdate(
        `variables.eventBefore.?reportingComponent.orValue('') == '${reporter}' && variables.event.involvedObject == variables.eventBefore.involvedObject`,
      ),
    },
  };
}

/** The Leases by which replicas lead. RBAC cannot name them where they are created. */
export function leases({ leases: names, namespace }: ConfinedCompanion): PolicyContent {
  const [only = '', ...others] = names;
  const isOne =
    others.length === 0
      ? `object.metadata.name == '${only}'`
      : `object.metadata.name in [${names.map((name) => `'${name}'`).join(', ')}]`;
  const texts = names.map((name) => `${namespace}/${name}`);
  return {
    group: 'coordination.k8s.io',
    version: 'v1',
    resources: ['leases'],
    operations: ['CREATE', 'UPDATE'],
    checks: {
      [`the Lease is ${texts.join(' or ')}`]: `object.metadata.namespace == '${namespace}' && ${isOne}`,
    },
  };
}
