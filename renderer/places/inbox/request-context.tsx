import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { isJsonObject } from '../../../shared/json.ts';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { Fact } from '../../ui/fact.tsx';
import { RunLink } from '../../ui/run-link.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { GivenData } from './given-data.tsx';
import { deliveryWords, type Story } from './story.ts';

const Markdown = lazy(async () => ({ default: (await import('../../ui/markdown.tsx')).Markdown }));

/** The message of a request with its context. */
export function RequestContext({
  playbook,
  run,
  input,
  story,
}: {
  playbook: string;
  run: RunWithRecord;
  input: unknown;
  story: Story;
}) {
  const { requested } = story;
  const takesAnswer = requested.data['takes_answer'] === true;
  const hasInput = input !== undefined && !(isJsonObject(input) && Object.keys(input).length === 0);
  return (
    <Stack gap="md">
      <section className="card request-message" aria-label="Message">
        <Suspense fallback={<Skeleton height={90} />}>
          <Markdown text={String(requested.data['message'])} />
        </Suspense>
      </section>
      <section className="card" aria-label="Request details">
        <dl className="facts request-facts">
          <Fact title="To">{String(requested.data['to'])}</Fact>
          <Fact title={takesAnswer ? 'Asked' : 'Sent'}>
            <RelativeTime at={requested.metadata.at} />
          </Fact>
          <Fact title={takesAnswer ? 'Asked by' : 'Sent by'}>
            <DefinitionLink playbook={playbook} run={run} />
          </Fact>
          <Fact title={run.called_by === undefined ? 'Started by' : 'Called by'}>
            {run.called_by === undefined ? (
              run.started_by
            ) : (
              <RunLink playbook={playbook} runId={run.called_by.run_id}>
                a run of {run.called_by.run}
              </RunLink>
            )}
          </Fact>
          <Fact title="Delivery">{deliveryWords(story, run.status)}</Fact>
          <Fact title="Run">
            <RunLink playbook={playbook} runId={run.run_id}>
              {run.run_id.slice(0, 8)}
            </RunLink>
          </Fact>
        </dl>
      </section>
      {hasInput && (
        <section aria-labelledby="given">
          <Text id="given" component="h2" fw={650} size="sm" mb={6}>
            Input
          </Text>
          <GivenData value={input} label="Input" />
        </section>
      )}
    </Stack>
  );
}

function DefinitionLink({ playbook, run }: { playbook: string; run: RunWithRecord }) {
  return (
    <AnchorLink to="/playbooks/$playbook/definitions/$type/$name" params={{ playbook, type: run.type, name: run.name }}>
      {run.type}/{run.name}, version {run.definition_version}
    </AnchorLink>
  );
}
