import type { EventRecord } from '../../../shared/api/index.ts';
import { isFor } from './parties.ts';

/** What a notification says; undefined for what is no request, or is for others. */
export function notificationTitle({ type, data, metadata }: EventRecord, me: readonly string[]): string | undefined {
  if (type !== 'interaction_requested' || !isFor(me, data['to'])) return undefined;
  return `${metadata.definition?.name ?? 'Somebody'} ${data['takes_answer'] === true ? 'asks' : 'tells'} ${String(data['to'])}`;
}
