import { describe, expect, test } from 'vitest';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { readApprovedPlan } from '../../../src/compiler/plan/effects/approved-plan.ts';
import { compareEffects } from '../../../src/compiler/plan/effects/compare-effects.ts';
import { effectsHash, type PlanEffects } from '../../../src/compiler/plan/effects/plan-effects.ts';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { effectDifferenceWords } from '../../../src/compiler/report/effect-difference-words.ts';
import { planFormat, planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, clusters, config, installed, planOf, type Written } from './states.ts';

const effectsOf = (base: Written, head: Written): PlanEffects => planOf(base, head).plan.effects;

/** The differences between the effects of two changes, in words. */
function differences(approved: readonly [Written, Written], now: readonly [Written, Written]): string[] {
  return compareEffects(effectsOf(...approved), effectsOf(...now)).map(
    (difference) => `${difference.state}: ${effectDifferenceWords(difference)}`,
  );
}

const edited = app.replace('"warn"', '"debug"');
const typo = app.replace('values: [prod, stage]', 'values: [prod]');
const waves = (text: string): string =>
  text.replace(
    installed('prod', 'prod'),
    installed(
      'prod',
      'prod',
      '{ type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 10m } }',
    ),
  );

describe('the effects of a plan', () => {
  test('name each cluster once, with the content before and after', () => {
    const { addOns, objects } = effectsOf({}, { text: edited });
    const [hello] = addOns;
    expect(addOns).toHaveLength(1);
    expect(hello?.clusters.map(({ effect, clusters }) => [effect, clusters])).toEqual([
      ['changed', ['c1', 'c2', 'c3']],
    ]);
    const [changed] = hello?.clusters ?? [];
    expect(changed?.before).toMatch(/^[0-9a-f]{64}$/);
    expect(changed?.after).not.toBe(changed?.before);
    expect(objects.map(({ object, change }) => [object.kind, object.name, change])).toEqual([
      ['AddOnDeploymentConfig', 'prod', 'edited'],
    ]);
  });

  test.each([
    ['comments', (text: string) => `# why\n\n${text}`],
    ['the order of objects', (text: string) => text.split('\n---\n').toReversed().join('\n---\n')],
    ['another style', (text: string) => text.replaceAll('{ env: prod }', '{ "env": "prod" }')],
  ])('do not depend on %s', (_name, written) => {
    const [plain, other] = [effectsOf({}, { text: edited }), effectsOf({}, { text: written(edited) })];
    expect(effectsHash(other)).toBe(effectsHash(plain));
  });

  test('of a rollout that stops have the clusters that can change before', () => {
    const effects = effectsOf({}, { text: edited });
    const stopping = (earliest: number): PlanEffects => ({
      ...effects,
      addOns: effects.addOns.map((addOn) => ({
        ...addOn,
        left: ['c3'],
        early: [{ cluster: 'c3', earliest }],
      })),
    });
    expect(compareEffects(stopping(0), stopping(0))).toEqual([]);
    expect(compareEffects(stopping(0), stopping(60_000)).map(({ part }) => part)).toEqual(['waves']);
    expect(effectsHash(stopping(0))).not.toBe(effectsHash(stopping(60_000)));
  });

  test('are empty for an edit of the fleet snapshot without effect', () => {
    const fleet = fleetOf({ ...clusters, c7: { env: 'test' } });
    expect(effectsOf({}, { fleet })).toEqual(effectsOf({}, {}));
  });

  test('do not depend on other changes of the base', () => {
    const other = (text: string): string => `${text}${config('other', 'x')}`;
    expect(effectsOf({ text: other(app) }, { text: other(edited) })).toEqual(effectsOf({}, { text: edited }));
  });

  test('have the hash that JSON has, and JSON is read as the same effects', () => {
    const { plan: made } = planOf({}, { text: typo });
    const text = planJson({ plan: made, base: 'a', head: 'b', findings: [], version: '1' });
    const options = { file: 'plan.json', format: planFormat, version: '1' };
    expect(readApprovedPlan(text, options)).toEqual({ hash: made.hash, effects: made.effects });
    const message = (written: string): string => {
      const read = readApprovedPlan(written, options);
      return 'code' in read ? `${read.code} ${read.message}` : '';
    };
    expect(message(text.slice(0, -20))).toBe(
      'FW8022 plan.json is not a usable plan: it is not a JSON object; it may have been cut',
    );
    expect(message(text.replace('"version": "1"', '"version": "0.9"'))).toBe(
      'FW8022 plan.json is not a usable plan: Fleetwright 0.9 wrote it, and this is Fleetwright 1',
    );
    expect(message(text.replaceAll('"c4"', '"c1"'))).toBe(
      'FW8022 plan.json is not a usable plan: its hash is not that of its effects; it was edited',
    );
    expect(message(text.replace('plan/v1', 'plan/v0'))).toBe(
      'FW8022 plan.json is not a usable plan: its format is not fleetwright.dev/plan/v1',
    );
    expect(message(text.replace('"waves"', '"wavez"').replace('"exceeded": []', '"exceeded": 1'))).toBe(
      'FW8022 plan.json is not a usable plan: its effects have another form',
    );
  });
});

