import { isJsonObject, type Json } from '../../../shared/json.ts';
import type { InteractionRequest } from '../../../shared/api/index.ts';

/** An open request with its playbook. */
export interface InboxEntry extends InteractionRequest {
  playbook: string;
}

const LINE = 76;

export function listWords(entries: readonly InboxEntry[]): string {
  if (entries.length === 0) return 'There are no open requests.';
  return entries
    .map((entry, index) => {
      const [first = ''] = entry.message.trim().split('\n');
      const line = first.length > LINE ? `${first.slice(0, LINE).toWellFormed()}...` : first;
      const head = `${index + 1}. ${entry.takes_answer ? 'asks' : 'tells'} ${entry.to}: ${line}`;
      return `${head}\n   ${entry.playbook} ${entry.run_id}  ${entry.type}/${entry.function}, ${standingWords(entry)}`;
    })
    .join('\n');
}

export function requestWords(entry: InboxEntry): string {
  const { answer_schema: schema } = entry;
  return [
    `${entry.type}/${entry.function} of ${entry.playbook} ${entry.takes_answer ? 'asks' : 'tells'} ${entry.to}, ${standingWords(entry)}:`,
    '',
    ...entry.message
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(entry.input === undefined ? [] : ['', `To train models for it: cuebook train ${entry.playbook}`]),
    ...(isJsonObject(schema) ? ['', `Answer: ${answerWords(schema)}`] : []),
  ].join('\n');
}

const STANDINGS: Readonly<Record<InboxEntry['standing'], string>> = {
  in_inbox: 'in the inbox',
  to_deliver: 'waiting for delivery',
  delivering: 'being delivered',
  delivered: 'delivered',
  retrying: 'delivery is being retried',
  undelivered: 'could not be delivered',
  cancelling: 'being cancelled',
};

function standingWords({ standing, expires_at: expiresAt }: InboxEntry): string {
  return `${STANDINGS[standing]}, expires ${expiresAt.slice(0, 16).replace('T', ' ')} UTC`;
}

/** The fields of an answer, in one line. */
export function answerWords(schema: Record<string, unknown>): string {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return schemaWords(schema as Json);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties)
    .map(([name, property]) => `${name} (${schemaWords(property)}${needed.includes(name) ? '' : ', optional'})`)
    .join(', ');
}

/** What kind of value to type. */
export function schemaWords(schema: Json): string {
  if (!isJsonObject(schema)) return 'any JSON';
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' or ');
  const types = [schema['type']].flat();
  if (types.includes('boolean')) return 'yes or no';
  if (types.includes('string')) return 'text';
  return types.every((type) => typeof type === 'string') ? types.join(' or ') : 'any JSON';
}
