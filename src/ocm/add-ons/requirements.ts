/** How far a required add-on has to be on a cluster before the add-on that requires it is delivered there. */
export type RequiredState = 'available' | 'installed';

/** An add-on that another one requires on each of its clusters. */
export interface AddOnRequirement {
  /** The name of the required add-on. */
  readonly name: string;
  readonly state: RequiredState;
  /** The values that customized variables of the required add-on must have on the cluster. */
  readonly variables: ReadonlyMap<string, string>;
  /** A constraint of the version, such as `>=1.14,<2`. @default - any version */
  readonly version?: string;
  /** A constraint of the version of its Helm chart. @default - any version */
  readonly chart?: string;
  /** The values that fields of its configurations must have. @default - any value */
  readonly fields?: readonly RequiredField[];
}

/** A field of the configuration of a required add-on, or of the values of its chart, and its value. */
export interface RequiredField {
  /** The plural of the kind: `addondeploymentconfigs`. For a chart, `values`. */
  readonly resource: string;
  /** The names of the fields from the object on, separated by dots: `spec.agentInstallNamespace`. */
  readonly path: string;
  readonly value: string;
}

/** A line that is not a requirement. */
export interface RequirementFault {
  /** Starts at 1. */
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

/** The requirements in the text of an annotation, and the lines that are not valid. */
export interface ParsedRequirements {
  readonly requirements: readonly AddOnRequirement[];
  readonly faults: readonly RequirementFault[];
}

const form =
  'write NAME, NAME installed, or NAME with conditions such as VARIABLE=VALUE or version>=1.2, one add-on per line';
// As the CRDs: a name of an object, and the name of a customized variable.
const namePattern = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const variablePattern = /^[a-zA-Z_][_a-zA-Z0-9]*$/;
const fieldPattern = /^([a-z][a-z0-9]*):([^\s.:]+(?:\.[^\s.:]+)*)$/;
const versionPattern = /^(version|chart)(?:=(=.*)|([<>~^!].*))$/s;
/** A word, or a condition with a value in double quotes, as JSON has them. */
const wordPattern = /[^\s="]+="(?:[^"\\]|\\.)*"(?=\s|$)|\S+/g;

/**
 * Reads the annotation with the requirements of an add-on, one per line. A line is the name of the required add-on, `installed` if the
 * add-on need not be Available first, and variables with the values that they must have.
 */
export function parseRequirements(addOn: string, text: string): ParsedRequirements {
  const requirements = new Map<string, AddOnRequirement>();
  const faults: RequirementFault[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.match(wordPattern);
    if (words === null) continue;
    const parsed = parseLine(words);
    const fault = 'hint' in parsed ? parsed : faultOfName(parsed.name, addOn, requirements);
    if (fault !== undefined) faults.push({ line: index + 1, ...fault });
    else if (!('hint' in parsed)) requirements.set(parsed.name, parsed);
  }
  if (requirements.size === 0 && faults.length === 0)
    faults.push({ line: 1, message: 'the annotation names no add-on', hint: `${form}, or remove it` });
  return { requirements: [...requirements.values()], faults };
}

type Fault = Omit<RequirementFault, 'line'>;

function faultOfName(
  name: string,
  addOn: string,
  earlier: ReadonlyMap<string, AddOnRequirement>,
): Fault | undefined {
  if (name === addOn)
    return { message: `add-on "${addOn}" requires itself`, hint: 'remove the line, or correct the name' };
  if (earlier.has(name))
    return { message: `add-on "${name}" is required twice`, hint: 'write all conditions in one line' };
  return undefined;
}

function parseLine([name = '', ...words]: readonly string[]): AddOnRequirement | Fault {
  if (!namePattern.test(name) || name.length > 253)
    return { message: `"${name}" is not a name of an add-on`, hint: form };
  const conditions: Conditions = { variables: new Map(), versions: new Map(), fields: [] };
  const states: RequiredState[] = [];
  for (const word of words) {
    if (word === 'available' || word === 'installed') {
      states.push(word);
      continue;
    }
    const fault = addCondition(word, conditions);
    if (fault !== undefined) return fault;
  }
  if (states.length > 1)
    return { message: 'the line has two states', hint: 'write "available" or "installed" once' };
  const { variables, versions, fields } = conditions;
  return {
    name,
    state: states[0] ?? 'available',
    variables,
    ...Object.fromEntries(versions),
    ...(fields.length > 0 && { fields }),
  };
}

interface Conditions {
  readonly variables: Map<string, string>;
  readonly versions: Map<string, string>;
  readonly fields: RequiredField[];
}

/** Adds a condition to those of a line. Returns a fault if it is not one. */
function addCondition(word: string, { variables, versions, fields }: Conditions): Fault | undefined {
  const ofVersion = versionPattern.exec(word);
  if (ofVersion !== null) {
    const [, kind = '', exact, range] = ofVersion;
    if (versions.has(kind))
      return {
        message: `the line has two conditions for "${kind}"`,
        hint: `separate constraints with commas: ${kind}>=1.2,<2`,
      };
    versions.set(kind, exact ?? range ?? '');
    return undefined;
  }
  const equals = word.indexOf('=');
  if (equals < 0)
    return {
      message: `"${word}" is neither a state nor a condition`,
      hint: `use "available" (the default) or "installed", or a condition: VARIABLE=VALUE, version>=1.2, chart>=1.2 or RESOURCE:FIELD=VALUE`,
    };
  const [left, value] = [word.slice(0, equals), valueOf(word.slice(equals + 1))];
  const field = fieldPattern.exec(left);
  if (field === null && !variablePattern.test(left))
    return { message: `"${left}" is not a name of a customized variable`, hint: form };
  if (value === undefined)
    return {
      message: `the value of "${left}" has an invalid escape`,
      hint: 'write a value in double quotes as in JSON',
    };
  const [, resource = '', path = ''] = field ?? [];
  const isRepeated =
    field === null
      ? variables.has(left)
      : fields.some((each) => each.resource === resource && each.path === path);
  if (isRepeated) return { message: `the line has two values for "${left}"`, hint: 'write one value' };
  if (field === null) variables.set(left, value);
  else fields.push({ resource, path, value });
  return undefined;
}

function valueOf(text: string): string | undefined {
  if (!/^".*"$/s.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns a requirement as a line of the annotation. */
export function requirementLine(requirement: AddOnRequirement): string {
  const { name, state } = requirement;
  return [name, ...(state === 'installed' ? [state] : []), ...conditionWords(requirement)].join(' ');
}

/** Returns the conditions of a requirement, as they are written in a line. */
export function conditionWords({
  variables,
  version,
  chart,
  fields = [],
}: Omit<AddOnRequirement, 'name' | 'state'>): readonly string[] {
  return [
    ...(version === undefined ? [] : [versionWord('version', version)]),
    ...(chart === undefined ? [] : [versionWord('chart', chart)]),
    ...Array.from(variables, ([variable, value]) => `${variable}=${written(value)}`),
    ...fields.map(({ resource, path, value }) => `${resource}:${path}=${written(value)}`),
  ];
}

/** A constraint without an operator is one version. Spaces would end the word. */
function versionWord(kind: 'version' | 'chart', constraint: string): string {
  const text = constraint.replace(/\s*,\s*/g, ',').replace(/\s*\|\|\s*/g, '||');
  return `${kind}${/^[<>~^!]/.test(text) ? '' : `=${text.startsWith('=') ? '' : '='}`}${text.replaceAll(' ', '')}`;
}

function written(value: string): string {
  return /^[^\s"]*$/.test(value) ? value : JSON.stringify(value);
}
