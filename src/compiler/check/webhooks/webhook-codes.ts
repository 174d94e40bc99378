import type { Code } from '../../model/codes.ts';

/** The codes of objects that the API server accepts and that a webhook of the hub rejects. */
export const webhookCodes: ReadonlySet<Code> = new Set<Code>(['FW7005', 'FW8301', 'FW8302']);
