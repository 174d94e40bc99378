/** How far a required add-on has to be on a cluster before the add-on that requires it is delivered there. */
export type RequiredState = 'available' | 'installed';

/** An add-on that another one requires on each of its clusters. */
export interface AddOnRequirement {
  /** The name of the required add-on. */
  readonly name: string;
  readonly state: RequiredState;
  /** The values that customized variables of the required add-on must have on the cluster. */
  readonly variables: ReadonlyMap<string, string>;
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

const form = 'write NAME, NAME installed, or NAME VARIABLE=VALUE, one add-on per line';
// As the CRDs: a name of an object, and the name of a customized variable.
const namePattern = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const variablePattern = /^[a-zA-Z_][_a-zA-Z0-9]*$/;
/** A word, or a variable with a value in double quotes, as JSON has them. */
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
  const variables = new Map<string, string>();
  const states: RequiredState[] = [];
  for (const word of words) {
    const equals = word.indexOf('=');
    if (word === 'available' || word === 'installed') {
      states.push(word);
      continue;
    }
    if (equals < 0)
      return {
        message: `"${word}" is neither a state nor a condition`,
        hint: `use "available" (the default) or "installed", or VARIABLE=VALUE`,
      };
    const [variable, value] = [word.slice(0, equals), valueOf(word.slice(equals + 1))];
    if (!variablePattern.test(variable))
      return { message: `"${variable}" is not a name of a customized variable`, hint: form };
    if (value === undefined)
      return {
        message: `the value of "${variable}" has an invalid escape`,
        hint: 'write a value in double quotes as in JSON',
      };
    if (variables.has(variable))
      return { message: `the line has two values for "${variable}"`, hint: 'write one value' };
    variables.set(variable, value);
  }
  if (states.length > 1)
    return { message: 'the line has two states', hint: 'write "available" or "installed" once' };
  return { name, state: states[0] ?? 'available', variables };
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
export function requirementLine({ name, state, variables }: AddOnRequirement): string {
  return [
    name,
    ...(state === 'installed' ? [state] : []),
    ...Array.from(variables, ([variable, value]) => `${variable}=${written(value)}`),
  ].join(' ');
}

function written(value: string): string {
  return /^[^\s"]*$/.test(value) ? value : JSON.stringify(value);
}
