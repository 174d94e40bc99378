import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { goJson, type GoJsonObject, type GoJsonValue } from '../../../src/base/json/go-json.ts';
import { parseGoJson } from '../../../src/base/json/parse-json.ts';
import { applyPermissions } from '../../../src/compiler/render/registration/addon-manager-bindings.ts';
import { isPreDeleteHook } from '../../../src/compiler/render/works/hooks.ts';
import { agentNamespace } from '../../../src/ocm/agent-namespace.ts';
import { manifestConfigs } from '../../../src/compiler/render/works/manifest-configs.ts';
import { manifestRenderer, type RenderedManifests } from '../../../src/compiler/render/manifests.ts';
import { convertWorkload } from '../../../src/base/typed/workload-conversion.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../../src/base/objects/object-identity.ts';
import { registrationsFor } from '../../../src/compiler/render/registration/agent-registrations.ts';
import { splitIntoWorks, type SizedObject } from '../../../src/compiler/render/works/work-split.ts';
import { buildWorks } from '../../../src/compiler/render/works/works.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  AddOnTemplateV1alpha1ManifestConfigOption,
  ManifestWorkV1Spec,
} from '../../../schemas/types.gen.ts';
import { type RoleBinding } from '../../../src/ocm/role-binding.ts';

// Random inputs with what the Go code of OCM 1.2.1 (templateagent, on the structs of Kubernetes 1.35) and of
// addon-framework 1.3.0 (works) answered, one a line. Numbers are read as Go wrote them.
function vectors<T>(file: string): T[] {
  return readFileSync(new URL(`../../conformance/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const parsed = parseGoJson(line);
      if ('error' in parsed) throw new Error(parsed.error);
      return parsed.value as unknown as T;
    });
}

interface TemplateVector {
  readonly in: {
    readonly AddOn: string;
    readonly Cluster: string;
    readonly Annotations?: Readonly<Record<string, string>>;
    readonly Template: AddOnTemplateV1alpha1;
    readonly Config?: AddOnDeploymentConfigV1alpha1;
  };
  readonly out: {
    readonly objects?: readonly GoJsonValue[];
    readonly error?: string;
    readonly panic?: string;
    readonly works?: readonly (readonly string[])[];
    readonly buildError?: string;
    readonly workloads?: readonly string[];
    readonly namespace: string;
    readonly registrations?: readonly GoJsonValue[];
    readonly permissionError?: string;
    readonly bindings?: readonly RoleBinding[] | null;
  };
}

const hub = hubVersion('1.3');

describe('templates', () => {
  const cases = vectors<TemplateVector>('templates.jsonl');
  const answered = cases.filter(({ out }) => out.panic === undefined);

  function objectsOf({
    AddOn,
    Cluster,
    Template,
    Config,
    Annotations,
  }: TemplateVector['in']): RenderedManifests {
    const annotation = Annotations?.['open-cluster-management.io/image-registries'];
    return manifestRenderer({ addOn: AddOn, template: Template, config: Config, annotation, hub }).render(
      Cluster,
    );
  }

  it(`returns the objects, or the error, of the hub: ${cases.length} templates`, () => {
    for (const { in: given, out } of cases) {
      const rendered = objectsOf(given);
      expect(
        'error' in rendered ? rendered.error : rendered.objects.map(({ object }) => goJson(object)),
      ).toEqual(answerOf(out));
    }
  });

  function answerOf({ panic, error, objects = [] }: TemplateVector['out']): unknown {
    if (panic !== undefined) return panic.slice(0, panic.indexOf(' in the template='));
    // 1.3 has the registries in another package
    return error?.replace('v1alpha1.ImageMirror', 'v1beta1.ImageMirror') ?? objects.map(goJson);
  }

  it('share their objects out among works as the hub does', () => {
    for (const { in: given, out } of answered) {
      const rendered = objectsOf(given);
      if ('error' in rendered) continue;
      const split = splitIntoWorks(rendered.objects.map(({ object }) => object));
      expect('error' in split ? split.error : split.works.map((work) => work.map(sizedName).sort())).toEqual(
        // the hub leaves the order of equal sizes to chance
        out.buildError ?? out.works?.map((work) => [...work].sort()),
      );
    }
  });

  function sizedName({ object, size }: SizedObject): string {
    const { group, version, kind } = groupVersionKind(object);
    const apiVersion = group === '' ? version : `${group}/${version}`;
    return `${apiVersion}/${kind}/${namespaceOf(object)}/${nameOf(object)}/${size}`;
  }

  it('are watched by their Deployments and DaemonSets', () => {
    for (const { in: given, out } of answered) {
      const rendered = objectsOf(given);
      if ('error' in rendered) continue;
      const workloads = rendered.objects.flatMap(({ object, workload }) =>
        workload === undefined ? [] : [`${workload}/${namespaceOf(object)}/${nameOf(object)}`],
      );
      expect(workloads).toEqual(out.workloads);
    }
  });

  it('contain the namespace of the agent', () => {
    for (const { in: given, out } of answered) {
      expect(given.Config?.spec.agentInstallNamespace || agentNamespace(given.Template, 35)).toBe(
        out.namespace,
      );
    }
  });

  it('register their agent and bind its permissions', () => {
    for (const { in: given, out } of answered) {
      // 1.2 registers everybody who is authenticated as well
      const agent = { addOn: given.AddOn, cluster: given.Cluster, hub: hubVersion('1.2') };
      const registrations = registrationsFor(given.Template, agent, []);
      expect(registrations.map(inV1alpha1)).toEqual(out.registrations ?? []);

      const bindings = new Map<string, RoleBinding>();
      const applied = applyPermissions(given.Template, agent, registrations, bindings);
      // the API server behind the recorded answers was a stand-in that lets roles change
      if (applied.state === 'failed' && applied.error.includes('cannot change roleRef')) continue;
      expect(applied.state === 'failed' ? applied.error : undefined).toBe(out.permissionError);
      expect([...bindings.values()].map(compared).sort()).toEqual((out.bindings ?? []).map(compared).sort());
    }
  });
});

function inV1alpha1({ type, kubeClient, customSigner }: ReturnType<typeof registrationsFor>[number]): object {
  if (type === 'kubeClient') {
    return { signerName: 'kubernetes.io/kube-apiserver-client', subject: kubeClient?.subject };
  }
  const { organizationUnits, ...subject } = customSigner?.subject ?? {};
  return {
    signerName: customSigner?.signerName,
    subject: {
      ...subject,
      ...(organizationUnits === undefined ? {} : { organizationUnit: organizationUnits }),
    },
  };
}

function compared({ metadata, roleRef, subjects }: RoleBinding): string {
  const { name, namespace, labels, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map((owner) => [owner.kind, owner.name]);
  return goJson({ name, namespace, labels, owners, roleRef, subjects });
}

interface WorkVector {
  readonly in: {
    readonly Objects: readonly GoJsonObject[];
    readonly Configs: readonly AddOnTemplateV1alpha1ManifestConfigOption[];
    readonly Refs: readonly {
      readonly group?: string;
      readonly resource: string;
      readonly desiredConfig: {
        readonly name: string;
        readonly namespace?: string;
        readonly specHash: string;
      };
    }[];
  };
  readonly out: {
    readonly hook: boolean;
    readonly works: readonly {
      readonly metadata: { readonly annotations?: object };
      readonly spec: ManifestWorkV1Spec;
    }[];
  };
}

describe('works', () => {
  const cases = vectors<WorkVector>('deploy-works.jsonl');

  it(`have the annotation, manifestConfigs and deleteOption that the hub sets: ${cases.length} sets of objects`, () => {
    for (const { in: given, out } of cases) {
      const objects = given.Objects.map((object) => ({
        object,
        isHook: isPreDeleteHook(object, hub.preDeleteHookLabel),
        ...workloadOf(object),
      }));
      const deployed = objects.filter(({ isHook }) => !isHook).map(({ object }) => object);
      expect(deployed.length < objects.length).toBe(out.hook);
      expect(deployed.length === 0).toBe(out.works.length === 0);
      if (deployed.length === 0) continue;
      const built = buildWorks(deployed, {
        addOn: 'add',
        cluster: 'c1',
        ownersApiVersion: 'v1beta1',
        references: given.Refs.map(({ group = '', resource, desiredConfig }) => ({
          group,
          resource,
          ...desiredConfig,
        })),
        manifestConfigs: manifestConfigs(objects, given.Configs),
      });
      if ('error' in built) throw new Error(built.error);
      const [first] = built.works;
      // among the objects are some that the API server refuses, which Go's own code does not see
      if (first === undefined || 'error' in first) continue;
      const { metadata, spec } = first.work;
      expect(metadata.annotations).toEqual(out.works[0]?.metadata.annotations);
      expect(spec?.deleteOption).toEqual(out.works[0]?.spec.deleteOption);
      expect(spec?.manifestConfigs ?? []).toEqual(stored(out.works[0]?.spec.manifestConfigs ?? []));
    }
  });

  // the API server drops nulls and defaults the scrape type; Go's own code only writes
  function stored(configs: NonNullable<ManifestWorkV1Spec['manifestConfigs']>): unknown {
    return configs.map((config) => ({
      feedbackScrapeType: 'Poll',
      ...config,
      ...(config.conditionRules === undefined
        ? {}
        : {
            conditionRules: config.conditionRules.map(({ celExpressions, ...rule }) => ({
              ...rule,
              ...(celExpressions ? { celExpressions } : {}),
            })),
          }),
    }));
  }
});

function workloadOf(object: GoJsonObject): object {
  const converted = convertWorkload(object, 35);
  return converted?.workload === undefined ? {} : { workload: converted.workload };
}
