import { expect, test } from 'vitest';
import { fleetOf, resolveText } from '../../../resolve-text.ts';
import {
  applicationSet,
  decided,
  gitOpsCluster,
  placement,
  rings,
  setBinding,
  template,
} from '../../application-sets/generated.ts';

const base = [setBinding, placement('all', {}), gitOpsCluster('all')];

function findings(spec: object): readonly string[] {
  const { diagnostics } = resolveText([...base, applicationSet(spec)].join('\n---\n'), {
    fleet: fleetOf(rings),
  });
  return diagnostics
    .filter(({ code }) => code === 'FW7031' || code === 'FW7032')
    .map(({ code, message, path }) => `${code} ${path ?? ''}: ${message}`);
}

test('FW7031: names that several Applications have, and unknown destinations', () => {
  expect(findings({ generators: [decided('all')], template: template('shop-{{name}}') })).toEqual([]);
  expect(findings({ generators: [decided('all')], template: template('shop') })).toEqual([
    'FW7031 spec.generators: Argo CD neither creates nor updates 1 Application of ApplicationSet "argocd/apps", because several Applications have the name: "shop"',
  ]);
  const list = { list: { elements: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })) } };
  expect(findings({ generators: [list], template: template('{{name}}') })).toEqual([
    'FW7031 spec.generators: Argo CD neither creates nor updates 5 Applications of ApplicationSet "argocd/apps", because the destination is an unknown cluster: "a", "b", "c" and 2 more',
  ]);
});

test('FW7031: an error keeps everything', () => {
  const spec = { generators: [{ list: { elements: [{ name: 1 }] } }], template: template('{{name}}') };
  expect(findings(spec)).toEqual([
    'FW7031 spec.generators: Argo CD generates nothing from ApplicationSet "argocd/apps", and keeps what exists: error parsing value as string',
  ]);
  // FW7024 reports the Placement.
  expect(findings({ generators: [decided('missing')], template: template('{{name}}') })).toEqual([]);
});

test('FW7032: a generator that is not evaluated', () => {
  expect(
    findings({ generators: [{ git: { repoURL: 'https://git.example.com/a' } }], template: template('a') }),
  ).toEqual([
    'FW7032 spec.generators: the Applications of ApplicationSet "argocd/apps" are not known, because the git generator is not evaluated',
  ]);
});

test('FW7033: one name in two ApplicationSets', () => {
  const named = (name: string, text: string): string =>
    applicationSet({ generators: [decided('all')], template: template(text) }, name);
  const shared = (...sets: readonly string[]): readonly string[] =>
    resolveText([...base, ...sets].join('\n---\n'), { fleet: fleetOf(rings) })
      .diagnostics.filter(({ code }) => code === 'FW7033')
      .map(({ message, path }) => `${path ?? ''}: ${message}`);
  expect(shared(named('a', 'a-{{name}}'), named('b', 'b-{{name}}'))).toEqual([]);
  expect(shared(named('a', 'web-{{name}}'), named('b', 'web-{{name}}'), named('c', 'web-a'))).toEqual([
    'spec.template.metadata.name: ApplicationSets "a" and "b" generate 3 Applications of the same name: "web-c1", "web-c2" and "web-c7"',
  ]);
});
