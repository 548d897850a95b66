import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Analytics } from '../../../shared/api/index.ts';
import { TypeIcon } from '../../ui/type-icon.tsx';

const MOST = 7;

/** Ended runs by definition, each linked to its runs. */
export function ByFunction({
  playbook,
  functions,
}: {
  playbook: string;
  functions: Analytics['by_function'] | undefined;
}) {
  const most = Math.max(1, ...(functions ?? []).map(({ runs }) => runs));
  return (
    <section className="card" aria-labelledby="by-function" style={{ height: '100%' }}>
      <Text fw={650} id="by-function" component="h2" mb="sm">
        Runs by definition
      </Text>
      {functions === undefined && <Skeleton height={220} />}
      {functions?.length === 0 && (
        <Text size="sm" c="dimmed">
          No runs ended in this period.
        </Text>
      )}
      <Stack gap={2}>
        {functions?.slice(0, MOST).map(({ type, name, runs }) => (
          <Link
            key={`${type}/${name}`}
            to="/playbooks/$playbook/runs"
            params={{ playbook }}
            search={{ type, name }}
            className="bar plain"
          >
            <Group gap={8} wrap="nowrap" justify="space-between">
              <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
                <TypeIcon type={type} />
                <Text size="sm" truncate>
                  {name}
                </Text>
              </Group>
              <Text size="sm" className="number" fw={600}>
                {runs.toLocaleString()}
              </Text>
            </Group>
            <div className="bar-line" style={{ width: `${(100 * runs) / most}%` }} />
          </Link>
        ))}
      </Stack>
    </section>
  );
}
