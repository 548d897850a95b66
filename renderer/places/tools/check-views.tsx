import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ArgumentsCheck, DryRun } from '../../../shared/api/index.ts';
import { Fact } from '../../ui/fact.tsx';
import { Mark, type Sense } from '../../ui/mark.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { meaningOf } from './unavailable.ts';

export function CheckView({ check: { valid, issues } }: { check: ArgumentsCheck }) {
  if (valid === true) return <Mark sense="good">The arguments match the tool&apos;s schema.</Mark>;
  return (
    <Stack gap={6}>
      {valid === false ? (
        <Mark sense="bad">
          The arguments do not match the schema. Execute would still send them, and the tool may reject them.
        </Mark>
      ) : (
        <Mark sense="quiet">The arguments cannot be checked here. The tool checks them itself.</Mark>
      )}
      <List size="sm">
        {issues.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <InlineCode>{message}</InlineCode> {path !== '' && <code>{path}</code>}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** The lines of a dry run, each with its meaning. */
export function DryRunView({ dryRun }: { dryRun: DryRun }) {
  const { would_run: wouldRun, server, read_only: readOnly } = dryRun;
  return (
    <Stack gap="sm">
      <Text component="h2" fw={650}>
        Dry run
      </Text>
      <Text fw={600} component="div">
        <Mark sense={wouldRun ? 'good' : 'bad'}>
          {wouldRun ? 'Execute would call the tool now.' : 'Execute would not call the tool now.'}
        </Mark>
      </Text>
      <dl className="dry-run">
        <Line name="You" sense={dryRun.caller_may ? 'good' : 'bad'}>
          {dryRun.caller_may ? 'You may call tools here' : 'You may not call tools here'}: this needs the permission{' '}
          <code>{dryRun.needs}</code>.
        </Line>
        <Line name="Playbook" sense={dryRun.playbook_retired ? 'bad' : 'good'}>
          {dryRun.playbook_retired ? 'It is retired and cannot call tools.' : 'It is active.'}
        </Line>
        <Line name="Operator" sense={dryRun.allowed ? 'good' : 'bad'}>
          {dryRun.allowed
            ? 'The configuration of the server allows the tool.'
            : 'The configuration of the server does not allow the tool: `allowed` does not include it.'}
        </Line>
        <Line name="Server" sense={server.reachable === 'yes' ? 'good' : 'bad'}>
          {server.reachable === 'yes' ? 'It responds.' : meaningOf(server.because)}
        </Line>
        <Line name="Effect" sense={readOnly === true ? 'good' : readOnly === null ? 'quiet' : 'warn'}>
          {readOnly === null
            ? 'Unknown: the tool list of the server could not be read.'
            : readOnly
              ? 'The server marks the tool as read-only.'
              : 'The server does not mark the tool as read-only, so it may make changes.'}
        </Line>
        <Fact title="Arguments">{dryRun.arguments === null ? 'None.' : <CheckView check={dryRun.arguments} />}</Fact>
      </dl>
    </Stack>
  );
}

function Line({ name, sense, children }: { name: string; sense: Sense; children: ReactNode }) {
  return (
    <Fact title={name}>
      <Mark sense={sense}>{children}</Mark>
    </Fact>
  );
}
