import type { EventRecord } from '../../../shared/schemas/index.ts';
import type { NumberedEvent } from '../../kernel/log/index.ts';
import { shownData, wholeData } from './shown-data.ts';
import { summaryOf } from './summary.ts';

/**
 * A recorded event as it is shown: its data cut to what lists show, or with `full` every field as it is, for an event
 * whose kept values have been put into its data.
 */
export function showEvent(event: NumberedEvent, options: { full: boolean } = { full: false }): EventRecord {
  return {
    id: event.id,
    type: event.type,
    summary: summaryOf(event),
    data: options.full ? wholeData(event) : shownData(event),
    metadata: {
      stream: event.stream,
      position: event.position,
      global_position: event.globalPosition,
      ...event.metadata,
    },
  };
}
