import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import { statusText, type StatusTone } from '../../../shared/status-label.ts';
import type { EventRecord, RunWithRecord } from '../../../shared/api/index.ts';
import { graphQuery, versionQuery } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { IssueList } from '../../ui/issue-list.tsx';
import { Status, statusBadgeOf } from '../../ui/status.tsx';
import { ModelsLink } from '../models/models-link.tsx';
import { type Cause, causeOf } from './cause.ts';
import { CodeFrame } from './code-frame.tsx';
import { type DefinitionVersion, LineLink } from './line-link.tsx';
import { nameOfStep } from './spans.ts';
import { useTree } from './use-tree.ts';

const ALERT_COLOURS: Readonly<Record<StatusTone, string>> = {
  blue: 'blue',
  'hollow-blue': 'blue',
  green: 'teal',
  amber: 'yellow',
  grey: 'gray',
  red: 'red',
};

/** Why a run ended without an output: the cause, then where it occurred. */
export function RunEnding({ playbook, run }: { playbook: string; run: RunWithRecord }) {
  const cause = causeOf(run);
  if (cause === undefined) return null;
  const { icon: Icon, tone } = statusBadgeOf(run);
  const { type, name, definition_version: version } = run;
  const own = { definition: { playbook, type, name }, version };
  const terms = [run.status, run.reason, run.kind, run.because].filter((term) => term !== undefined);
  return (
    <Alert mb="md" color={ALERT_COLOURS[tone]} icon={<Icon size={18} aria-hidden />} title={statusText(run)}>
      <Stack gap={4}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {cause.step !== undefined && (
            <>
              Step <code>{nameOfStep(cause.step)}</code>:{' '}
            </>
          )}
          <InlineCode>{cause.message}</InlineCode>
        </Text>
        <IssueList issues={cause.issues} />
        {cause.called === undefined ? (
          <FailedLine ran={own} cause={cause} />
        ) : (
          <CalledRun playbook={playbook} run={run} cause={cause} called={cause.called} />
        )}
        <ModelsLink playbook={playbook} because={run.because} />
        <Text size="xs" c="dimmed">
          In the API: <code>{terms.join(' · ')}</code>
        </Text>
      </Stack>
    </Alert>
  );
}

/** The run that the step called, its status, and where its program failed. */
function CalledRun({
  playbook,
  run,
  cause,
  called,
}: {
  playbook: string;
  run: RunWithRecord;
  cause: Cause;
  called: NonNullable<Cause['called']>;
}) {
  const { events } = useTree(playbook, run.run_id);
  const started = events?.findLast((event) => isCall(event, run.run_id, cause.step));
  const { run_id: runId, definition } = started?.metadata ?? {};
  if (runId === undefined || definition?.version === undefined) return null;
  const { type, name, version } = definition;
  return (
    <>
      <Text size="sm" component="div">
        Called run:{' '}
        <AnchorLink to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
          {type}/{name}
        </AnchorLink>{' '}
        <Status run={called} />
      </Text>
      <FailedLine ran={{ definition: { playbook, type, name }, version }} cause={cause} />
    </>
  );
}

function isCall({ type, metadata }: EventRecord, caller: string, step: string | undefined): boolean {
  const { called_by: by } = metadata;
  return type === 'run_started' && by?.run_id === caller && by.reference === step;
}

/** The failed line of the program or the line of the step, with a link to the editor. */
function FailedLine({ ran, cause: { at, step, called } }: { ran: DefinitionVersion; cause: Cause }) {
  const { definition, version } = ran;
  const source = useQuery({ ...versionQuery(definition, version), enabled: at !== undefined });
  const graph = useQuery({
    ...graphQuery(definition, version),
    enabled:
      at === undefined &&
      called === undefined &&
      step !== undefined &&
      DEFINITION_FACTS[definition.type].hasSteps === true,
  });
  const line = at?.line ?? graph.data?.nodes.find(({ id }) => id === step)?.line;
  if (line === undefined) return null;
  return (
    <>
      {source.data !== undefined && (
        <CodeFrame source={source.data.source} line={line} label={`Line ${line} of ${definition.name}`} isError />
      )}
      <LineLink ran={ran} line={line} />
    </>
  );
}
