// npm run hub [-- --managed-cluster NAME] [--work-replica-sets] [--no-admission-webhooks] [--add-on-lease-duration 1m] [--certificate-duration 8760h]
//   [--certificate-check 5m] [--default-reports]
//
// Starts a hub for a person, says how to reach it, and stays up until Ctrl-C.
import { parseArgs } from 'node:util';
import { startHub } from './start-hub.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    'managed-cluster': { type: 'string' },
    'work-replica-sets': { type: 'boolean', default: false },
    'admission-webhooks': { type: 'boolean', default: true },
    'add-on-lease-duration': { type: 'string' },
    'certificate-duration': { type: 'string' },
    'certificate-check': { type: 'string' },
    'default-reports': { type: 'boolean', default: false },
    log: { type: 'string' },
  },
});
const hub = await startHub({
  workReplicaSets: values['work-replica-sets'],
  admissionWebhooks: values['admission-webhooks'],
  managedCluster: values['managed-cluster'],
  addOnLeaseDuration: values['add-on-lease-duration'],
  certificateDuration: values['certificate-duration'],
  certificateCheck: values['certificate-check'],
  defaultReports: values['default-reports'],
  log: values.log,
});
const versions = Object.entries(hub.versions).map(([module, version]) => `  ${module} ${version}\n`);
process.stdout.write(`The hub is ready after ${hub.readySeconds.toFixed(1)} s, built from
${versions.join('')}
  export KUBECONFIG=${hub.kubeconfig}
  kubectl get managedclustersets

Its log is ${hub.log}
`);
if (hub.managedCluster !== undefined)
  process.stdout.write(
    `\nThe managed cluster ${hub.managedCluster.name} has joined:\n\n  kubectl --kubeconfig ${hub.managedCluster.kubeconfig} get namespaces\n`,
  );
process.stdout.write('\nCtrl-C ends it and removes all of it\n');

// Ctrl-C reaches the hub as well: it is in the same process group. This process only has to wait for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void hub.stop());
hub.process.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
