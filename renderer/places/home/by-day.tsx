import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { RunOutcome, StatusFilter } from '../../../shared/status-label.ts';
import { type Days, DayChart, type Measure } from './day-chart.tsx';

const DayTable = lazy(async () => ({ default: (await import('./day-table.tsx')).DayTable }));

export interface ByDayProps {
  playbook: string;
  days: Days;
  measure: Measure;
  type: DefinitionType | undefined;
}

/** A chart whose bars open the runs of their day. The table below is the same for the keyboard and screen readers. */
export function ByDay({ playbook, days, measure, type }: ByDayProps) {
  const navigate = useNavigate();
  const [isTable, setTable] = useState(false);
  const runsOf = (day: string, outcome?: RunOutcome) => ({
    day,
    ...(outcome === undefined ? {} : filterOf(outcome)),
    ...(type === undefined ? {} : { type }),
  });
  return (
    <>
      <DayChart
        days={days}
        measure={measure}
        onOpen={(day, outcome) =>
          void navigate({ to: '/playbooks/$playbook/runs', params: { playbook }, search: runsOf(day, outcome) })
        }
      />
      <details style={{ marginTop: 14 }} onToggle={({ currentTarget }) => setTable(currentTarget.open)}>
        <summary>As a table</summary>
        <Suspense>{isTable && <DayTable playbook={playbook} days={days} runsOf={runsOf} />}</Suspense>
      </details>
    </>
  );
}

/** Runs are filtered by status, and rejected runs by their cause as well. */
function filterOf(outcome: RunOutcome): { status: StatusFilter; outcome?: RunOutcome } {
  if (outcome === 'succeeded' || outcome === 'failed' || outcome === 'cancelled') return { status: outcome };
  return { status: 'rejected', outcome };
}
