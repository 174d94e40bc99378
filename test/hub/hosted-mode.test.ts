import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { goJson } from '../../src/base/json/go-json.ts';
import { admitWork } from '../../src/compiler/render/works/works.ts';
import type { Condition, ManifestWorkV1 } from '../../schemas/types.gen.ts';
import { askAddOnFramework, buildHostedMode, type HostedAnswer } from '../hosted-mode/go-program.ts';
import { hostedRequest } from '../hosted-mode/hosted-request.ts';
import { randomHosted } from '../hosted-mode/random-hosted.ts';
import { resolveTemplate, type ResolvedTemplate } from '../compiler/render/template-add-on.ts';

/** How many random add-ons are compared; `HOSTED_CASES=300` compares more. */
const count = Number(process.env['HOSTED_CASES'] ?? 40);
const firstSeed = Number(process.env['HOSTED_SEED'] ?? 1);

// The first build compiles client-go.
beforeAll(buildHostedMode, 900_000);

test("manifests are split between the clusters as by addon-framework's hosted and default sync", () => {
  const cases = Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + index;
    const resolved = resolveTemplate(randomHosted(seed));
    return { seed, resolved, request: hostedRequest(resolved) };
  });
  const answers = askAddOnFramework(cases.map(({ request }) => request));
  const compared = cases.map(({ seed, resolved }, index) => ({
    seed,
    go: goOutcome(answers[index]),
    ours: ourOutcome(resolved),
  }));
  expect(compared.filter(({ go, ours }) => !isDeepStrictEqual(go, ours)).slice(0, 3)).toEqual([]);
  // All outcomes occur.
  const outcomes = compared.map(({ go }) => go);
  expect(outcomes.some(({ works }) => new Set(works.map(({ namespace }) => namespace)).size === 2)).toBe(
    true,
  );
  expect(outcomes.some(({ works }) => works.length > 2)).toBe(true);
  expect(outcomes.some(({ isLocationInvalid }) => isLocationInvalid)).toBe(true);
  expect(outcomes.some(({ conditions }) => goJson(conditions).includes('HostingClusterInvalid'))).toBe(true);
}, 900_000);

/** What the sync decides, in one order. */
interface Outcome {
  readonly works: readonly { readonly namespace: string; readonly text: string }[];
  readonly conditions: readonly object[];
  readonly isLocationInvalid: boolean;
}

const comparedConditions = new Set(['ManifestApplied', 'HostingManifestApplied', 'HostingClusterValidity']);

function outcome(works: readonly ManifestWorkV1[], conditions: readonly Partial<Condition>[]): Outcome {
  const decided = conditions
    .filter(({ type = '' }) => comparedConditions.has(type))
    .map(({ type, status, reason, message }) => ({ type, status, reason, message }))
    .sort((a, b) => (goJson(a) < goJson(b) ? -1 : 1));
  return {
    works: works
      .map((work) => ({ namespace: work.metadata.namespace ?? '', text: workJson(work) }))
      .sort((a, b) => (a.text < b.text ? -1 : 1)),
    conditions: decided,
    isLocationInvalid: goJson(decided).includes('not supported manifest location'),
  };
}

function goOutcome(answer: HostedAnswer | undefined): Outcome {
  const works = (answer?.works ?? []).map((work) => {
    const { apiVersion, kind } = { apiVersion: 'work.open-cluster-management.io/v1', kind: 'ManifestWork' };
    const stored = admitWork({
      apiVersion,
      kind,
      metadata: work.metadata,
      spec: work.spec,
    } as ManifestWorkV1);
    if ('error' in stored) throw new Error(stored.error);
    return stored.work;
  });
  return outcome(works, answer?.conditions ?? []);
}

function ourOutcome(resolved: ResolvedTemplate): Outcome {
  const { works, status } = resolved.on('c1');
  return { ...outcome(works, status.conditions), isLocationInvalid: resolved.found('FW6039').length > 0 };
}

/** Returns the parts of a work that the sync decides. Go leaves the order of manifests of one size undefined. */
function workJson({ metadata, spec }: ManifestWorkV1): string {
  const { name, namespace, labels, annotations, ownerReferences = [] } = metadata;
  const { workload, ...others } = spec ?? {};
  const manifests = (workload?.manifests ?? []).map((each) => goJson(each)).sort();
  const owners = ownerReferences.map(({ uid: _, ...owner }) => owner);
  return goJson({ name, namespace, labels, annotations: annotations ?? {}, owners, others, manifests });
}
