import { expect, test } from 'vitest';
import type { Diagnostic, FindingReference } from '../../../src/compiler/model/diagnostic.ts';
import { withConsequences } from '../../../src/compiler/report/consequences.ts';
import { diagnosticsAsText } from '../../../src/compiler/report/text/text.ts';

const placement = { apiVersion: 'v1', kind: 'Placement', namespace: 'ns', name: 'prod' };
const addOn = { apiVersion: 'v1', kind: 'ClusterManagementAddOn', name: 'a' };
const isSelector: FindingReference = { codes: ['FW7007'], object: placement, path: 'spec.groups[1]' };

const selector: Diagnostic = {
  code: 'FW7007',
  severity: 'warning',
  message: 'no cluster has the label',
  object: placement,
  path: 'spec.groups[1].selector',
};
const group: Diagnostic = {
  code: 'FW7020',
  severity: 'warning',
  message: 'no cluster is in the group',
  object: placement,
  path: 'spec.groups[1]',
  explainedBy: [isSelector],
};
const mandatory: Diagnostic = {
  code: 'FW7204',
  severity: 'warning',
  message: 'the group is missing',
  object: addOn,
  explainedBy: [{ codes: ['FW7020'], object: placement }],
};

const codesOf = (...findings: readonly Diagnostic[]): string[] =>
  withConsequences(findings).map(({ finding, consequences }) =>
    [finding, ...consequences].map(({ code }) => code).join(' '),
  );

test('consequences of consequences belong to the first cause', () => {
  expect(codesOf(mandatory, group, selector)).toEqual(['FW7007 FW7204 FW7020']);
  expect(codesOf(mandatory, group)).toEqual(['FW7020 FW7204']);
});

test('a finding without its cause, or with one about another field or object, is on its own', () => {
  expect(codesOf(mandatory, selector)).toEqual(['FW7204', 'FW7007']);
  const others = [{ path: 'spec.groups[10].selector' }, { path: 'spec' }, { object: addOn }];
  for (const other of others) expect(codesOf({ ...selector, ...other }, group)).toEqual(['FW7007', 'FW7020']);
});

test('an error is not a consequence of a warning', () => {
  expect(codesOf(selector, { ...group, severity: 'error' })).toEqual(['FW7007', 'FW7020']);
});

test('findings that explain each other all remain', () => {
  const circle: Diagnostic = { ...selector, explainedBy: [{ codes: ['FW7020'], object: placement }] };
  expect(codesOf(circle, group)).toEqual(['FW7007', 'FW7020']);
});

test('text counts the consequences below their cause, if it is asked to', () => {
  const findings = [selector, group, mandatory, { ...mandatory, path: 'spec' }];
  const textOf = (): undefined => undefined;
  expect(diagnosticsAsText(findings, { textOf, foldedNote: '; ask for more' })).toBe(
    [
      'warning FW7007: no cluster has the label',
      '  = object: Placement ns/prod',
      '  = field: spec.groups[1].selector',
      '  = consequences: 3 more findings: FW7020, 2 of FW7204; ask for more',
      '',
      '4 warnings',
      '',
    ].join('\n'),
  );
  expect(diagnosticsAsText(findings, { textOf }).match(/^warning/gm)).toHaveLength(4);
});
