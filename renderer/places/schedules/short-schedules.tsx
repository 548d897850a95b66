import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DEFINITION_FACTS, DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import { ShortList, ShortName } from '../../ui/short-list.tsx';
import { ComingTime } from './coming-time.tsx';
import { cadenceWords, schedulesQuery } from './schedule-query.ts';

/** The types whose definitions have schedules. */
const SCHEDULED = DEFINITION_TYPES.filter((type) => DEFINITION_FACTS[type].hasSteps === true);

/** What the clock starts, for the home of a playbook; nothing where no schedule is set. */
export function ShortSchedules({ playbook }: { playbook: string }) {
  const { data: schedules = [] } = useQuery(schedulesQuery(playbook));
  const [type] = SCHEDULED;
  if (schedules.length === 0 || type === undefined) return null;
  return (
    <div className="home-whole">
      <ShortList title="Schedules" all={null} items={schedules} height={60} nothing="">
        {({ workflow, next_times: [next], paused_at: pausedAt, ...schedule }) => (
          <Link
            key={workflow}
            to="/playbooks/$playbook/definitions/$type/$name"
            params={{ playbook, type, name: workflow }}
            search={{ tab: 'schedule' }}
            className="short-run plain"
          >
            <ShortName type={type}>{workflow}</ShortName>
            <Text size="sm" component="span" c="dimmed">
              {cadenceWords(schedule)}
            </Text>
            <Text size="xs" c="dimmed" className="short-time" component="span">
              {pausedAt !== undefined ? 'Paused' : next === undefined ? '' : <ComingTime at={next} />}
            </Text>
          </Link>
        )}
      </ShortList>
    </div>
  );
}
