import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { importOf, printFunction, printModule, type ModulePart } from './print.ts';
import type { Statement } from './expression.ts';
import type { Section } from '../kinds.ts';
import { Ids, VariableNames } from './names.ts';
import { namesIn } from '../walk.ts';

/** Statements that belong together: one object and the statements that it needs. */
export interface Part {
  readonly section: Section;
  readonly statements: readonly Statement[];
  /** The add-on that the part belongs to, if it belongs to exactly one. */
  readonly addOn: string | undefined;
}

/** An app with more lines than this and several add-ons has one file per add-on. */
const largeApp = 400;

const titles: Readonly<Record<Section, string>> = {
  hub: '// --- Hub ---',
  clusters: '// --- Clusters ---',
  configs: '// --- Configuration ---',
  'add-ons': '// --- Add-ons ---',
};

/**
 * Returns the modules of an app by name: `app.ts`; if the app is large, also `hub.ts` and one per add-on.
 *
 * @param plusModule - the release of cdk8s-plus that they import
 */
export function writeModules(
  charts: readonly Statement[],
  parts: readonly Part[],
  plusModule = defaultPlusModule,
): Map<string, string> {
  const modules = modulesOf(charts, parts);
  if (plusModule === defaultPlusModule) return modules;
  return new Map(
    [...modules].map(([file, text]) => [
      file,
      text.replace(`from '${defaultPlusModule}';`, `from '${plusModule}';`),
    ]),
  );
}

const defaultPlusModule = 'cdk8s-plus-27';

function modulesOf(charts: readonly Statement[], parts: readonly Part[]): Map<string, string> {
  const singleModule = module(
    ['const app = new App();', '', ...charts.flatMap((chart) => used(chart, parts)), ...body(parts, parts)],
    statementsOf(charts, parts, parts),
    'export default app;',
  );
  const owned = withOwners(parts);
  const addOns = [...new Set(owned.flatMap(({ addOn }) => (addOn === undefined ? [] : [addOn])))];
  if (addOns.length < 2 || singleModule.split('\n').length <= largeApp)
    return new Map([['app.ts', singleModule]]);
  return split(charts, owned, addOns);
}

function split(
  charts: readonly Statement[],
  parts: readonly Part[],
  addOns: readonly string[],
): Map<string, string> {
  const shared = parts.filter(({ addOn }) => addOn === undefined);
  const sharedNames = new Set(
    [...charts, ...shared.flatMap(({ statements }) => statements)].flatMap(({ name }) => name ?? []),
  );
  const byAddOn = new Map(addOns.map((addOn): [string, Part[]] => [addOn, []]));
  for (const part of parts) if (part.addOn !== undefined) byAddOn.get(part.addOn)?.push(part);
  const fileNames = new Ids();
  for (const name of ['app', 'hub']) fileNames.take([name]);
  const functionNames = new VariableNames();
  const files = [...byAddOn].map(([addOn, addOnParts]) => {
    const statements = statementsOf([], addOnParts, addOnParts);
    const sharedImports = [...namesIn(statements)].filter((name) => sharedNames.has(name));
    const file = `${fileNames.take([addOn, `${addOn}-add-on`])}.ts`;
    return {
      addOn,
      addOnParts,
      statements,
      sharedImports,
      file,
      name: functionNames.take([`add-${addOn}`]),
    };
  });
  const exported = new Set(['app', ...files.flatMap(({ sharedImports }) => sharedImports)]);
  const modules = new Map<string, string>();
  modules.set(
    'app.ts',
    printModule([
      ...files.map(({ file, name }) => importOf([name], `./${file}`)),
      "import { app } from './hub.ts';",
      '',
      ...files.map(({ name }) => `${name}();`),
      '',
      'export default app;',
    ]),
  );
  modules.set(
    'hub.ts',
    module(
      [
        'export const app = new App();',
        '',
        ...charts
          .flatMap((chart) => used(chart, parts))
          .map((chart) => ({ ...chart, exported: exported.has(chart.name ?? '') })),
        ...body(shared, parts, exported),
      ],
      statementsOf(charts, shared, parts),
    ),
  );
  for (const { addOn, addOnParts, statements, sharedImports, file, name } of files) {
    const text = printFunction(name, trimmed(body(addOnParts, addOnParts, new Set(), 'function')));
    modules.set(
      file,
      printModule([
        ...importsOf(statements),
        ...(sharedImports.length === 0 ? [] : [importOf([...sharedImports].sort(), './hub.ts')]),
        '',
        `/** The add-on ${addOn}, with what it alone uses. */`,
        text,
      ]),
    );
  }
  return modules;
}

/** Matches a line of the `app.ts` of a large app, as `split` writes it. */
const splitLine = /^(?:import \{ \w+ \} from '\.\/([^/']+\.ts)';|\w+\(\);|export default app;|)$/;