describe('compared with approved effects', () => {
  test('an uninstall that the base causes is new, and an effect that the base has is gone', () => {
    const more = fleetOf({ ...clusters, c7: { env: 'stage' } });
    expect(differences([{}, { text: typo }], [{ fleet: more }, { text: typo, fleet: more }])).toEqual([
      'new: add-on "hello" (app hello) is UNINSTALLED from 1 cluster: c7',
      'other: placement default/stage (app hello): loses c4, c5, c7; approved: loses c4, c5',
    ]);
    const fewer = fleetOf({ ...clusters, c5: { env: 'dev' } });
    expect(differences([{}, { text: typo }], [{ fleet: fewer }, { text: typo, fleet: fewer }])).toEqual([
      'gone: add-on "hello" (app hello) is UNINSTALLED from 1 cluster: c5',
      'other: placement default/stage (app hello): loses c4; approved: loses c4, c5',
    ]);
  });

  test('another content after the change, or before it, is another effect', () => {
    const port = (text: string): string =>
      text.replace('{ level: "{{LEVEL}}" }', '{ level: "{{LEVEL}}", port: "81" }');
    expect(differences([{}, { text: edited }], [{ text: port(app) }, { text: port(edited) }])).toEqual([
      'other: add-on "hello" (app hello) is changed on 3 clusters: c1, c2, c3; to another content than the approved one',
    ]);
    const error = app.replace('"warn"', '"error"');
    expect(differences([{}, { text: edited }], [{ text: error }, { text: edited }])).toEqual([
      'other: add-on "hello" (app hello) is changed on 3 clusters: c1, c2, c3; from another content than the approved one',
      'other: AddOnDeploymentConfig default/prod (app hello) is edited from another content than the approved one',
    ]);
  });

  test('an override that another request wrote for an installed cluster is another effect, although its content is the same', () => {
    const override = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c6 }
spec:
  configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: base }]
`;
    const wider = (text: string): string =>
      text.replace('values: [prod, stage]', 'values: [prod, stage, dev]');
    expect(
      differences([{}, { text: wider(app) }], [{ text: app + override }, { text: wider(app) + override }]),
    ).toEqual([
      'other: add-on "hello" (app hello) is installed on 1 cluster: c6; to another content than the approved one',
    ]);
  });

  test('other waves of the same clusters are another effect, with their order and soak', () => {
    expect(differences([{ text: waves(app) }, { text: waves(edited) }], [{}, { text: edited }])).toEqual([
      'other: add-on "hello" (app hello) is rolled out in other waves: 1: c1, c2, c3; approved: 1: c1; 2 after 0 to 10m: c2; 3 after 0 to 20m: c3',
    ]);
  });

  test('a new object on the hub is new, although no cluster changes', () => {
    const role = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: []
`;
    expect(differences([{}, { text: edited }], [{}, { text: edited + role }])).toEqual([
      'new: ClusterRole reader (app hello) is added',
    ]);
  });

  test('the effects of two hubs are those of each, under its name', () => {
    const [base, head] = [app, edited].map(
      (text) => resolveText(text, { fleet: fleetOf(clusters) }).resolution,
    );
    if (base === undefined || head === undefined) throw new Error('two states');
    const once = plan([{ app: 'hello', base, head }], { hub: hubVersion('1.3'), by: [] }).value;
    expect(compareEffects(once.effects, once.effects)).toEqual([]);
  });
});
