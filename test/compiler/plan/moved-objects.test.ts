import { expect, test } from 'vitest';
import { movedObjects } from '../../../src/compiler/plan/moved-objects.ts';
import { plan } from '../../../src/compiler/index.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, clusters } from './states.ts';

function state(text: string) {
  const { resolution } = resolveText(text, { fleet: fleetOf(clusters) });
  if (resolution === undefined) throw new Error('a state');
  return resolution;
}

const options = { hub: hubVersion('1.3'), by: [] };

test('objects that leave one app and appear in another are named, with what the engine does (FW8062)', () => {
  const [full, none] = [state(app), state('')];
  const { value } = plan(
    [
      { app: 'greeter', base: none, head: full },
      { app: 'hello', base: full, head: none },
    ],
    options,
  );
  const [finding, ...others] = movedObjects(value, 'argocd');
  expect(others).toEqual([]);
  expect(finding?.code).toBe('FW8062');
  expect(finding?.message).toMatch(
    /^6 objects of app "hello" move to app "greeter" \(.*, and 3 more\): the Application of the one deletes them, and that of the other creates them again/,
  );
  expect(movedObjects(value, 'flux')[0]?.message).toContain('Kustomizations of all apps together keep them');
  expect(movedObjects(value, 'none')).toEqual([]);
});

test('objects that only leave, only appear or stay in their app are not named', () => {
  const [full, none] = [state(app), state('')];
  for (const [base, head] of [
    [full, none],
    [none, full],
    [full, state(app.replace('"warn"', '"debug"'))],
  ] as const)
    expect(movedObjects(plan([{ app: 'hello', base, head }], options).value, 'argocd')).toEqual([]);
});
