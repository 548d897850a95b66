import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { EventRecord, RunWithRecord } from '../../../shared/api/index.ts';
import { eventQuery } from '../../api/queries.ts';
import { OutputView } from '../../shapes/output-view.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { GrowingText } from './growing-text.tsx';
import { TurnsTable } from './turns-table.tsx';
import { turnsOf } from './turns.ts';

export function RunData({
  playbook,
  run,
  started,
}: {
  playbook: string;
  run: RunWithRecord;
  started: EventRecord | undefined;
}) {
  const whole = useQuery({ ...eventQuery(playbook, started?.id ?? ''), enabled: started !== undefined });
  const turns = turnsOf(run.record);
  return (
    <Stack>
      <section aria-labelledby="output">
        {run.output === undefined ? (
          <>
            <Heading id="output" mb={6}>
              Output
            </Heading>
            <GrowingText
              playbook={playbook}
              runId={run.run_id}
              isFollowed={DEFINITION_FACTS[run.type].streamsText === true && run.status === 'started'}
            >
              <Text size="sm" c="dimmed">
                {run.status === 'started'
                  ? 'The run is in progress. Its output appears here when it ends.'
                  : 'The run ended without an output.'}
              </Text>
            </GrowingText>
          </>
        ) : (
          <OutputView output={run.output} shape={run.output_shape} heading={<Heading id="output">Output</Heading>} />
        )}
      </section>
      <section aria-labelledby="input">
        {whole.data === undefined ? (
          <>
            <Heading id="input" mb={6}>
              Input
            </Heading>
            {whole.error === null ? <Skeleton height={80} /> : <ProblemView error={whole.error} />}
          </>
        ) : (
          <JsonView value={whole.data.data['input']} label="Input" heading={<Heading id="input">Input</Heading>} />
        )}
      </section>
      {turns.length > 0 && (
        <section aria-labelledby="turns">
          <Heading id="turns" mb={6}>
            Model turns and tool calls
          </Heading>
          <TurnsTable turns={turns} record={run.record} />
        </section>
      )}
      {Object.keys(run.record).length > 0 && (
        <section aria-labelledby="record">
          <JsonView value={run.record} label="Record" heading={<Heading id="record">Record</Heading>} />
        </section>
      )}
    </Stack>
  );
}

/** @param mb its margin, unless it is in one line with the buttons of a value */
function Heading({ id, mb = 0, children }: { id: string; mb?: number; children: string }) {
  return (
    <Text id={id} component="h2" fw={650} size="sm" mb={mb}>
      {children}
    </Text>
  );
}
