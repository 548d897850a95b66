// Where the standard takes any member, one that nobody reads is a warning: a mistyped filter would catch everything.
import { isJsonObject, type JsonObject } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { placedFilters } from './event-filters.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { OpenMember, PlacedPolicy } from '../placed.ts';
import type { Walk } from '../walk.ts';
import { policiesOf } from './calls.ts';

const ATTRIBUTE = /^[a-z0-9]{1,20}$/;
const SCHEMES = ['basic', 'bearer', 'oauth2', 'oidc'];
const GRANT = ['use', 'authority', 'grant', 'client', 'request', 'scopes', 'audiences', 'issuers'];

export function checkOpenMembers(walked: Walk, findings: Findings): void {
  for (const step of walked.steps) {
    for (const { value, known, pointer } of step.descriptor.openMembers?.(step) ?? []) {
      if (known !== 'attributes') check(value, known, pointer, findings);
      else if (isJsonObject(value)) checkAttributes(value, pointer, findings);
    }
  }
  for (const { filter, pointer } of placedFilters(walked)) {
    for (const [name, correlation] of Object.entries(filter.correlate ?? {})) {
      check(correlation, ['from', 'expect'], `${pointer}/correlate/${escapeToken(name)}`, findings);
    }
    checkAttributes(filter.with, `${pointer}/with`, findings);
  }
  for (const policy of policiesOf(walked)) checkPolicy(policy, findings);
}

/** The members that the client credentials grant reads; the standard also has those of grants in which a person signs in. */
function checkPolicy({ policy, pointer }: PlacedPolicy, findings: Findings): void {
  check(policy, ['use', ...SCHEMES], pointer, findings);
  for (const scheme of ['oauth2', 'oidc']) {
    const grant = policy[scheme];
    if (!isJsonObject(grant)) continue;
    const at = `${pointer}/${scheme}`;
    check(grant, scheme === 'oauth2' ? [...GRANT, 'endpoints'] : GRANT, at, findings);
    check(grant['client'], ['id', 'secret', 'authentication'], `${at}/client`, findings);
    check(grant['request'], ['encoding'], `${at}/request`, findings);
    check(grant['endpoints'], ['token'], `${at}/endpoints`, findings);
  }
}

function check(value: OpenMember['value'], known: readonly string[], pointer: string, findings: Findings): void {
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const detail = (): string => {
      const near = nearestName(name, known);
      const instead =
        near === undefined
          ? `leave it out, or write one of ${known.map(code).join(', ')}.`
          : `did you mean ${code(near)}?`;
      return `${code(name)} has no effect here; ${instead}`;
    };
    findings.warn(`${pointer}/${escapeToken(name)}`, detail, 'key');
  }
}

function checkAttributes(attributes: JsonObject, pointer: string, findings: Findings): void {
  for (const name of Object.keys(attributes)) {
    if (ATTRIBUTE.test(name)) continue;
    const detail = `${code(name)} is not a valid event attribute: attribute names are 1 to 20 lowercase letters and digits; put it under \`data\`.`;
    findings.warn(`${pointer}/${escapeToken(name)}`, detail, 'key');
  }
}
