/** The signer of client certificates for the hub's API server. As certificates/v1 KubeAPIServerClientSignerName. */
export const apiServerSigner = 'kubernetes.io/kube-apiserver-client';

/** Whether a signer is Kubernetes' own, whose certificates are signed elsewhere. */
export function isKubernetesSigner(signerName: string): boolean {
  return /^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(signerName);
}
