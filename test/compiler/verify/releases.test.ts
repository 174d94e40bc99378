import { expect, test } from 'vitest';
import { releaseOf } from '../../../src/compiler/verify/index.ts';

const nothing: Parameters<typeof releaseOf>[0] = {
  addOnVersions: undefined,
  placementFields: undefined,
  images: [],
  products: [],
};
const served = (addOns: readonly string[], templates: readonly string[] = ['v1alpha1']) =>
  new Map([
    ['ClusterManagementAddOn', addOns],
    ['AddOnTemplate', templates],
  ]);
const both = ['v1alpha1', 'v1beta1'];

test.each([
  [
    'the tag of an image',
    { images: ['quay.io/open-cluster-management/registration:v1.3.1'] },
    '1.3',
    ['OCM 1.3.1 by the images of its ClusterManager'],
  ],
  [
    'an image by digest',
    { images: [`registry.example.com/registration@sha256:${'a'.repeat(64)}`] },
    undefined,
    [],
  ],
  [
    'add-on kinds in v1alpha1 only',
    { addOnVersions: served(['v1alpha1']) },
    '1.1',
    ['OCM 1.1 or earlier by its CustomResourceDefinitions'],
  ],
  [
    'add-on kinds in v1beta1',
    { addOnVersions: served(both), placementFields: new Set(['predicates']) },
    '1.2',
    ['OCM 1.2 by its CustomResourceDefinitions'],
  ],
  [
    'sorting of Placements',
    { addOnVersions: served(both), placementFields: new Set(['predicates', 'sortBy']) },
    '1.3',
    ['OCM 1.3 by its CustomResourceDefinitions'],
  ],
  [
    'v1beta1 without the fields of Placements',
    { addOnVersions: served(both) },
    undefined,
    ['OCM 1.2 or 1.3 by its CustomResourceDefinitions'],
  ],
  [
    'templates in v1beta1',
    { addOnVersions: served(both, both), placementFields: new Set(['sortBy']) },
    '1.4',
    ['OCM 1.4 or later by its CustomResourceDefinitions'],
  ],
  [
    'a product',
    { products: [{ name: 'multicluster engine', version: '2.17.8' }] },
    undefined,
    ['multicluster engine 2.17.8'],
  ],
  ['nothing', {}, undefined, []],
])('a hub that shows %s', (_, signs, ocm, names) => {
  expect(releaseOf({ ...nothing, ...signs })).toEqual({ ocm, names });
});
