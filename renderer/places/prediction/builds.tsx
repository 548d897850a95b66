import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Hammer } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { call, nextSubmission, type Submission } from '../../api/call.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Build } from './build.tsx';
import { buildsQuery, type PredictionTabProps, type Standing, standingOf } from './queries.ts';
import { IfMay } from '../../sign-in/if-may.tsx';

/** Builds that are shown first, and each time that earlier ones are asked for. */
const BUILDS = 5;

/** The builds, newest first, with their stages and scores, and a button that starts one. */
export function Builds({ definitionKey: key, definition }: PredictionTabProps) {
  const client = useQueryClient();
  const builds = useInfiniteQuery(buildsQuery(key));
  const [wanted, setWanted] = useState(BUILDS);
  const standing = standingOf(definition);
  const starting = useMutation({
    mutationFn: ({ id }: Submission<null>) => call('run_definition', { ...key, input: { build: {} }, run_id: id }),
    onSuccess: () => client.invalidateQueries({ queryKey: [key.playbook, 'definitions'] }),
  });
  const obstacle = obstacleOf(key, standing);
  const listed = builds.data?.pages.flatMap(({ runIds }) => runIds) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = builds;
  const isShort = listed.length < wanted && hasNextPage;
  useEffect(() => {
    // A page of the events may hold the builds of other functions only.
    if (isShort && !isFetching && !isError) void fetchNextPage();
  }, [isShort, isFetching, isError, fetchNextPage]);
  return (
    <section aria-labelledby="builds" className="prediction-part">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text id="builds" component="h2" fw={650}>
          Builds
        </Text>
        <IfMay call="run_definition">
          <Button
            size="xs"
            leftSection={<Hammer size={14} aria-hidden />}
            disabled={obstacle !== undefined}
            // A disabled button would lose the focus.
            onClick={() => !starting.isPending && starting.mutate(nextSubmission(starting, null))}
          >
            {starting.isPending ? 'Starting…' : 'Start a build'}
          </Button>
        </IfMay>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {obstacle ??
          `A build asks the trainer for candidate models, scores them on past data, and keeps the best one. ${standing?.builds_left.toLocaleString()} more may start today (UTC).`}
      </Text>
      {starting.error !== null && <ProblemView error={starting.error} />}
      {builds.error !== null && <ProblemView error={builds.error} />}
      {builds.isPending && <Skeleton height={80} />}
      {listed.slice(0, wanted).map((runId, index) => (
        <Build key={runId} playbook={key.playbook} runId={runId} isOpen={index === 0} pending={standing?.pending} />
      ))}
      {(wanted < listed.length || hasNextPage) && (
        <Button
          variant="subtle"
          size="xs"
          mt="xs"
          loading={isShort && isFetching}
          onClick={() => setWanted(wanted + BUILDS)}
        >
          Earlier builds
        </Button>
      )}
    </section>
  );
}

/** Why no build can start; undefined if one can. */
function obstacleOf(key: DefinitionKey, standing: Standing | undefined): ReactNode | undefined {
  if (standing === undefined) return 'A retired function cannot be built.';
  if (standing.dataset === null) {
    return (
      <AnchorLink
        underline="always"
        to="/playbooks/$playbook/definitions/$type/$name"
        params={key}
        search={{ tab: 'dataset' }}
      >
        Upload a dataset first
      </AnchorLink>
    );
  }
  return standing.builds_left === 0 ? 'No more builds may start today (UTC).' : undefined;
}
