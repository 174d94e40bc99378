import { call, list, literal, name, object, plain, type Expression } from '../code/expression.ts';
import type { Props } from './props.ts';
import type { ServiceObject } from './manifests.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { enumValue, hasOthers, isExpressible, kplus, unlessDefault } from './field-code.ts';

const types = {
  ClusterIP: 'CLUSTER_IP',
  NodePort: 'NODE_PORT',
  LoadBalancer: 'LOAD_BALANCER',
};

export const protocols = { TCP: 'TCP', UDP: 'UDP', SCTP: 'SCTP' };

export function serviceProps({ spec = {} }: ServiceObject, scope: WorkloadScope): Props | undefined {
  const { type, clusterIP, selector, ports = [] } = spec;
  const serviceType = enumValue('ServiceType', types, type, 'ClusterIP');
  const portProps = ports.map((port): Expression | undefined => {
    const protocol = enumValue('Protocol', protocols, port.protocol);
    // the construct accepts port numbers only
    if (typeof port.targetPort === 'string' || !isExpressible(protocol)) return undefined;
    return object({
      name: port.name === undefined ? undefined : scope.text(port.name),
      port: literal(port.port),
      targetPort: unlessDefault(port.targetPort),
      nodePort: unlessDefault(port.nodePort),
      protocol,
    });
  });
  if (hasOthers(spec, 'type', 'clusterIP', 'selector', 'ports', 'externalIPs')) return undefined;
  if (!isExpressible(serviceType) || !portProps.every((port) => port !== undefined)) return undefined;
  return {
    type: serviceType,
    clusterIP: clusterIP === undefined ? undefined : scope.text(clusterIP),
    selector: selector && Object.keys(selector).length > 0 ? pods(selector, scope) : undefined,
    ports: list(portProps),
  };
}

function pods(labels: Readonly<Record<string, string>>, scope: WorkloadScope): Expression {
  const podEntry = scope.podsWith(labels);
  if (podEntry !== undefined) return podEntry;
  const id = scope.takeId(`${scope.id}-pods`);
  return call(kplus('Pods'), 'select', name('scope'), id, object({ labels: plain(labels, undefined) }));
}
