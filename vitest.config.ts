import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config';
import { commandTests } from './test/command-tests.ts';
import { slowestFirst } from './test/hub/process/slowest-first.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const packageTests = [
  'test/package/install.test.ts',
  'test/package/image-steps.test.ts',
  'test/package/vscode-extension.test.ts',
];

const dayTests = ['test/hub/day.test.ts'];

/** The suites: `npm test` runs `unit`, and `npm run test:NAME` each other one. */
const projects = {
  unit: {
    include: ['test/**/*.test.ts'],
    // Those directly in test/hub need a real hub, those in test/browser and test/vscode a browser, those in test/gitops tools built with Go,
    // and three in test/package the npm registry or root. commandTests run other programs for seconds.
    exclude: [
      'test/hub/*.test.ts',
      'test/browser/**',
      'test/vscode/**',
      'test/gitops/**',
      ...packageTests,
      ...commandTests,
    ],
    globalSetup: ['test/temporary-folder.setup.ts', 'test/without-go.setup.ts'],
    // Files share the modules that they import: to load them again for each costs more than the tests.
    isolate: false,
    // More than processors: a fourth of the time, a test waits for a clock or a connection.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Keeps transformed modules from one run to the next.
    experimental: { fsModuleCache: true },
    // A machine may be many times slower than ours, and pause for seconds. These limits end tests that hang.
    ...limits({ minutes: 2 }),
    expect: { poll: { timeout: 60_000 } },
  },
  // Whole commands as programs, with Git, npm, tsc and other programs.
  commands: {
    include: [...commandTests],
    globalSetup: 'test/temporary-folder.setup.ts',
    isolate: false,
    maxWorkers: '100%',
    experimental: { fsModuleCache: true },
    ...limits({ minutes: 2 }),
    expect: { poll: { timeout: 60_000 } },
  },
  // Compares emitted trees with the tools that read them. Go builds the tools.
  gitops: {
    include: ['test/gitops/*.test.ts'],
    globalSetup: ['test/temporary-folder.setup.ts', 'test/gitops/build-tools.ts'],
    // The tests mostly wait for engines and rollouts. Every file has its own hub, folder and ports.
    maxWorkers: Math.min(4, availableParallelism() + 2),
    ...limits({ minutes: 5 }),
  },
  // Compares with a real hub. The files of a worker share a hub, so each worker has its own.
  hub: {
    include: ['test/hub/*.test.ts'],
    exclude: dayTests,
    globalSetup: ['test/temporary-folder.setup.ts', 'test/hub/process/global-setup.ts'],
    // Two processors are idle more than half of the time with three workers, because the tests wait for hubs and agents. A hub
    // takes up to a gigabyte.
    maxWorkers: Math.min(5, availableParallelism() + 3),
    ...limits({ minutes: 15, hookMinutes: 5 }),
  },
  // A day of a fleet on a hub of its own, and nothing beside it: its hours take seconds.
  day: {
    include: dayTests,
    globalSetup: 'test/temporary-folder.setup.ts',
    ...limits({ minutes: 15 }),
  },
  // The package as its users have it. It asks the npm registry for its dependencies and for Node, and runs the steps of the
  // Dockerfiles as root.
  package: {
    include: packageTests,
    globalSetup: 'test/temporary-folder.setup.ts',
    ...limits({ minutes: 15 }),
  },
  // Opens a repository in Visual Studio Code. Its packages come from the npm registry, and its native modules are compiled.
  vscode: {
    include: ['test/vscode/*.test.ts'],
    globalSetup: ['test/temporary-folder.setup.ts', 'test/vscode/install-code-server.ts'],
    ...limits({ minutes: 5, hookMinutes: 5 }),
    expect: { poll: { timeout: 60_000 } },
  },
  // Opens the HTML reports in Chromium, and YAML in Neovim.
  browser: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/temporary-folder.setup.ts',
    fileParallelism: false,
    ...limits({ minutes: 5 }),
    expect: { poll: { timeout: 60_000 } },
  },
} satisfies Readonly<Record<string, Options>>;

/** The slowest files of these suites, slowest first. */
const slow = [
  'test/cli/editor/random-edits.test.ts',
  'test/promotion/wrong-answers.test.ts',
  'test/engines/charts/hostile.test.ts',
  'test/compiler/prove/prove.test.ts',
  'test/cli/import-chart.test.ts',
  'test/promotion/plan-of-promotion.test.ts',
  'test/promotion/random-promotions.test.ts',
  'test/compiler/status/status.test.ts',
  'test/storm/storm.test.ts',
  'test/promotion/hub-delivery.test.ts',
  'test/promotion/promote.test.ts',
  'test/docs/ci.test.ts',
  ...[
    'argo-cd-apps',
    'flux-guides',
    'flux-engine',
    'argo-cd-promotion',
    'argo-cd-rollout',
    'argo-cd-recovery',
    'argo-cd-removal',
    'argo-cd-requirements',
    'flux-requirements',
    'argo-cd-overrides',
    'flux-promotion',
    'flux-recovery',
    'argo-cd-guides',
    'argo-cd-hubs',
  ].map((name) => `test/gitops/${name}.test.ts`),
  ...[
    'record',
    'verify',
    'decision-history',
    'drift',
    'differential',
    'apply',
    'parameters',
    'plan-is-true',
    'rollout-times',
    'requirements',
    'companion-endings',
    'status-controller',
    'overrides',
    'status-churn',
    'companion-churn',
    'work-replica-sets',
    'companion-certificates',
    'fleet-pull',
    'status',
    'companion-hooks',
  ].map((name) => `test/hub/${name}.test.ts`),
];

/** `--maxWorkers` is an option of the whole run, and would lose against that of a project. */
const maxWorkersOfCommandLine: Plugin = {
  name: 'max-workers-of-command-line',
  configureVitest({ vitest, project }) {
    if (vitest.config.maxWorkers) project.config.maxWorkers = vitest.config.maxWorkers;
  },
};

export default defineConfig({
  resolve: { alias: { fleetwright: fileURLToPath(new URL('constructs/index.ts', import.meta.url)) } },
  plugins: [maxWorkersOfCommandLine],
  test: {
    // Hubs that the tests started take long to end.
    teardownTimeout: 60_000,
    sequence: { sequencer: slowestFirst(slow) },
    projects: Object.entries(projects).map(([name, options], groupOrder) => ({
      extends: true as const,
      test: { name, sequence: { groupOrder }, ...options },
    })),
  },
});

function limits({
  minutes,
  hookMinutes = minutes,
}: {
  readonly minutes: number;
  readonly hookMinutes?: number;
}) {
  return { testTimeout: minutes * 60_000, hookTimeout: hookMinutes * 60_000 };
}