/**
 * Returns the modules that the `app.ts` of an earlier import imports. Empty if a user has edited it, or if it is the only module.
 */
export function importedModules(appFile: string): readonly string[] {
  const lines = appFile.split('\n').map((line) => splitLine.exec(line));
  return lines.every((match) => match !== null) ? lines.flatMap((match) => match?.[1] ?? []) : [];
}

/** Returns the statements that are needed. */
function statementsOf(
  charts: readonly Statement[],
  parts: readonly Part[],
  users: readonly Part[],
): Statement[] {
  const statements = [...charts, ...parts.flatMap((part) => part.statements)];
  return statements.flatMap((statement) => used(statement, users));
}

/** Assigns each part that only one add-on uses to that add-on. */
function withOwners(parts: readonly Part[]): Part[] {
  const users = new Map<string, Set<string | undefined>>();
  // from the end, because uses come after definitions
  const owned = parts.toReversed().map((part): Part => {
    const names = part.statements.flatMap(({ name }) => name ?? []);
    const owners = new Set(names.flatMap((name) => [...(users.get(name) ?? [])]));
    const [owner, ...others] = owners;
    const addOn = part.addOn ?? (others.length === 0 ? owner : undefined);
    for (const name of namesIn(part.statements)) {
      if (!names.includes(name)) users.set(name, (users.get(name) ?? new Set()).add(addOn));
    }
    return { ...part, addOn };
  });
  return owned.toReversed();
}

function module(parts: readonly ModulePart[], statements: readonly Statement[], end?: string): string {
  return printModule([
    ...importsOf(statements, 'App', 'Chart'),
    '',
    ...trimmed(parts),
    ...(end === undefined ? [] : ['', end]),
  ]);
}

function trimmed(parts: readonly ModulePart[]): readonly ModulePart[] {
  const first = parts.findIndex((part) => part !== '');
  const last = parts.findLastIndex((part) => part !== '');
  return parts.slice(first, last + 1);
}

const classes =
  'AddOnConfig AddOnDeploymentConfig AddOnTemplate ApiObject App Chart ClusterManagementAddOn ClusterManager ConditionRule DecisionGroup ' +
  'Duration Feedback HubPermission JsonPatch Klusterlet ManagedClusterAddOn ManagedClusterSet ManagedClusterSetBinding ' +
  'ManifestConfig Placement Prioritizer Registration Rollout Selector Size Toleration UpdateStrategy Variable';
const classNames: ReadonlySet<string> = new Set(classes.split(' '));

function importsOf(statements: readonly Statement[], ...always: readonly string[]): string[] {
  const names = namesIn(statements);
  const imported = [...new Set([...always, ...names])].filter((name) => classNames.has(name)).sort();
  return [
    ...(names.has('kplus') ? [`import * as kplus from '${defaultPlusModule}';`] : []),
    importOf(imported, 'fleetwright'),
  ];
}

/** Returns a statement in the form that is needed: without its name if nothing uses it; undefined if it also has no effect. */
function used(statement: Statement, parts: readonly Part[]): Statement[] {
  const { name, ...unnamed } = statement;
  if (name === undefined || isUsed(name, parts)) return [statement];
  return createsObject(statement) ? [unnamed] : [];
}

function isUsed(name: string, parts: readonly Part[]): boolean {
  return usesOf(parts).has(name);
}

const uses = new WeakMap<readonly Part[], ReadonlySet<string>>();

function usesOf(parts: readonly Part[]): ReadonlySet<string> {
  return getOrInsertComputed(uses, parts, () => namesIn(parts.flatMap(({ statements }) => statements)));
}

/** Whether the statement creates an object. Other statements only name something. */
function createsObject({ value }: Statement): boolean {
  return (
    value.type === 'new' ||
    (value.type === 'call' && value.callee.type === 'member' && value.callee.member === 'forCluster')
  );
}

/** Prints the parts by section, with empty lines around multi-line parts. In a function there are no titles. */
function body(
  parts: readonly Part[],
  users: readonly Part[],
  exported: ReadonlySet<string> = new Set(),
  level: 'module' | 'function' = 'module',
): ModulePart[] {
  const lines: ModulePart[] = [];
  const sections = new Set(parts.map(({ section }) => section));
  for (const section of sections) {
    if (level === 'module' && sections.size > 1) lines.push('', titles[section], '');
    let wasLong = true;
    for (const part of parts.filter((candidate) => candidate.section === section)) {
      const statements = part.statements
        .flatMap((statement) => used(statement, users))
        .map((statement) => ({ ...statement, exported: exported.has(statement.name ?? '') }));
      if (statements.length === 0) continue;
      const text = printModule(statements).trimEnd();
      const isLong = text.includes('\n');
      if (isLong || wasLong) lines.push('');
      // in a function they are indented, which leaves less room on their lines
      lines.push(...(level === 'module' ? [text] : statements));
      wasLong = isLong;
    }
  }
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '');
}
