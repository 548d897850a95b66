import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { isJsonObject, type JsonObject, memberOf } from '../../../shared/json.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { IssueList, issuesIn } from '../../ui/issue-list.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { ToolContent } from '../../ui/tool-content.tsx';
import { childrenOf } from './chosen-step.ts';
import { EventValue, type EventValueProps } from './event-value.tsx';
import type { Span } from './spans.ts';
import { StepEvents } from './step-events.tsx';
import { StepFacts } from './step-facts.tsx';
import { inputOfStep } from './step-input.ts';
import { StepSource } from './step-source.tsx';

export interface StepDetailsProps {
  playbook: string;
  span: Span;
  /** All spans of the run, each after its parent. */
  spans: readonly Span[];
  onChoose: (span: Span) => void;
  /** Absent if the run cannot be run again from a step. */
  onRerun: ((span: Span) => void) | undefined;
}

/** What a step received and returned, how it ended, and where to read on. */
export function StepDetails({ playbook, span, spans, onChoose, onRerun }: StepDetailsProps) {
  const error = span.events.findLast(({ data }) => isJsonObject(data['error']))?.data['error'];
  const input = inputOfStep(span, spans);
  const output = span.events.findLast(({ type }) => type === 'step_finished' || type === 'run_succeeded');
  const answer = span.events.findLast(({ type }) => type === 'tool_call_answered');
  return (
    <Stack gap="md">
      <StepFacts span={span} spans={spans} />
      {span.state === 'failed' && isJsonObject(error) && <StepError error={error} />}
      {(span.state === 'rejected' || (span.state === 'failed' && error === undefined)) && span.detail !== undefined && (
        <Alert color={span.state === 'failed' ? 'red' : 'yellow'}>
          <InlineCode>{span.detail}</InlineCode>
          <IssueList
            issues={issuesIn(span.events.findLast(({ data }) => data['rejection'] !== undefined)?.data['rejection'])}
          />
        </Alert>
      )}
      {onRerun !== undefined && span.visit !== undefined && (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCcw size={14} aria-hidden />}
            onClick={() => onRerun(span)}
          >
            Run again from here
          </Button>
        </Group>
      )}
      <StepLinks playbook={playbook} span={span} spans={spans} onChoose={onChoose} />
      {input !== undefined && (
        <ValuePart
          title="Input"
          about={aboutInput(input, span)}
          playbook={playbook}
          event={input.event}
          member={input.member}
        />
      )}
      {output !== undefined && <ValuePart title="Output" playbook={playbook} event={output} member="output" />}
      {answer !== undefined && (
        <Part title="Output">
          {isJsonObject(answer.data['answer']) && <ToolContent result={answer.data['answer']} />}
          <EventValue playbook={playbook} event={answer} member="answer" label="Output" />
        </Part>
      )}
      {span.kind === 'step' && <StepSource playbook={playbook} span={span} />}
      <StepEvents playbook={playbook} span={span} />
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <PartHeading title={title} />
      {children}
    </section>
  );
}

interface ValuePartProps extends Omit<EventValueProps, 'label' | 'heading'> {
  title: string;
  about?: string | undefined;
}

function ValuePart({ title, about, ...value }: ValuePartProps) {
  return (
    <section aria-label={title}>
      <EventValue {...value} label={title} heading={<PartHeading title={title} about={about} />} />
    </section>
  );
}

function PartHeading({ title, about }: { title: string; about?: string | undefined }) {
  return (
    <>
      <Text component="h3" fw={650} size="sm">
        {title}
      </Text>
      {about !== undefined && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
    </>
  );
}

function aboutInput(
  { from, member, isExact }: NonNullable<ReturnType<typeof inputOfStep>>,
  span: Span,
): string | undefined {
  if (from === span) return undefined;
  if (isExact) return member === 'arguments' ? `Arguments of ${from.label}` : `Passed to ${from.sort}/${from.label}`;
  const source = from.kind === 'run' ? 'Input of the run' : `Output of ${from.label}`;
  return `${source}, before the step’s own input.from`;
}

function StepError({ error }: { error: JsonObject }) {
  const title = memberOf(error, 'title');
  const detail = memberOf(error, 'detail');
  return (
    <section aria-label="Error">
      <Alert color="red" title={typeof title === 'string' ? <InlineCode>{title}</InlineCode> : 'Error'} mb={6}>
        {typeof detail === 'string' && <InlineCode>{detail}</InlineCode>}
        <IssueList issues={issuesIn(memberOf(error, 'rejection'))} />
      </Alert>
      <JsonView value={error} label="Error" />
    </section>
  );
}

/** The runs that a step called, their model turns, and its tool calls. */
function StepLinks({
  playbook,
  span,
  spans,
  onChoose,
}: Pick<StepDetailsProps, 'playbook' | 'span' | 'spans' | 'onChoose'>) {
  const below = childrenOf(span, spans);
  const runs = [span, ...below].filter(({ kind, depth }) => kind === 'run' && depth > 0);
  const calls = [span, ...below].filter(({ kind }) => kind === 'tool');
  const turns = below.filter(({ kind }) => kind === 'turn');
  if (runs.length + calls.length + turns.length === 0) return null;
  return (
    <Part title="Calls">
      <Stack gap={4} mt={4}>
        {runs.map((run) => (
          <RunLinks key={run.key} playbook={playbook} run={run} turns={turnsIn(run, spans)} />
        ))}
        {calls.map((call) => (
          <ToolLink key={call.key} playbook={playbook} call={call} />
        ))}
        {turns.map((turn) => (
          <div key={turn.key}>
            <Anchor component="button" type="button" size="sm" onClick={() => onChoose(turn)}>
              {turn.label}
            </Anchor>{' '}
            <Text span size="xs" c="dimmed">
              {turn.detail !== undefined && <InlineCode>{turn.detail}</InlineCode>}
            </Text>
          </div>
        ))}
      </Stack>
    </Part>
  );
}

function turnsIn(run: Span, spans: readonly Span[]): number {
  return childrenOf(run, spans).filter(({ kind }) => kind === 'turn').length;
}

function RunLinks({ playbook, run, turns }: { playbook: string; run: Span; turns: number }) {
  const params = { playbook, runId: run.runId ?? '' };
  return (
    <Text size="sm" component="div">
      Run of{' '}
      <AnchorLink to="/playbooks/$playbook/runs/$runId" params={params}>
        {run.sort}/{run.label}
      </AnchorLink>
      {turns > 0 && (
        <>
          {', '}
          <AnchorLink to="/playbooks/$playbook/runs/$runId" params={params} search={{ tab: 'data' }}>
            {turns === 1 ? '1 model turn' : `${turns} model turns`}
          </AnchorLink>
        </>
      )}
    </Text>
  );
}

/** HTTP calls of a workflow have no tool of their own. */
const NO_SERVER = 'http';

function ToolLink({ playbook, call }: { playbook: string; call: Span }) {
  const { server, tool } = call.events[0]?.data ?? {};
  if (typeof server !== 'string' || typeof tool !== 'string' || server === NO_SERVER) return null;
  return (
    <Text size="sm" component="div">
      Tool{' '}
      <AnchorLink to="/playbooks/$playbook/tools/$server/$tool" params={{ playbook, server, tool }}>
        {call.label}
      </AnchorLink>
    </Text>
  );
}
