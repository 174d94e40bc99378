import type { AnnotatedSchema } from './structural-schema.ts';

/** The start of the patterns for names of EKS clusters up to OCM 1.3, and that of 1.4, which adds the government's partition. */
const upTo13 = '^arn:aws:eks:';
const since14 = '^arn:aws(-us-gov)?:eks:';

/**
 * Returns the schema of a kind with the patterns that OCM 1.4 has. The pull request names the partition, and not the whole pattern.
 *
 * @see https://github.com/open-cluster-management-io/api/pull/452
 */
export function withGovernmentArns<T extends AnnotatedSchema>(schema: T): T {
  const { pattern, properties, items } = schema;
  return {
    ...schema,
    ...(pattern?.startsWith(upTo13) === true && { pattern: since14 + pattern.slice(upTo13.length) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, withGovernmentArns(each)]),
      ),
    }),
    ...(items && { items: withGovernmentArns(items) }),
  };
}
