/** The version of the agent per environment. A change reaches dev first, and is promoted to prod. */
export const version = { dev: '1.0.0', prod: '1.0.0' };
