import { dnsLabelErrors, dnsSubdomainErrors } from '../names/name-errors.ts';
import { containerFaults } from './containers.ts';
import { forbidden, invalid, invalidEach, required, type FieldFault } from './field-fault.ts';
import { annotationFaults, labelFaults } from './labels.ts';
import { schedulingFaults } from './pod-scheduling.ts';
import { podVolumes } from './pod-volumes.ts';
import { podSecurityFaults } from './security-context.ts';
import type { Struct } from './struct.ts';
import { rangeError, unsupported } from './values.ts';

/** As ValidatePod, for a pod that is delivered itself. */
export function podFaults(object: Struct): readonly FieldFault[] {
  const pod = object.embedded('spec');
  return [
    ...podSpecFaults(pod),
    ...['containers', 'initContainers'].flatMap((list) =>
      pod.structs(list).flatMap((container) => {
        const image = container.text('image');
        return image.trim() === image
          ? []
          : [invalid(container.at('image'), image, 'must not have leading or trailing whitespace')];
      }),
    ),
  ];
}

/** As ValidatePodTemplateSpec. The API server prints the paths of labels and annotations without `metadata`. */
export function podTemplateFaults(template: Struct): readonly FieldFault[] {
  const metadata = template.embedded('metadata');
  const [labels, annotations] = ['labels', 'annotations'].map((name) => ({
    texts: metadata.textMap(name),
    field: template.field.child(name, ['metadata', name]),
  }));
  const pod = template.embedded('spec');
  return [
    ...(labels === undefined ? [] : labelFaults(labels.texts, labels.field)),
    ...(annotations === undefined ? [] : annotationFaults(annotations.texts, annotations.field)),
    ...podSpecFaults(pod),
    ...(pod.structs('ephemeralContainers').length > 0
      ? [forbidden(pod.at('ephemeralContainers'), 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/**
 * As ValidatePodSpec. Windows, overhead, resource claims, aliases of hosts, sysctls, profiles and resources of the whole pod are not
 * checked.
 */
function podSpecFaults(pod: Struct): readonly FieldFault[] {
  const volumes = podVolumes(pod.structs('volumes'));
  const deadline = pod.integer('activeDeadlineSeconds');
  return [
    ...volumes.faults,
    ...containerFaults(pod, volumes),
    ...hostPortFaults(pod),
    ...unsupported(pod, 'restartPolicy', ['Always', 'OnFailure', 'Never']),
    ...unsupported(pod, 'dnsPolicy', ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...labelFaults(pod.textMap('nodeSelector'), pod.at('nodeSelector')),
    ...podSecurityFaults(pod),
    ...schedulingFaults(pod),
    ...nameServerFaults(pod),
    ...Object.entries(names).flatMap(([name, errors]) => {
      const value = pod.text(name);
      return value === '' ? [] : invalidEach(pod.at(name), value, errors(value));
    }),
    ...(deadline !== undefined && (deadline < 1 || deadline > 2 ** 31 - 1)
      ? [invalid(pod.at('activeDeadlineSeconds'), deadline, rangeError(1, 2 ** 31 - 1))]
      : []),
  ];
}

/** The names in a pod. An empty one is absent. */
const names: Readonly<Record<string, (name: string) => readonly string[]>> = {
  serviceAccountName: dnsSubdomainErrors,
  nodeName: dnsSubdomainErrors,
  hostname: dnsLabelErrors,
  subdomain: dnsLabelErrors,
  priorityClassName: dnsSubdomainErrors,
  runtimeClassName: dnsSubdomainErrors,
};

/** As validatePodHostNetworkDeps: an absent port becomes that of the container. */
function hostPortFaults(pod: Struct): readonly FieldFault[] {
  if (!pod.isTrue('hostNetwork')) return [];
  return pod.structs('containers').flatMap((container) =>
    container.structs('ports').flatMap((port) => {
      const hostPort = port.integer('hostPort') ?? 0;
      if (hostPort === 0 || hostPort === port.integer('containerPort')) return [];
      return [
        invalid(port.at('hostPort'), hostPort, 'must match `containerPort` when `hostNetwork` is true'),
      ];
    }),
  );
}

/** The policy of a pod that only has its own name servers. */
const withoutDns = 'None';

/** As validatePodDNSConfig: the number of name servers. */
function nameServerFaults(pod: Struct): readonly FieldFault[] {
  const config = pod.struct('dnsConfig');
  const servers = config?.texts('nameservers') ?? [];
  const field = pod.at('dnsConfig');
  if (pod.text('dnsPolicy') === withoutDns) {
    if (config === undefined)
      return [required(field, `must provide \`dnsConfig\` when \`dnsPolicy\` is ${withoutDns}`)];
    if (servers.length === 0)
      return [
        required(
          field.child('nameservers'),
          `must provide at least one DNS nameserver when \`dnsPolicy\` is ${withoutDns}`,
        ),
      ];
  }
  return servers.length > 3
    ? [invalid(field.child('nameservers'), servers, 'must not have more than 3 nameservers')]
    : [];
}
