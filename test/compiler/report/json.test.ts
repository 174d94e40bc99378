import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/compiler/model/diagnostic.ts';
import { diagnosticJson, diagnosticsAsJson } from '../../../src/compiler/report/json/json.ts';

const full: Diagnostic = {
  related: [
    { location: { column: 1, line: 2, file: 'b.yaml' }, message: 'the first one' },
    { message: 'no place' },
  ],
  hint: 'remove it',
  location: {
    construct: 'app/aws',
    get source() {
      return { column: 5, line: 3, file: 'app.ts' };
    },
  },
  path: 'spec.x',
  object: { name: 'a', namespace: 'b', kind: 'Placement', apiVersion: 'v1' },
  message: 'wrong',
  severity: 'warning',
  code: 'FW1008',
};

test('diagnostics are written in report order, their fields in a fixed one', () => {
  const error: Diagnostic = { message: 'bad', code: 'FW1001', severity: 'error', related: [] };
  expect(diagnosticsAsJson([full, error])).toMatchInlineSnapshot(`
    "{
      "diagnostics": [
        {
          "code": "FW1001",
          "severity": "error",
          "message": "bad"
        },
        {
          "code": "FW1008",
          "severity": "warning",
          "message": "wrong",
          "object": {
            "apiVersion": "v1",
            "kind": "Placement",
            "namespace": "b",
            "name": "a"
          },
          "path": "spec.x",
          "location": {
            "construct": "app/aws",
            "source": {
              "file": "app.ts",
              "line": 3,
              "column": 5
            }
          },
          "hint": "remove it",
          "related": [
            {
              "message": "the first one",
              "location": {
                "file": "b.yaml",
                "line": 2,
                "column": 1
              }
            },
            {
              "message": "no place"
            }
          ]
        }
      ],
      "summary": {
        "error": 1,
        "warning": 1,
        "info": 0
      }
    }
    "
  `);
});

test('no diagnostics are an empty list', () => {
  expect(JSON.parse(diagnosticsAsJson([]))).toEqual({
    diagnostics: [],
    summary: { error: 0, warning: 0, info: 0 },
  });
});

test('a diagnostic becomes plain data', () => {
  const json = diagnosticJson(full);
  expect(Object.getOwnPropertyDescriptor(json.location, 'source')?.value).toEqual({
    file: 'app.ts',
    line: 3,
    column: 5,
  });
  expect(Object.keys(json)).toEqual([
    'code',
    'severity',
    'message',
    'object',
    'path',
    'location',
    'hint',
    'related',
  ]);
});
