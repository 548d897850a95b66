// Recorded events for the tests of how they are shown.
import type { JsonObject } from '../../../shared/json.ts';
import type { NumberedEvent } from '../../kernel/log/index.ts';

export const RUN_ID = '0198c5a0-0000-7000-8000-000000000001';

export function storedEvent(type: string, data: JsonObject, own: Partial<NumberedEvent> = {}): NumberedEvent {
  return {
    org: 'local',
    playbook: 'support',
    id: '0198c5a0-0000-7000-8000-000000000002',
    stream: `run-${RUN_ID}`,
    position: 1,
    readPosition: 7,
    globalPosition: 12,
    type,
    data,
    kept: {},
    metadata: {
      correlation_id: RUN_ID,
      causation_id: null,
      at: '2026-01-31T07:00:00.000Z',
      by: 'ada',
      run_id: RUN_ID,
      definition: { type: 'computation', name: 'priority-score', version: 3 },
      trace_id: '1'.repeat(32),
      span_id: '2'.repeat(16),
    },
    ...own,
  };
}
