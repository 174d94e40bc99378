import type { AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import { all } from './all.ts';
import type { Context } from './context.ts';
import { at, create, literal, name, object, type Statement } from './expression.ts';
import { manifestConfig } from './manifest-config.ts';
import { metadataProps, metadataStatements } from './metadata.ts';
import { registration } from './registration.ts';
import { workload, workloadNamespace } from './workload.ts';
import { templateText } from './variables.ts';

const agentNamespace = 'open-cluster-management-agent-addon';

/** `new AddOnTemplate(…)`. */
export function writeAddOnTemplate(
  template: AddOnTemplateV1alpha1,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const { addonName, agentSpec, registration: registrations, ...others } = template.spec;
  const { workload: given, manifestConfigs, ...more } = agentSpec;
  const manifests = given?.manifests;
  if (manifests === undefined || Object.keys({ ...others, ...more }).length > 0) return undefined;
  const workloadPath = ['spec', 'agentSpec', 'workload', 'manifests'];
  const configsPath = ['spec', 'agentSpec', 'manifestConfigs'];
  const namespace = workloadNamespace(manifests) ?? agentNamespace;
  const body = workload(manifests, workloadPath, { addonName, namespace }, templateText, context);
  const configs = all(manifestConfigs, configsPath, manifestConfig);
  const credentials = all(registrations, ['spec', 'registration'], (credential, path) =>
    registration(credential, path, context),
  );
  if (body === undefined || configs === 'unsayable' || credentials === 'unsayable') return undefined;
  const { name: objectName, ...metadata } = metadataProps(template, place);
  const props = object({
    name: objectName,
    addonName: at(['spec', 'addonName'], literal(addonName)),
    ...metadata,
    workloadNamespace: namespace === agentNamespace ? undefined : literal(namespace),
    workload: at(workloadPath, body),
    manifestConfigs: at(configsPath, configs),
    registration: at(['spec', 'registration'], credentials),
  });
  return [
    { name: place.variable, value: create('AddOnTemplate', name(place.chart), literal(place.id), props) },
    ...metadataStatements(template, context),
  ];
}
