import type { FindingArguments } from '../../terminal/findings-report.ts';
import type { HubArguments, TimingArguments } from '../../options.ts';
import type { CompareArguments } from './compared-states.ts';
import type { GuardrailArguments } from './guardrails.ts';

/** The arguments of `plan`. */
export interface PlanArguments
  extends HubArguments, GuardrailArguments, CompareArguments, TimingArguments, FindingArguments {
  readonly 'max-age': string | undefined;
  readonly by: string | undefined;
  readonly output: readonly string[];
  readonly 'link-base': string | undefined;
  readonly 'detailed-exit-code': boolean;
  readonly verify: string | undefined;
  readonly 'show-secrets': boolean;
  readonly watch: boolean;
  readonly serve: boolean;
  readonly port: number | undefined;
}

/** The arguments of `plan BASE`, without options. */
export function argumentsOf(base: string): PlanArguments {
  return {
    state: [base],
    against: undefined,
    app: [],
    apps: undefined,
    fleet: [],
    'run-apps': undefined,
    hub: [],
    'hub-version': undefined,
    'api-version': undefined,
    now: undefined,
    kubeconfig: undefined,
    context: undefined,
    policy: undefined,
    'policy-from': 'base',
    'max-uninstalls': undefined,
    'max-deletions': undefined,
    'max-deleted-applications': undefined,
    'max-stopped-policies': undefined,
    'at-most': [],
    protect: [],
    approve: [],
    strict: false,
    all: false,
    timings: false,
    'max-age': undefined,
    by: undefined,
    output: [],
    'link-base': undefined,
    'detailed-exit-code': false,
    verify: undefined,
    'show-secrets': false,
    watch: false,
    serve: false,
    port: undefined,
  };
}
