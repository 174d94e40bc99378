import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { LabelSelector } from '../../../../schemas/types.gen.ts';
import { TypedList } from '../../../engines/gotemplate/index.ts';
import { compileLabelSelector, matchesLabels } from '../../place/label-selector.ts';
import { localName, localServer, type ArgoCdCluster } from '../argo-cd-clusters.ts';
import { GenerationError } from '../generation-error.ts';
import { textMap, type Parameters } from '../parameters.ts';
import { normalizedName } from '../templates/template-functions.ts';
import type { GeneratorContext } from './context.ts';
import { addTemplatedValues } from './templated-values.ts';

/** Annotations of cluster Secrets that are no parameters. */
const excludedAnnotations: ReadonlySet<string> = new Set([
  'argocd.argoproj.io/hydrate',
  'argocd.argoproj.io/installation-id',
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/tracking-id',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/**
 * Returns the parameters of a `clusters` generator: one set for each cluster that Argo CD knows and the selector matches, and one
 * for the cluster of Argo CD itself, unless there is a selector. As ClusterGenerator of Argo CD.
 *
 * @throws {GenerationError} for an invalid selector
 */
export function clusterParameters(
  { selector, values, flatList }: JsonMap,
  { clusters, replacement }: GeneratorContext,
): Parameters[] {
  const written: LabelSelector = isJsonMap(selector) ? selector : {};
  const compiled = compileLabelSelector(written);
  if ('error' in compiled) throw new GenerationError(`error converting label selector: ${compiled.error}`);
  const isSelective = compiled.requirements.length > 0;
  const matching = [...clusters.values()].filter(({ labels }) => matchesLabels(compiled, labels));
  const sets = matching.map((cluster) => parametersOfCluster(cluster, replacement.usesGo));
  if (!isSelective && !matching.some(({ server }) => server === localServer))
    sets.push(
      new Map([
        ['name', localName],
        ['nameNormalized', localName],
        ['server', localServer],
        ['project', ''],
      ]),
    );
  for (const parameters of sets) addTemplatedValues(values, parameters, replacement);
  return flatList === true
    ? [new Map([['clusters', new TypedList('[]map[string]interface {}', sets, false)]])]
    : sets;
}

function parametersOfCluster(
  { name, server, project = '', labels, annotations }: ArgoCdCluster,
  usesGo: boolean,
): Parameters {
  const parameters: Parameters = new Map([
    ['name', name],
    ['nameNormalized', normalizedName(name)],
    ['server', server],
    ['project', project],
  ]);
  const shown = Object.entries(annotations).filter(([key]) => !excludedAnnotations.has(key));
  if (!usesGo) {
    for (const [key, value] of shown) parameters.set(`metadata.annotations.${key}`, value);
    for (const [key, value] of Object.entries(labels)) parameters.set(`metadata.labels.${key}`, value);
    return parameters;
  }
  const metadata: Parameters = new Map();
  if (Object.keys(annotations).length > 0) metadata.set('annotations', textMap(shown));
  if (Object.keys(labels).length > 0) metadata.set('labels', textMap(Object.entries(labels)));
  return parameters.set('metadata', metadata);
}
