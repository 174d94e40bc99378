// oxlint-disable-next-line import/no-empty-named-blocks -- only for the types that are extended below: what runs needs no vitest
import type {} from 'vitest';
import { checkInvariant, proofFindings, prove, type WrittenInvariant } from '../compiler/prove/index.ts';
import { someOf } from '../compiler/report/plan-words.ts';
import { durationWords } from '../compiler/report/time-words.ts';
import { clusterCount } from '../compiler/model/words.ts';
import {
  hasMirror,
  hasValue,
  installed,
  renders,
  selectedBy,
  uses,
  type Fact,
  type Subject,
} from './facts.ts';
import { ClusterAddOns, Fleet, FleetAddOn } from './fleet.ts';
import { valueWords } from './value-words.ts';

/** The result of a matcher; vitest and Jest read it. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The value of `this` that vitest and Jest pass to matchers. */
export interface MatcherContext {
  readonly isNot?: boolean;
  readonly equals: (a: unknown, b: unknown) => boolean;
}

/** Maximum number of clusters that a failure lists. */
const mostClusters = 10;

/**
 * Matchers for `expect.extend`. On several clusters each matcher requires the fact for every one of them, and with
 * `.not` for none of them. A failure lists the clusters that differ.
 */
export const fleetMatchers = {
  toBeInstalled(this: MatcherContext, actual: unknown): Verdict {
    return judge(this, actual, 'to be installed', installed);
  },

  toBeSelectedBy(this: MatcherContext, actual: unknown, placement: string): Verdict {
    return judge(this, actual, `to be selected by Placement ${placement}`, (subject) =>
      selectedBy(subject, placement),
    );
  },

  toUseConfig(this: MatcherContext, actual: unknown, config: string, from?: string): Verdict {
    const what = `to use ${config}${from === undefined ? '' : ` from ${from}`}`;
    return judge(this, actual, what, (subject) => uses(subject, config, from));
  },

  toHaveMirror(this: MatcherContext, actual: unknown, source?: string): Verdict {
    const what = source === undefined ? 'to have an image mirror' : `to have a mirror of ${source}`;
    return judge(this, actual, what, (subject) => hasMirror(subject, source));
  },

  toHaveValue(
    this: MatcherContext,
    actual: unknown,
    field: string,
    ...expected: readonly unknown[]
  ): Verdict {
    const what = `to have ${field}${expectedWords(expected)}`;
    return judge(this, actual, what, (subject) => hasValue(subject, field, isAsExpected(this, expected)));
  },

  toRender(this: MatcherContext, actual: unknown, field: string, ...expected: readonly unknown[]): Verdict {
    const what = `to render ${field}${expectedWords(expected)}`;
    return judge(this, actual, what, (subject) => renders(subject, field, isAsExpected(this, expected)));
  },

  toProve(this: MatcherContext, actual: unknown, invariant: WrittenInvariant): Verdict {
    return proveFor(this, actual, invariant);
  },

  toRollOutInAtMost(this: MatcherContext, actual: unknown, waves: number): Verdict {
    if (!(actual instanceof FleetAddOn)) throw new TypeError('toRollOutInAtMost is for fleet.addon(name)');
    const { waves: all = [], stops = [] } = actual.fleet.rollouts().get(actual.name) ?? {};
    const lines = [
      ...all.map(({ after, clusters }, index) => {
        const when = after === 0 ? '' : ` after ${durationWords(after)}`;
        return `wave ${index + 1}${when}: ${someOf(clusters, mostClusters)}`;
      }),
      ...stops.map(({ message }) => `then it stops: ${message}`),
    ];
    const not = this.isNot === true ? 'not ' : '';
    const takes = stops.length > 0 ? 'it does not come to its end' : `it takes ${all.length}`;
    const head = `expected "${actual.name}" ${not}to be installed in at most ${waves === 1 ? '1 wave' : `${waves} waves`}, but ${takes}`;
    return {
      pass: all.length <= waves && stops.length === 0,
      message: () => [head, ...indented(lines, '  ')].join('\n'),
    };
  },
};

