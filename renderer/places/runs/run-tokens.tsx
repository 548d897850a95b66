import { useQuery } from '@tanstack/react-query';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import { readUsage } from '../../../shared/evaluation/index.ts';
import type { RunListEntry } from '../../../shared/api/index.ts';
import { runQuery } from '../../api/queries.ts';

/**
 * The tokens that a run with a model used, once it has ended. Lists have no records: the run is read when its row is
 * visible, and the request is cancelled when the row is scrolled away.
 */
export function RunTokens({ playbook, run }: { playbook: string; run: RunListEntry }) {
  const hasModel = DEFINITION_FACTS[run.type].streamsText === true;
  const { data: usage } = useQuery({
    ...runQuery(playbook, run.run_id),
    enabled: hasModel && run.ended_at !== undefined,
    select: ({ record }) => readUsage(record) ?? null,
  });
  if (usage === undefined || usage === null) return null;
  const { input, output } = usage.tokens;
  return (
    <span className="number" title={`${input.toLocaleString()} input tokens, ${output.toLocaleString()} output tokens`}>
      {(input + output).toLocaleString()}
    </span>
  );
}
