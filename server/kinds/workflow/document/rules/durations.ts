import { parseDuration } from '../../../../lib/duration.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { durationsOf, isExpression, retriesOf } from '../walk-durations.ts';
import type { Walk } from '../walk.ts';

export function checkDurations(walked: Walk, findings: Findings): void {
  for (const { duration, pointer } of durationsOf(walked)) {
    if (isExpression(duration) || parseDuration(duration) !== undefined) continue;
    findings.error(
      pointer,
      'A duration is at least 0 and at most 100 years, without fractions of a month; write another one.',
    );
  }
  for (const { policy, pointer } of retriesOf(walked)) {
    const count = policy.limit?.attempt?.count;
    if (count !== undefined && count < 0) {
      findings.error(`${pointer}/limit/attempt/count`, '`count` is the number of retries, 0 or more.');
    }
    const { jitter } = policy;
    if (jitter === undefined || isExpression(jitter.from) || isExpression(jitter.to)) continue;
    const [from, to] = [parseDuration(jitter.from), parseDuration(jitter.to)];
    if (from === undefined || to === undefined) continue;
    if (from.months > to.months || (from.months === to.months && from.milliseconds > to.milliseconds)) {
      findings.error(`${pointer}/jitter`, '`from` is longer than `to`; write the shorter duration first.');
    }
  }
}
