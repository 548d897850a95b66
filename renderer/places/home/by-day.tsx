import { useNavigate } from '@tanstack/react-router';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { RunStatus } from '../../api/operations.ts';
import { type Days, DayChart, type Measure } from './day-chart.tsx';
import { DayTable } from './day-table.tsx';

export interface ByDayProps {
  playbook: string;
  days: Days;
  measure: Measure;
  type: DefinitionType | undefined;
}

/** A bar opens the runs of its day; the table below is its twin for the keyboard and for reading aloud. */
export function ByDay({ playbook, days, measure, type }: ByDayProps) {
  const navigate = useNavigate();
  const runsOf = (day: string, status?: RunStatus) => ({
    day,
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
  });
  return (
    <>
      <DayChart
        days={days}
        measure={measure}
        onOpen={(day, status) =>
          void navigate({ to: '/playbooks/$playbook/runs', params: { playbook }, search: runsOf(day, status) })
        }
      />
      <details>
        <summary>As a table</summary>
        <DayTable playbook={playbook} days={days} runsOf={runsOf} />
      </details>
    </>
  );
}
