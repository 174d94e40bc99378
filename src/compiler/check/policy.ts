import { cel028 } from '../../engines/cel/behaviour.ts';
import { compile } from '../../engines/cel/compile.ts';
import { expressionCostLimit } from '../../engines/cel/run/cost.ts';
import { placementFunctions, type PlacementContext } from '../place/cel/placement-functions.ts';
import { kubernetesEnvironment } from '../../engines/cel/check/environment.ts';
import { CostLimitExceeded, Run } from '../../engines/cel/run/evaluation.ts';
import { Source, type ExpressionFault } from '../../engines/cel/syntax/source.ts';
import { formatType, isDyn } from '../../engines/cel/check/types.ts';
import { typeName, type CelResult } from '../../engines/cel/values/value.ts';
import { CannotTell, CelError, CelPanic } from '../../engines/cel/error.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { referenceTo, type Inventory } from '../model/inventory.ts';
import type { Location } from '../model/origin.ts';
import { clusterCount } from '../model/words.ts';
import { PolicyValues, policyVariables } from './policy-values.ts';
import type { CheckInput } from './rule.ts';

/** Whether a violation makes the command fail. */
export type PolicySeverity = 'error' | 'warning';

/** A condition that every add-on on every cluster must satisfy. */
export interface Policy {
  /** The name that the user chose. */
  readonly name: string;
  /** The requirement or its reason: a sentence without a full stop. */
  readonly message: string;
  readonly severity: PolicySeverity;
  /** The location of the expression. */
  readonly location: Location;
  readonly program: PolicyProgram;
}

/** The compiled form of a policy's expression. Only `checkPolicies` evaluates it. */
export interface PolicyProgram {
  /** @internal */
  (run: Run): CelResult;
}

/** The compiled program of a policy's expression, or its first error. */
export type CompiledPolicy =
  | { readonly program: PolicyProgram }
  | {
      readonly message: string;
      /** In code points from the start of the expression. */
      readonly offset: number;
      readonly hint?: string;
    };

/** The functions of placement selectors and the variables of policies. */
const environment = kubernetesEnvironment(cel028, policyVariables, placementFunctions);

const variablesText = `the variables are ${[...policyVariables.keys()].join(', ')}`;

/** Compiles the expression of a policy, which must return a boolean. */
export function compilePolicy(expression: string): CompiledPolicy {
  const compilation = compile(new Source(expression), environment, cel028);
  if (compilation.outcome === 'faults') return firstOf(compilation.faults, expression);
  if (compilation.outcome !== 'program') return { message: compilation.message, offset: 0 };
  const { compute, type } = compilation;
  if (type.kind !== 'bool' && !isDyn(type))
    return { message: `it returns a ${formatType(type)}, but must return true or false`, offset: 0 };
  return { program: compute };
}

