import { isJsonObject, type JsonObject } from '../../../../../shared/json.ts';
import type { FitSchema } from '../check-context.ts';
import { cronFault, hasEitherDay, isTimeZone } from '../cron.ts';
import type { WorkflowDocument } from '../dsl.ts';
import { type Duration, parseDuration } from '../../../../lib/duration.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import { isExpression } from '../walk-durations.ts';

const SHORTEST_MS = 1000;
const TIMERS = ['every', 'cron', 'after'] as const;

export function checkSchedule({ schedule }: WorkflowDocument, findings: Findings): void {
  if (schedule === undefined) return;
  const timers = TIMERS.filter((timer) => schedule[timer] !== undefined);
  const [first, ...others] = timers;
  for (const other of others) {
    const detail = `\`${other}\` cannot be combined with \`${first}\`: a workflow has one timer; keep one, and write a second workflow for the other.`;
    findings.error(`/schedule/${other}`, detail, 'key');
  }
  checkPeriod('every', schedule.every, findings);
  checkPeriod('after', schedule.after, findings);
  if (schedule.cron !== undefined) checkCron(schedule.cron, findings);
  if (schedule.timezone !== undefined && !isTimeZone(schedule.timezone)) {
    const detail = `Unknown time zone ${code(schedule.timezone)}; write an IANA name such as Europe/Berlin or UTC.`;
    findings.error('/schedule/timezone', detail);
  }
}

function checkCron(expression: string, findings: Findings): void {
  const fault = cronFault(expression);
  if (fault !== undefined) findings.error('/schedule/cron', `The cron expression ${fault}.`);
  else if (hasEitherDay(expression)) findings.warn('/schedule/cron', EITHER_DAY);
}

const EITHER_DAY =
  'The day of the month and the day of the week are both set, so the workflow starts on days that match one of them; write `*` for one of the two, or a `+` before the day of the week to require both.';

function checkPeriod(name: 'every' | 'after', duration: Duration | undefined, findings: Findings): void {
  if (duration === undefined) return;
  const pointer = `/schedule/${name}`;
  const refuse = (detail: string): void => findings.error(pointer, detail);
  if (isExpression(duration)) {
    refuse(
      `\`${name}\` is read when the workflow is saved, so it cannot be an expression; write a duration such as PT5M.`,
    );
    return;
  }
  const period = parseDuration(duration);
  if (period === undefined) return refuse('A duration is at least 0 and at most 100 years; write another one.');
  if (period.months > 0) {
    return refuse(`Years and months vary in length; write \`${name}\` in days, or use \`cron\`.`);
  }
  if (period.milliseconds < SHORTEST_MS) refuse(`\`${name}\` must be at least one second; write PT1S or more.`);
}

/** Whether runs that a schedule starts would be refused for their input. */
export async function checkScheduledInput(
  { schedule, input }: WorkflowDocument,
  fitSchema: FitSchema | undefined,
  findings: Findings,
): Promise<void> {
  const schema = input?.schema?.document;
  if (schedule === undefined || !isJsonObject(schema)) return;
  const timer = TIMERS.find((name) => schedule[name] !== undefined);
  if (timer !== undefined && fitSchema !== undefined) {
    const issue = (await fitSchema(schema, [{}]))[0]?.[0];
    if (issue !== undefined) {
      const detail = `\`${timer}\` starts runs with the input {}, which the input schema rejects: ${issue.detail}`;
      findings.warn(`/schedule/${timer}`, detail, 'key');
    }
  }
  if (schedule.on !== undefined && !takesLists(schema)) {
    const detail =
      '`on` starts runs with a list of events, which the input schema does not accept; write { type: array }.';
    findings.warn('/schedule/on', detail, 'key');
  }
}

function takesLists({ type }: JsonObject): boolean {
  return type === undefined || type === 'array' || (Array.isArray(type) && type.includes('array'));
}
