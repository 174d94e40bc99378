/** A kubeconfig that leads to no API server. */
export class KubeconfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KubeconfigError';
  }
}

/** A kubeconfig that leads to an API server, and gives nothing to log in there with. */
export class CredentialsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CredentialsError';
  }
}

/** A proxy on the way to the API server that means nothing. Its message tells no credentials. */
export class ProxyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProxyError';
  }
}
