// Warnings about secrets that stand in the document, where everyone who may read it reads them.
import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { DocumentContext } from '../check-context.ts';
import type { Walk } from '../walk.ts';
import { isExpression } from '../walk-durations.ts';
import { policiesOf } from './calls.ts';

const INSTEAD =
  'everyone who can read the definition can read it; add the secret to `workflow_secrets` in the configuration and write ${ $secrets.NAME }';

/** Where policies hold secrets. */
const SECRETS: readonly (readonly string[])[] = [
  ['basic', 'password'],
  ['bearer', 'token'],
  ...['oauth2', 'oidc'].flatMap((scheme) => [
    [scheme, 'client', 'secret'],
    [scheme, 'client', 'assertion'],
    [scheme, 'password'],
    [scheme, 'subject', 'token'],
    [scheme, 'actor', 'token'],
  ]),
];

const TELLING_NAME = /authorization|cookie|token|secret|passw|api[-_]?key/i;

export function checkSecrets(
  walked: Walk,
  { secretGiven }: Pick<DocumentContext, 'secretGiven'>,
  findings: Findings,
): void {
  for (const [index, name] of (walked.document.use?.secrets ?? []).entries()) {
    if (secretGiven === undefined || secretGiven(name)) continue;
    const detail = `Workflows of this playbook cannot use the secret \`${name}\`; the operator can add it to \`workflow_secrets\`.`;
    findings.warn(`/use/secrets/${index}`, detail);
  }
  for (const { policy, pointer } of policiesOf(walked)) {
    for (const path of SECRETS) {
      const value = path.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), policy);
      if (isLiteral(value)) warn(`${pointer}/${path.join('/')}`, findings);
    }
  }
  for (const step of walked.steps) {
    for (const { values, pointer } of step.descriptor.secretHolders?.(step) ?? [])
      checkNamed(values, pointer, findings);
  }
}

function checkNamed(values: Json | undefined, pointer: string, findings: Findings): void {
  if (!isJsonObject(values)) return;
  for (const [name, value] of Object.entries(values)) {
    if (TELLING_NAME.test(name) && isLiteral(value)) warn(`${pointer}/${escapeToken(name)}`, findings);
  }
}

function isLiteral(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '' && !isExpression(value);
}

function warn(pointer: string, findings: Findings): void {
  findings.warn(pointer, `This looks like a secret: ${INSTEAD}.`);
}
