import { configurationTables } from './configuration.ts';
import { networkingTables } from './networking.ts';
import { platformTables } from './platform.ts';
import { podTables } from './pods.ts';
import { casesOf, type ValidationCase } from './table.ts';
import { workloadTables } from './workloads.ts';

/** Accepted and refused objects of every kind that has rules. The suite of the hub sends them to a real API server. */
export const validationCases: readonly ValidationCase[] = [
  ...podTables,
  ...workloadTables,
  ...networkingTables,
  ...configurationTables,
  ...platformTables,
].flatMap(casesOf);
