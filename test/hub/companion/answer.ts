import { ApiError } from '../client/api-client.ts';

/** What the API server says to a request of a companion: `allowed`, or which of its policies refuses it and why. */
export async function answerTo(companion: string, request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return 'allowed';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message } = error.refusal;
    const [, policy, why] =
      new RegExp(
        `ValidatingAdmissionPolicy '${companion}-([-a-z]+)' with binding '[-a-z]+' denied request: (.*)$`,
      ).exec(message) ?? [];
    return policy === undefined ? message : `${policy}: ${why}`;
  }
}
