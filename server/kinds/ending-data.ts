// How an ending is written into events and inputs.
import { countIssues } from '../../shared/issues.ts';
import type { JsonObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import { jsonBytes } from '../lib/canonical-json.ts';
import { harmlessRejection, type Rejection } from '../lib/rejection.ts';
import type { Ending } from './run.ts';

/** How a run or a request ended, as an input holds it. */
export function endingData(ending: Ending): JsonObject {
  switch (ending.status) {
    case 'succeeded':
      return { status: ending.status, output: ending.output };
    case 'rejected':
      return { status: ending.status, rejection: rejectionData(ending.rejection) };
    case 'failed':
      return { status: ending.status, detail: ending.detail };
  }
}

export function rejectionData(rejection: Rejection): JsonObject {
  const { reason, kind, because, detail, issues, retryAfter } = harmlessRejection(rejection);
  return {
    reason,
    ...(kind === undefined ? {} : { kind }),
    ...(because === undefined ? {} : { because }),
    detail,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(issues === undefined
      ? {}
      : { issues: issues.map(({ pointer, detail: words }) => ({ pointer, detail: words })) }),
    ...(issues === undefined || countIssues(issues) === issues.length ? {} : { issue_count: countIssues(issues) }),
  };
}

/**
 * An ending that fits what a run may hold: output and record together at most 1 MiB as JSON. The record is kept. What a
 * tool did is known then, since there is an output: it is too large, whatever was called.
 */
export function boundedEnding(ending: Ending): Ending {
  if (ending.status !== 'succeeded') return ending;
  const { output, record } = ending;
  const bytes = jsonBytes(output);
  const room = LIMITS.outputAndRecordBytes - jsonBytes(record);
  if (bytes <= room) return ending;
  const detail = `The output has ${bytes} bytes as JSON; there is room for ${room} beside the record of the run. Make it smaller.`;
  return { status: 'rejected', rejection: { reason: 'conflict', kind: 'unworkable', detail }, record };
}
