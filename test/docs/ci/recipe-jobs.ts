import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { root } from '../../linked-repository.ts';

export const recipes = ['github', 'gitlab', 'azure', 'jenkins', 'tekton'] as const;
export type Recipe = (typeof recipes)[number];

type Variables = Readonly<Record<string, string>>;

/** A part of a job that a forge runs as one process. */
export interface RecipeStep {
  readonly script: string;
  /** The program, as the forge calls it; the script is its last argument. */
  readonly shell: readonly string[];
  readonly env: Variables;
  /** Whether it runs after a step that failed, too. */
  readonly always: boolean;
}

export type JobName = 'clone' | 'plan' | 'comment' | 'check';

/** What a forge knows about a request. */
export interface RecipeRequest {
  /** The commit that the request left the branch main at. */
  readonly base: string;
  readonly head: string;
  /** The address of the repository. */
  readonly url: string;
  /** The address of the forge, for comments. */
  readonly forge: string;
  readonly workspace: string;
}

/** Returns the steps of a job as a recipe has them, in their order. Empty if the recipe has no such job. */
export function recipeSteps(recipe: Recipe, job: JobName, request: RecipeRequest): readonly RecipeStep[] {
  return stepsOf[recipe](job, request);
}

const read = (name: string): string => readFileSync(path.join(root, 'docs/ci', name), 'utf8');

const stepsOf: Readonly<Record<Recipe, (job: JobName, request: RecipeRequest) => readonly RecipeStep[]>> = {
  github(job, request) {
    const { jobs } = parse(read('github.yaml')) as {
      readonly jobs: Readonly<
        Partial<
          Record<
            JobName,
            {
              readonly env?: Variables;
              readonly steps: readonly {
                readonly run?: string;
                readonly if?: string;
                readonly env?: Variables;
              }[];
            }
          >
        >
      >;
    };
    const context: Variables = {
      'github.event_name': 'pull_request',
      'github.base_ref': 'main',
      'github.sha': request.head,
      'github.token': 'unknown',
      'github.server_url': request.forge,
      'github.repository': 'team/fleet',
      'github.event.number': '7',
      'github.run_id': '8',
      'github.event.pull_request.head.sha': request.head,
      'needs.plan.result': 'success',
    };
    const filled = (variables: Variables = {}): Variables =>
      Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [
          name,
          value.replaceAll(
            /\$\{\{ (.+?) \}\}/g,
            (_all, expression: string) =>
              expression.split(' || ').flatMap((key) => context[key] ?? [])[0] ?? '',
          ),
        ]),
      );
    return (jobs[job]?.steps ?? []).flatMap(({ run, if: condition, env }) =>
      run === undefined
        ? []
        : {
            script: run,
            shell: ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'],
            env: {
              GITHUB_WORKSPACE: request.workspace,
              GITHUB_STEP_SUMMARY: `${request.workspace}.summary`,
              ...filled(jobs[job]?.env),
              ...filled(env),
            },
            always: condition?.includes('!cancelled()') === true,
          },
    );
  },

  gitlab(job, request) {
    const jobs = parse(read('gitlab.yaml')) as Readonly<
      Record<
        string,
        {
          readonly extends?: string;
          readonly before_script?: readonly string[];
          readonly script?: readonly string[];
          readonly variables?: Variables;
        }
      >
    >;
    const chosen = jobs[`fleetwright:${job}`];
    if (chosen === undefined) return [];
    const shared = jobs[chosen.extends ?? ''] ?? {};
    const known: Variables = {
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: request.base,
      CI_COMMIT_SHA: request.head,
      CI_COMMIT_BEFORE_SHA: '0'.repeat(40),
      CI_PROJECT_DIR: request.workspace,
      CI_PROJECT_URL: `${request.forge}/team/fleet`,
      CI_API_V4_URL: `${request.forge}/api`,
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_IID: '7',
      CI_PIPELINE_URL: `${request.forge}/pipelines/8`,
    };
    const declared = Object.entries({ ...shared.variables, ...chosen.variables }).map(([name, value]) => [
      name,
      value.replaceAll(/\$(\w+)/g, (_all, variable: string) => known[variable] ?? ''),
    ]);
    const lines = [...(chosen.before_script ?? shared.before_script ?? []), ...(chosen.script ?? [])];
    return [
      {
        script: lines.join('\n'),
        shell: ['bash', '-eo', 'pipefail', '-c'],
        env: { ...known, ...(Object.fromEntries(declared) as Variables) },
        always: false,
      },
    ];
  },

  azure(job, request) {
    const { jobs } = parse(read('azure.yaml')) as {
      readonly jobs: readonly {
        readonly job: string;
        readonly steps: readonly { readonly bash?: string; readonly condition?: string }[];
      }[];
    };
    return (jobs.find((each) => each.job === job)?.steps ?? []).flatMap(({ bash, condition }) =>
      bash === undefined
        ? []
        : {
            script: bash,
            shell: ['bash', '--noprofile', '--norc', '-c'],
            env: {
              BUILD_REASON: 'PullRequest',
              BUILD_SOURCEBRANCH: 'refs/pull/7/merge',
              BUILD_SOURCEVERSION: request.head,
              BUILD_SOURCESDIRECTORY: request.workspace,
              SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
            },
            always: condition !== undefined,
          },
    );
  },

  jenkins(job, request) {
    const stage = { clone: 'Clone', plan: 'Plan', check: 'Check', comment: undefined }[job];
    const [, text = ''] =
      new RegExp(`stage\\('${stage}'\\)([\\s\\S]*?)\\n    \\}\\n`).exec(read('Jenkinsfile')) ?? [];
    // Those that a Groovy script calls return a value.
    return [...text.matchAll(/^ +sh '(?:''\n([\s\S]*?)''|([^'\n]+))'$/gm)].map(([, long, short]) => ({
      script: long ?? short ?? '',
      shell: ['sh', '-xec'],
      env: {
        HOME: `${request.workspace}@tmp/home`,
        WORKSPACE: request.workspace,
        CHANGE_TARGET: 'main',
        BRANCH_NAME: 'PR-7',
        PREVIOUS: '',
        COMMIT: request.head,
      },
      always: false,
    }));
  },

  tekton(job, request) {
    const { spec } = parse(read('tekton.yaml')) as {
      readonly spec: {
        readonly pipelineSpec: Readonly<
          Record<
            'tasks' | 'finally',
            readonly {
              readonly name: string;
              readonly taskSpec: { readonly steps: readonly { readonly script: string }[] };
            }[]
          >
        >;
      };
    };
    const task = [...spec.pipelineSpec.tasks, ...spec.pipelineSpec.finally].find(({ name }) => name === job);
    return (task?.taskSpec.steps ?? []).map(({ script }) => ({
      // The home folder in the container of the step.
      script: script.replace('/tmp/home', `${request.workspace}.clone-home`),
      shell: ['sh', '-c'],
      env: {
        URL: request.url,
        REVISION: request.head,
        EVENT: 'pull_request',
        TARGET: 'main',
        BEFORE: '{{ body.before }}',
        AUTH: `${request.workspace}.auth`,
      },
      always: false,
    }));
  },
};