/** A proof covers every cluster that may exist, so it is about the fleet and not about some of its clusters. */
function proveFor({ isNot = false }: MatcherContext, actual: unknown, written: WrittenInvariant): Verdict {
  if (!(actual instanceof Fleet)) throw new TypeError('toProve is for a fleet: expect(fleet).toProve(…)');
  const { resolution, setting } = actual;
  const invariant = { ...written, name: 'the invariant' };
  const [fault] = checkInvariant(invariant, [resolution]);
  if (fault !== undefined)
    throw new TypeError([fault.message, ...(fault.hint === undefined ? [] : [fault.hint])].join('; '));
  const [verdict] = prove([invariant], [resolution], setting.hub);
  const [finding] = verdict === undefined ? [] : proofFindings(verdict);
  return {
    pass: finding === undefined,
    message: () =>
      isNot
        ? 'expected the invariant not to be proved, but it is'
        : `expected a proof, but ${finding?.message ?? ''}`,
  };
}

/** The types of the matchers in assertions. */
export interface FleetMatchers<R = void> {
  /** The hub installs the add-on. */
  toBeInstalled(): R;
  /** A placement of the install strategy selects the cluster: `namespace/name`, or `name`. */
  toBeSelectedBy(placement: string): R;
  /**
   * The add-on uses a configuration: `namespace/name`, or `name` of a template.
   *
   * @param from - the level that selects it: `default`, `cluster` or `placement namespace/name`
   */
  toUseConfig(config: string, from?: string): R;
  /** Images come from a mirror; with a source, such as `quay.io/acme`, only its images do. */
  toHaveMirror(source?: string): R;
  /**
   * A value of the effective configuration, such as `customizedVariables[LEVEL].value`; without `expected`, it is set
   * to any value.
   */
  toHaveValue(field: string, expected?: unknown): R;
  /** A field of a rendered manifest, such as `Deployment/agent .spec.replicas`; without `expected`, it exists. */
  toRender(field: string, expected?: unknown): R;
  /** For a fleet: an invariant holds for every cluster that may exist, as `fleetwright prove` answers it. */
  toProve(invariant: WrittenInvariant): R;
  /** For `fleet.addon(name)`: a first installation takes at most this number of waves. */
  toRollOutInAtMost(waves: number): R;
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any -- vitest's own parameter, which has to be the same here
  interface Matchers<T = any> extends FleetMatchers<T> {}
}

function judge(
  { isNot = false }: MatcherContext,
  actual: unknown,
  what: string,
  find: (subject: Subject) => Fact,
): Verdict {
  if (!(actual instanceof ClusterAddOns))
    throw new TypeError(
      'this matcher is for fleet.cluster(name).addon(name), or fleet.clusters(labels).addon(name)',
    );
  const { fleet, name: addOn, clusters, words } = actual;
  const wrong = clusters.flatMap((cluster) => {
    const finding = find({ fleet, addOn, cluster });
    return finding.holds === isNot ? [{ cluster, finding }] : [];
  });
  const [first] = wrong;
  const message = (): string => {
    if (first === undefined) return `"${addOn}" is as expected`;
    if (words === undefined) {
      const lines = indented(first.finding.why(), '  ');
      return [`expected "${addOn}" on ${first.cluster} ${isNot ? 'not ' : ''}${what}`, ...lines].join('\n');
    }
    const all = `${clusterCount(clusters.length)}${words}`;
    const head = isNot
      ? `expected "${addOn}" ${what} on none of ${all}, but it does on ${wrong.length}`
      : `expected "${addOn}" ${what} on all of ${all}, but it does not on ${wrong.length}`;
    const failures = wrong
      .slice(0, mostClusters)
      .flatMap(({ cluster, finding }) => [`  ${cluster}:`, ...indented(finding.why(), '    ')]);
    const more = wrong.length > mostClusters ? [`  and ${wrong.length - mostClusters} more`] : [];
    return [head, ...failures, ...more].join('\n');
  };
  return { pass: wrong.length === 0 ? !isNot : isNot, message };
}

function indented(lines: readonly string[], by: string): string[] {
  return lines.map((line) => by + line);
}

/** Without an expectation, any value matches. */
function isAsExpected(
  { equals }: MatcherContext,
  expected: readonly unknown[],
): ((value: unknown) => boolean) | undefined {
  return expected.length === 0 ? undefined : (value) => equals(value, expected[0]);
}

function expectedWords(expected: readonly unknown[]): string {
  return expected.length === 0 ? '' : ` ${valueWords(expected[0])}`;
}
