import { scheduleError } from './cron-schedule.ts';
import { invalid, notSupported, ofNew, required, type FieldFault } from './field-fault.ts';
import { printedSelector, selectorFaults, selects, strictSelectorFaults } from './labels.ts';
import { podTemplateFaults } from './pod-spec.ts';
import type { Struct } from './struct.ts';
import { negativeFaults, unsupported } from './values.ts';
import { templateLabels, unmatchedTemplate } from './workloads.ts';

/** As ValidateJob. The length of the name of an indexed Job is not checked. */
export function jobFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  return [
    ...jobSpecFaults(spec),
    ...(spec.isTrue('manualSelector') ? manualSelectorFaults(spec) : generatedSelectorFaults(spec)),
  ];
}

/** As SetDefaults_Job. */
function completionsOf(spec: Struct): number | undefined {
  return spec.integer('completions') ?? (spec.has('parallelism') ? undefined : 1);
}

function manualSelectorFaults(spec: Struct): readonly FieldFault[] {
  const selector = spec.struct('selector');
  const isUsable = strictSelectorFaults(selector).length === 0;
  return [
    ...(selector === undefined ? [required(spec.at('selector'))] : []),
    ...selectorFaults(selector),
    ...(!isUsable || selects(selector, templateLabels(spec)) ? [] : [unmatchedTemplate(spec)]),
  ];
}

/** The labels that the API server writes into the template and the selector. */
const generatedLabels: ReadonlySet<string> = new Set([
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
]);

/** As validateGeneratedSelector: a selector with other labels than the generated ones. Expressions are not checked. */
function generatedSelectorFaults(spec: Struct): readonly FieldFault[] {
  const selector = spec.struct('selector');
  if (selector === undefined) return [];
  const wrong = selectorFaults(selector);
  if (wrong.length > 0) return wrong;
  const others = [...selector.textMap('matchLabels')].filter(([key]) => !generatedLabels.has(key));
  if (others.length === 0) return [];
  const labels = templateLabels(spec);
  return [
    invalid(selector.field, printedSelector(selector), '`selector` not auto-generated'),
    ...(others.every(([key, value]) => labels.get(key) === value) ? [] : [unmatchedTemplate(spec)]),
  ];
}

/** As validateJobSpec. Policies for failure, success and replacement of pods are not checked. */
function jobSpecFaults(spec: Struct): readonly FieldFault[] {
  const template = spec.embedded('template');
  return [
    ...[
      'parallelism',
      'completions',
      'activeDeadlineSeconds',
      'backoffLimit',
      'ttlSecondsAfterFinished',
    ].flatMap((name) => negativeFaults(spec.at(name), spec.integer(name))),
    ...unsupported(spec, 'completionMode', ['NonIndexed', 'Indexed']),
    ...(spec.text('completionMode') === 'Indexed' && completionsOf(spec) === undefined
      ? [required(spec.at('completions'), 'when completion mode is Indexed')]
      : []),
    ...podTemplateFaults(template),
    ...restartFaults(template.embedded('spec'), spec.has('podFailurePolicy')),
  ];
}

function restartFaults(pod: Struct, hasFailurePolicy: boolean): readonly FieldFault[] {
  const policy = pod.text('restartPolicy');
  const field = pod.at('restartPolicy');
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never')
    return [notSupported(field, policy, ['OnFailure', 'Never'])];
  return hasFailurePolicy && policy !== 'Never'
    ? [invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}

/** As ValidateCronJobCreate. Whether a time zone exists is not checked. */
export function cronJobFaults(object: Struct): readonly FieldFault[] {
  const spec = object.embedded('spec');
  const metadata = object.embedded('metadata');
  const name = metadata.text('name');
  const job = spec.embedded('jobTemplate').embedded('spec');
  const selector = job.struct('selector');
  return [
    ...scheduleFaults(spec),
    ...['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].flatMap((count) =>
      negativeFaults(spec.at(count), spec.integer(count)),
    ),
    ...timeZoneFaults(spec),
    ...unsupported(spec, 'concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
    ...jobSpecFaults(job),
    ...(selector === undefined
      ? []
      : [invalid(selector.field, printedSelector(selector), '`selector` will be auto-generated')]),
    ...(job.isTrue('manualSelector') ? [notSupported(job.at('manualSelector'), true, ['nil', 'false'])] : []),
    ...ofNew(
      name.length > 52 ? [invalid(metadata.at('name'), name, 'must be no more than 52 characters')] : [],
    ),
  ];
}

/** As validateScheduleFormat. */
function scheduleFaults(spec: Struct): readonly FieldFault[] {
  const schedule = spec.text('schedule');
  const field = spec.at('schedule');
  if (schedule === '') return [required(field)];
  // releases before 1.29 accept a time zone here
  if (schedule.includes('TZ')) return [];
  const error = scheduleError(schedule);
  return error === undefined ? [] : [invalid(field, schedule, error)];
}

function timeZoneFaults(spec: Struct): readonly FieldFault[] {
  const zone = spec.value('timeZone');
  const field = spec.at('timeZone');
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalid(field, zone, 'timeZone must be nil or non-empty string')];
  const isMalformed = zone
    .split('/')
    .some((part) => part === '.' || part === '..' || !/^(?!-)[A-Za-z._0-9+-]{1,14}$/.test(part));
  if (isMalformed) return [invalid(field, zone, `unknown time zone ${zone}`)];
  return zone.toLowerCase() === 'local'
    ? [
        invalid(
          field,
          zone,
          'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
        ),
      ]
    : [];
}
