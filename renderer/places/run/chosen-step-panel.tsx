import { Button, Group, NativeSelect, NumberInput, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type RefObject } from 'react';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import type { ChosenStep } from './chosen-step.ts';
import { visitWords } from './chosen-step.ts';
import { lookOf } from './span-row.tsx';
import { nameOfStep, type Span } from './spans.ts';
import { StepDetails, type StepDetailsProps } from './step-details.tsx';
import { StepPanel } from './step-panel.tsx';
import { SourceLines } from './step-source.tsx';

export interface ChosenStepPanelProps extends Omit<StepDetailsProps, 'span'> {
  run: RunWithRecord;
  chosen: ChosenStep;
  /** The visible rows, in which the arrow keys move. */
  shown: readonly Span[];
  heading: RefObject<HTMLHeadingElement | null>;
  onClose: () => void;
}

/** More visits than this are chosen by their number. */
const MOST_OPTIONS = 200;

/** The panel with the details of the chosen step; a step without a visit only has its source. */
export function ChosenStepPanel(props: ChosenStepPanelProps) {
  const { playbook, run, chosen, spans, shown, heading, onChoose, onRerun, onClose } = props;
  const { span, location, visits } = chosen;
  const at = span === undefined ? -1 : shown.findIndex(({ key }) => key === span.key);
  const neighbour = (by: 1 | -1): (() => void) | undefined => {
    const next = at === -1 ? undefined : shown[at + by];
    return next && (() => onChoose(next));
  };
  const label = span?.label ?? nameOfStep(location);
  const Icon = span && lookOf(span).icon;
  return (
    <StepPanel
      label={`Details of ${label}`}
      title={
        <>
          {Icon !== undefined && span !== undefined && (
            <Icon size={16} style={{ color: lookOf(span).colour, flexShrink: 0 }} aria-hidden />
          )}
          {label}
          {span !== undefined && (
            <Text span size="xs" c="dimmed">
              {span.sort}
            </Text>
          )}
        </>
      }
      heading={heading}
      onPrevious={neighbour(-1)}
      onNext={neighbour(1)}
      onClose={onClose}
    >
      {span === undefined ? (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {run.status === 'started' ? 'The run has not reached this step yet.' : 'The run did not reach this step.'}
          </Text>
          {location.startsWith('/') && (
            <SourceLines
              playbook={playbook}
              type={run.type}
              name={run.name}
              version={run.definition_version}
              pointer={location}
            />
          )}
        </>
      ) : (
        <>
          {visits.length > 1 && <Visits span={span} visits={visits} onChoose={onChoose} />}
          <StepDetails
            // What was opened in the values of one step does not apply to another.
            key={span.key}
            playbook={playbook}
            span={span}
            spans={spans}
            onChoose={onChoose}
            onRerun={onRerun}
          />
        </>
      )}
    </StepPanel>
  );
}

/** Leads through the visits of a step: its iterations, and its retries. */
function Visits({ span, visits, onChoose }: { span: Span; visits: readonly Span[]; onChoose: (span: Span) => void }) {
  const at = visits.indexOf(span);
  const [before, after] = [visits[at - 1], visits[at + 1]];
  return (
    <Group gap={6} mb="sm" wrap="nowrap" role="group" aria-label="Visits of this step">
      <Button
        size="compact-sm"
        variant="default"
        aria-label="Previous visit"
        disabled={before === undefined}
        onClick={() => before && onChoose(before)}
      >
        <ChevronLeft size={14} aria-hidden />
      </Button>
      {visits.length > MOST_OPTIONS ? (
        <NumberInput
          size="xs"
          w={90}
          aria-label="Visit"
          min={1}
          max={visits.length}
          clampBehavior="strict"
          allowDecimal={false}
          value={at + 1}
          onChange={(number) => {
            const next = visits[Number(number) - 1];
            if (next !== undefined) onChoose(next);
          }}
        />
      ) : (
        <NativeSelect
          size="xs"
          aria-label="Visit"
          data={visits.map((one, index) => ({
            value: String(index),
            label: `${visitName(one, visits)}: ${lookOf(one).word}`,
          }))}
          value={String(at)}
          onChange={({ currentTarget }) => {
            const next = visits[Number(currentTarget.value)];
            if (next !== undefined) onChoose(next);
          }}
        />
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label="Next visit"
        disabled={after === undefined}
        onClick={() => after && onChoose(after)}
      >
        <ChevronRight size={14} aria-hidden />
      </Button>
      <Text size="xs" c="dimmed" className="number" style={{ whiteSpace: 'nowrap' }}>
        {at + 1} of {visits.length.toLocaleString()}
      </Text>
    </Group>
  );
}

/** With its number among the visits of the same iteration, if a step in a loop was tried again. */
function visitName(span: Span, visits: readonly Span[]): string {
  const same = visits.filter(({ iterations }) => iterations.join() === span.iterations.join());
  const name = visitWords(span);
  return span.iterations.length > 0 && same.length > 1 ? `${name}, visit ${same.indexOf(span) + 1}` : name;
}
