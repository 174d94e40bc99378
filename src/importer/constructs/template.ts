import { isJsonMap } from '../../base/json/json-map.ts';
import type { AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import { listExpression } from '../code/list-expression.ts';
import type { Context } from '../context.ts';
import { at, create, literal, name, object, unlessEmptyList, type Statement } from '../code/expression.ts';
import type { Obstacle } from '../fit.ts';
import { manifestConfig } from './manifest-config.ts';
import { metadataStatements, revisedMetadataProps } from './metadata.ts';
import { registration } from './registration.ts';
import { workload, workloadNamespace } from '../workload.ts';
import { templateText } from './variables.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';

/** Writes `new AddOnTemplate(…)`. */
export function writeAddOnTemplate(
  template: AddOnTemplateV1alpha1,
  context: Context,
): readonly Statement[] | Obstacle {
  const { location } = context;
  const { addonName, agentSpec, registration: registrations } = template.spec;
  // the construct of the workload has the add-on's name as its id
  if (addonName === '') return { path: ['spec', 'addonName'], reason: 'is empty' };
  const { workload: workloadSpec, manifestConfigs } = agentSpec;
  const manifests = workloadSpec?.manifests ?? [];
  const workloadPath = ['spec', 'agentSpec', 'workload', 'manifests'];
  const configsPath = ['spec', 'agentSpec', 'manifestConfigs'];
  const withoutMetadata = manifests.findIndex(({ metadata }) => !isJsonMap(metadata));
  if (withoutMetadata !== -1)
    return { path: [...workloadPath, withoutMetadata, 'metadata'], reason: 'is missing' };
  const namespace = workloadNamespace(manifests) ?? defaultInstallNamespace;
  const body = workload(manifests, workloadPath, { addonName, namespace }, templateText, context);
  const configs = listExpression(manifestConfigs, configsPath, manifestConfig);
  const credentials = listExpression(registrations, ['spec', 'registration'], (credential, path) =>
    registration(credential, path, context),
  );
  if ('reason' in body) return body;
  const { name: objectName, ...metadata } = revisedMetadataProps(template, location);
  const props = object({
    name: objectName,
    addonName: at(['spec', 'addonName'], literal(addonName)),
    ...metadata,
    workloadNamespace: namespace === defaultInstallNamespace ? undefined : literal(namespace),
    workload: at(workloadPath, body),
    manifestConfigs: at(configsPath, unlessEmptyList(configs)),
    registration: at(['spec', 'registration'], credentials),
  });
  return [
    {
      name: location.variable,
      value: create('AddOnTemplate', name(location.chart), literal(location.id), props),
    },
    ...metadataStatements(template, context),
  ];
}
