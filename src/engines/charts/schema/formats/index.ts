import { patternProblem } from '../schema-pattern.ts';
import type { SchemaWork } from '../schema-work.ts';
import { emailProblem, hostNameProblem, ipv4Problem, ipv6Problem } from './hosts.ts';
import { pointerProblem, relativePointerProblem, uuidProblem, versionProblem } from './identifiers.ts';
import { dateProblem, dateTimeProblem, durationProblem, periodProblem, timeProblem } from './times.ts';
import { uriProblem, uriReferenceProblem, uriTemplateProblem } from './uris.ts';

/** A format of a text. */
export interface Format {
  readonly name: string;
  /** Returns why a text does not have the format, in the words of Helm's validator; undefined if it does. */
  readonly problem: (text: string, work: SchemaWork) => string | undefined;
}

/** The formats of santhosh-tekuri/jsonschema. A text has a format with any other name. */
const formats: ReadonlyMap<string, Format['problem']> = new Map([
  ['json-pointer', pointerProblem],
  ['relative-json-pointer', relativePointerProblem],
  ['uuid', uuidProblem],
  ['duration', durationProblem],
  ['period', periodProblem],
  ['ipv4', ipv4Problem],
  ['ipv6', ipv6Problem],
  ['hostname', hostNameProblem],
  ['email', emailProblem],
  ['date', dateProblem],
  ['time', timeProblem],
  ['date-time', dateTimeProblem],
  ['uri', uriProblem],
  ['iri', uriProblem],
  ['uri-reference', uriReferenceProblem],
  ['iri-reference', uriReferenceProblem],
  ['uri-template', uriTemplateProblem],
  ['regex', patternProblem],
  ['semver', versionProblem],
]);

/** Returns a format, or undefined for one that Helm's validator does not know. */
export function formatOf(name: string): Format | undefined {
  const problem = formats.get(name);
  return problem === undefined ? undefined : { name, problem };
}
