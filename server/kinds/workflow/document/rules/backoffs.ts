// The members of a backoff. The standard takes any, and names none.
import { isJsonObject } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { Walk } from '../walk.ts';
import { isDuration, retriesOf } from '../walk-durations.ts';

const MEMBERS = ['factor', 'maximum'];

export function checkBackoffs(walked: Walk, findings: Findings): void {
  for (const { policy, pointer } of retriesOf(walked)) {
    for (const [growth, members] of Object.entries(policy.backoff ?? {})) {
      const at = `${pointer}/backoff/${growth}`;
      if (isJsonObject(members)) checkMembers(growth, members, at, findings);
    }
  }
}

function checkMembers(growth: string, members: object, at: string, findings: Findings): void {
  for (const [name, value] of Object.entries(members)) {
    const pointer = `${at}/${escapeToken(name)}`;
    if (growth !== 'exponential') {
      const instead = MEMBERS.includes(name) ? '; it can only be set in `exponential`.' : '; leave it out.';
      findings.error(pointer, `\`${growth}\` has no field ${code(name)}${instead}`, 'key');
    } else if (!MEMBERS.includes(name)) {
      findings.error(pointer, () => `Unknown field ${code(name)}; ${insteadOf(name)}`, 'key');
    } else if (name === 'factor' && !(typeof value === 'number' && value >= 1)) {
      findings.error(pointer, '`factor` must be a number of 1 or more: each wait is that many times the last one.');
    } else if (name === 'maximum' && !isDuration(value)) {
      findings.error(
        pointer,
        '`maximum` must be a duration: PT30S (ISO 8601), { seconds: 30 } or an expression in ${ }.',
      );
    }
  }
}

/** A bound has many names elsewhere, and all of them begin alike. */
function insteadOf(name: string): string {
  const near = nearestName(name, MEMBERS) ?? (/max|limit|cap/i.test(name) ? 'maximum' : undefined);
  const meant = near ?? (/mult|coeff|base|rate/i.test(name) ? 'factor' : undefined);
  return meant === undefined ? `write one of ${MEMBERS.map(code).join(', ')}.` : `did you mean ${code(meant)}?`;
}