function firstOf(faults: readonly ExpressionFault[], expression: string): CompiledPolicy {
  const [first] = faults.toSorted((a, b) => a.offset - b.offset);
  const offset = Math.max(0, first?.offset ?? 0);
  const message = (first?.message ?? '').replace(" (in container '')", '');
  if (!message.startsWith('undeclared reference')) return { message, offset };
  // CEL reports the first part of a name, but usually one of the other parts is misspelled.
  const [name = ''] = /^[\w.]+(?![\w.(])/.exec(new Source(expression).slice(offset, Infinity)) ?? [];
  const named = name === '' ? message : `undeclared reference to '${name.replace(/\.$/, '')}'`;
  return { message: named, offset, hint: variablesText };
}

/**
 * Evaluates policies for all add-ons on all clusters that have them. Returns one finding per policy and add-on, regardless of the
 * number of clusters that violate it.
 */
export function checkPolicies(input: CheckInput, policies: readonly Policy[]): Diagnostic[] {
  if (policies.length === 0) return [];
  const values = new PolicyValues(input);
  const diagnostics: Diagnostic[] = [];
  for (const { name: addOn, clusters, isHubOwned } of input.configuration.values()) {
    if (isHubOwned === true) continue;
    const verdicts = policies.map((policy) => ({ policy, broken: [] as string[], failed: [] as Failed[] }));
    for (const clusterAddOn of clusters.values()) {
      const variables = values.of(addOn, clusterAddOn);
      for (const { policy, broken, failed } of verdicts) {
        const verdict = evaluate(policy.program, new Run(variables, context, expressionCostLimit));
        if (verdict === false) broken.push(clusterAddOn.cluster);
        else if (verdict !== true) failed.push({ cluster: clusterAddOn.cluster, why: verdict });
      }
    }
    for (const { policy, broken, failed } of verdicts) {
      if (broken.length > 0) diagnostics.push(brokenBy(policy, addOn, broken, clusters.size, input));
      const [first] = failed;
      if (first !== undefined)
        diagnostics.push(
          unanswered(policy, addOn, first, { failed: failed.length, of: clusters.size }, input),
        );
    }
  }
  return diagnostics;
}

interface Failed {
  readonly cluster: string;
  readonly why: string;
}

/** Policies are evaluated for add-ons, without access to scores. */
const context: PlacementContext = { scores: () => undefined };

/** Returns whether the policy holds, or why the result is unknown. */
function evaluate(program: PolicyProgram, run: Run): boolean | string {
  let result: CelResult;
  try {
    result = program(run);
  } catch (error) {
    if (error instanceof CostLimitExceeded) return `its cost exceeds the limit of ${expressionCostLimit}`;
    if (error instanceof CelPanic || error instanceof CannotTell || error instanceof RangeError)
      return error.message;
    throw error;
  }
  if (typeof result === 'boolean') return result;
  return result instanceof CelError
    ? result.message
    : `it returns a ${typeName(result)}, but must return true or false`;
}

const mostNames = 10;

function brokenBy(
  { name, message, severity, location }: Policy,
  addOn: string,
  broken: readonly string[],
  of: number,
  { inventory }: CheckInput,
): Diagnostic {
  const cluster = inventory.managedClusters.get(broken[0] ?? '');
  const more = broken.length > mostNames ? ` and ${broken.length - mostNames} more` : '';
  return diagnostic(severity === 'error' ? 'FW7301' : 'FW7302', {
    message: `${message}: the policy "${name}" is violated for "${addOn}" on ${countOf(broken.length, of)}: ${broken.slice(0, mostNames).join(', ')}${more}`,
    policy: name,
    ...addOnReference(addOn, inventory),
    location,
    hint: `\`fleetwright explain ${broken[0] ?? ''} ${addOn}\` explains where the settings of the add-on come from`,
    ...(cluster === undefined
      ? {}
      : {
          related: [{ message: 'the first of them', location: cluster.origin.locate(['metadata', 'name']) }],
        }),
  });
}

function unanswered(
  { name, location }: Policy,
  addOn: string,
  { cluster, why }: Failed,
  { failed, of }: { readonly failed: number; readonly of: number },
  { inventory }: CheckInput,
): Diagnostic {
  return diagnostic('FW7303', {
    message: `the policy "${name}" cannot be evaluated for "${addOn}" on ${countOf(failed, of)}, including ${cluster}: ${why}`,
    policy: name,
    ...addOnReference(addOn, inventory),
    location,
    hint: "check that a field exists before you read it: 'env' in cluster.labels && cluster.labels.env == 'prod'",
  });
}

function addOnReference(addOn: string, { clusterManagementAddOns }: Inventory): Pick<Diagnostic, 'object'> {
  const admitted = clusterManagementAddOns.get(addOn);
  return admitted === undefined ? {} : { object: referenceTo(admitted.object) };
}

function countOf(some: number, of: number): string {
  return `${some} of ${clusterCount(of)}`;
}
