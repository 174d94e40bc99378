import { referenceRead } from '../compiler/configure/effective.ts';
import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import {
  type ClusterAddOn,
  explainAddOn,
  SensitiveValues,
  type ExplainedValue,
  type Location,
  objectKey,
} from '../compiler/index.ts';
import { isDeploymentConfig } from '../ocm/referent.ts';
import {
  explainManifest,
  manifestsOf,
  manifestValues,
  parseManifestField,
} from '../compiler/explain/explain-manifest.ts';
import { explainKinds, explainValues } from '../compiler/explain/explain-values.ts';
import { maskedManifestValue } from '../compiler/explain/masked-explanation.ts';
import { stateOf, type State } from '../compiler/compare/resolution-pair.ts';
import {
  imageRegistriesAnnotation,
  parseImageRegistries,
} from '../compiler/render/decoration/image-registries.ts';
import { locationText } from '../compiler/report/plan-words.ts';
import { FleetError, type Fleet } from './fleet.ts';
import { valueWords } from './value-words.ts';

/** A fact about an add-on on one cluster, and its explanation. */
export interface Fact {
  readonly holds: boolean;
  /**
   * Returns one sentence per line: the actual state, its source, and the location of that. Called only if a test
   * fails.
   */
  readonly why: () => readonly string[];
}

/** One add-on on one cluster. */
export interface Subject {
  readonly fleet: Fleet;
  readonly addOn: string;
  readonly cluster: string;
}

/** Whether the hub installs it. */
export function installed(subject: Subject): Fact {
  return { holds: clusterAddOnOf(subject) !== undefined, why: () => selection(subject) };
}

/** Whether a placement, by `namespace/name` or `name`, selects the cluster for it. */
export function selectedBy(subject: Subject, placement: string): Fact {
  const selecting = clusterAddOnOf(subject)?.placements ?? [];
  const holds = selecting.some((key) => key === placement || key.endsWith(`/${placement}`));
  return { holds, why: () => selection(subject) };
}

/** Whether a configuration, by `namespace/name` or `name`, is used; `from` limits it to one level. */
export function uses(subject: Subject, config: string, from: string | undefined): Fact {
  const clusterAddOn = clusterAddOnOf(subject);
  if (clusterAddOn === undefined) return missing(subject);
  const kinds = explainKinds(clusterAddOn);
  const isWanted = ({ name }: { readonly name: string }): boolean => name === config;
  const holds = kinds.some((kind) =>
    kind.uses.some(
      (use) => use.lost === undefined && isWanted(use) && (from === undefined || use.from === from),
    ),
  );
  const why = (): string[] => {
    const naming = kinds.filter((kind) => kind.uses.some(isWanted));
    const listed = (naming.length > 0 ? naming : kinds).flatMap((kind) => kind.uses);
    return [
      ...listed.map(({ name, from, location, lost }) =>
        lost === undefined
          ? `it uses ${name}, from ${from}${at(location)}`
          : `not ${name}, from ${from}: ${lost}${at(location)}`,
      ),
      ...(naming.length > 0 ? [] : [`nothing names ${config} for it`]),
    ];
  };
  return { holds, why };
}

/** Whether a value of the effective configuration, by its path, is as expected; or set at all. */
export function hasValue(subject: Subject, field: string, isExpected?: (value: unknown) => boolean): Fact {
  const clusterAddOn = clusterAddOnOf(subject);
  if (clusterAddOn === undefined) return missing(subject);
  const values = explainValues(clusterAddOn, explanationState(subject.fleet), field);
  const exact = values.filter(({ path }) => path === field || path === `spec.${field}`);
  const holds = isExpected === undefined ? values.length > 0 : exact.some(({ value }) => isExpected(value));
  return {
    holds,
    why: () => {
      if (values.length > 0) return values.flatMap(valueLines);
      const used = explainKinds(clusterAddOn).flatMap((kind) =>
        kind.uses.filter(({ lost }) => lost === undefined),
      );
      return [
        `nothing sets ${field}`,
        ...used.map(({ name, from, location }) => `it uses ${name}, from ${from}${at(location)}`),
      ];
    },
  };
}

