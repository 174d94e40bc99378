/** A server that does not speak the protocol of a port-forward as it should. */
export class UpgradeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UpgradeError';
  }
}
