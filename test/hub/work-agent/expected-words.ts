import type { Code } from '../../../src/compiler/index.ts';
import type { Reason } from './predicted-answers.ts';

const unserved = /no matches for kind|doesn't have a resource type/;

/** The codes in the order in which the agent and the API server look, with what they say. */
const words: readonly (readonly [Code, RegExp])[] = [
  ['FW8311', unserved],
  ['FW7131', unserved],
  ['FW8319', /not allowed to apply the resource/],
  // the API server authorizes a request before it looks for the resource
  ['FW8312', /forbidden/],
  [
    'FW8310',
    /an empty namespace may not be set|could not find the requested resource|does not allow this method/,
  ],
  ['FW8313', /namespaces "[^"]+" not found/],
  // of an update, the API server may say only what it does not change
  ['FW8320', / is invalid: /],
];

/**
 * Whether the message of a manifest has the words of the first reason for which it is refused.
 *
 * @param isMerged - whether the API server prints a struct with defaults that it wrote before
 */
export function isExpected(message: string, reasons: readonly Reason[], isMerged: boolean): boolean {
  const codes = new Set(reasons.map(({ code }) => code));
  const faults = reasons.filter(({ code }) => code === 'FW7139').map(({ message: text }) => faultOf(text));
  // the storage of bindings reads the rules of the role before the API server validates the binding, as GetRoleReferenceRules
  if (faults.some((fault) => fault.startsWith('roleRef.kind: ')) && unknownRoleKind.test(message))
    return true;
  const [, expected] = words.find(([code]) => codes.has(code)) ?? [];
  if (expected !== undefined) return expected.test(message);
  const text = withoutRandomLabels(message);
  return faults.every((fault) =>
    (isMerged ? fault.split(printedStruct) : [fault]).every((part) => text.includes(part)),
  );
}

const printedStruct = /(?<=: (?:Invalid|Unsupported) value: )\{.*\}(?=: )/;

const unknownRoleKind = /unsupported role reference kind/;

/** Removes the label with a random value that the API server adds to the selector of a Job. */
export function withoutRandomLabels(message: string): string {
  return message.replaceAll(/,"batch\.kubernetes\.io\/controller-uid":"[0-9a-f-]+"/g, '');
}

/** Returns the part of a finding that quotes the API server: `the API server refuses Pod default/a: spec.a: Required value (1 cluster)`. */
function faultOf(words: string): string {
  return words.slice(words.indexOf(': ') + 2).replace(/ \(\d+ clusters?\)$/, '');
}
