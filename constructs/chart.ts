import { Chart as Cdk8sChart, type ChartProps } from 'cdk8s';
import type { Construct } from 'constructs';
import { checkProps } from './check-properties.ts';

/**
 * cdk8s's Chart: a scope for objects, with a namespace and labels for all of them.
 *
 * @example
 * const logs = new Chart(new App(), 'logs', { namespace: 'open-cluster-management' });
 * new Placement(logs, 'everywhere');
 */
export class Chart extends Cdk8sChart {
  constructor(scope: Construct, id: string, props: ChartProps = {}) {
    checkProps({ Chart }, new.target, scope, id, props);
    super(scope, id, props);
  }
}
