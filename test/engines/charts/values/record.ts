// Records the answers of addon-framework: `npx tsx test/engines/charts/values/record.ts`. The tests of `npm test` read them.
import { writeRecording } from '../recording.ts';
import { askGoValues, buildGoValues } from './go-values.ts';
import { randomRequest } from './random-request.ts';

buildGoValues();
const requests = Array.from({ length: 2000 }, (_, index) => randomRequest(3_000_000 + index));
const answers = askGoValues(requests);
writeRecording(
  'values',
  requests.map((request, index) => ({ request, answer: answers[index] ?? {} })),
);