/** Whether images are pulled from a mirror; only those of one source, if it is given. */
export function hasMirror(subject: Subject, source: string | undefined): Fact {
  const clusterAddOn = clusterAddOnOf(subject);
  if (clusterAddOn === undefined) return missing(subject);
  const { inventory, decisions } = subject.fleet.resolution;
  const config = referenceRead(clusterAddOn.effective, isDeploymentConfig);
  const written = config && inventory.addOnDeploymentConfigs.get(objectKey(config.namespace, config.name));
  const annotations = decisions.clusters.get(subject.cluster)?.metadata.annotations;
  const annotated = parseImageRegistries(annotations?.[imageRegistriesAnnotation] ?? '');
  // As addon-framework: the list of a configuration replaces the cluster's own.
  const ofCluster = 'error' in annotated ? [] : (annotated.registries ?? []);
  const registries = written?.object.spec.registries ?? ofCluster;
  // An entry without a source applies to all images.
  const holds = registries.some(
    ({ source: from = '', mirror }) =>
      mirror !== '' &&
      (source === undefined || from === '' || source === from || source.startsWith(`${from}/`)),
  );
  const why = (): string[] => [
    ...registries.map(
      ({ source: from = '', mirror }) => `it pulls ${from === '' ? 'all images' : from} from ${mirror}`,
    ),
    ...hasValue(subject, 'registries').why(),
  ];
  return { holds, why };
}

/** Whether a field of a rendered manifest is as expected, or exists at all: `Deployment/agent .spec.replicas`. */
export function renders(
  subject: Subject,
  field: string,
  isExpected: (value: unknown) => boolean = () => true,
): Fact {
  const wanted = parseManifestField(field);
  if (wanted === undefined)
    throw new FleetError(`"${field}" names no manifest: write it as Deployment/agent .spec.replicas`);
  const clusterAddOn = clusterAddOnOf(subject);
  if (clusterAddOn === undefined) return missing(subject);
  const { fleet, addOn, cluster } = subject;
  const manifests = manifestsOf(fleet.resolution, addOn, cluster);
  const values = manifestValues(manifests, wanted);
  return {
    holds: values.length > 0 && values.every(({ value }) => isExpected(value)),
    why: () => {
      const explained = explainManifest(fleet.resolution, addOn, clusterAddOn, wanted, fleet.setting.hub);
      const sensitive = new SensitiveValues([fleet.resolution.inventory]);
      if (explained.length > 0)
        return explained
          .map((value) => maskedManifestValue(value, sensitive))
          .flatMap(({ object, path, value, decidedBy }) => [
            `${object} ${path} is ${valueWords(value)}`,
            ...decidedBy.map(({ what, location }) => `  because of ${what}${at(location)}`),
          ]);
      const names = manifests.map(({ kind, name }) => `${kind}/${name}`);
      return [
        `nothing there is rendered; there are ${names.length === 0 ? 'no manifests' : names.join(', ')}`,
      ];
    },
  };
}

const states = new WeakMap<Fleet, State>();

/** Returns the state for explanations, which is created once per fleet: it finds configuration objects. */
function explanationState(fleet: Fleet): State {
  return getOrInsertComputed(states, fleet, () => stateOf(fleet.resolution));
}

function clusterAddOnOf({ fleet, addOn, cluster }: Subject): ClusterAddOn | undefined {
  return fleet.resolution.configuration.get(addOn)?.clusters.get(cluster);
}

function missing(subject: Subject): Fact {
  return { holds: false, why: () => selection(subject) };
}

/** Returns why the cluster has the add-on or not: the decision of each placement. */
function selection({ fleet, addOn, cluster }: Subject): readonly string[] {
  const { resolution, setting } = fleet;
  const explained = explainAddOn(resolution, addOn, cluster, '', setting.hub);
  if (explained === undefined) return [];
  return [
    explained.summary,
    ...explained.placements.map(({ summary, steps }) => {
      const decisive = steps.findLast(({ kept }) => !kept) ?? steps.at(-1);
      return `${summary}${at(decisive?.location)}`;
    }),
  ];
}

function valueLines({ object, path, value, from, location, losers }: ExplainedValue): string[] {
  return [
    `${path} is ${valueWords(value)}, by ${object} from ${from}${at(location)}`,
    ...losers.map((loser) => {
      const sentence =
        'value' in loser
          ? `not ${valueWords(loser.value)} by ${loser.object}`
          : `not by ${loser.object}, which says nothing there`;
      return `  ${sentence}, from ${loser.from}: ${loser.reason}${at(loser.location)}`;
    }),
  ];
}

function at(location: Location | undefined): string {
  const place = locationText(location);
  return place === undefined ? '' : ` (${place})`;
}
