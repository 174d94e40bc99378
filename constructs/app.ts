import { App as Cdk8sApp, type AppProps } from 'cdk8s';
import { checkProps } from './check-properties.ts';

/**
 * cdk8s's App: the root of the construct tree that an app exports.
 *
 * @example
 * const root = new App();
 * new Chart(root, 'logs', { namespace: 'open-cluster-management' });
 */
export class App extends Cdk8sApp {
  constructor(props: AppProps = {}) {
    checkProps({ App }, new.target, undefined, undefined, props);
    super(props);
  }
}
