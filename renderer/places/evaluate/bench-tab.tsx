import './evaluate.css';
import { Alert, Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { BookmarkPlus, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Prices } from '../../../shared/evaluation/index.ts';
import type { Json } from '../../../shared/json.ts';
import type { Definition, DraftRun } from '../../../shared/api/index.ts';
import { InputForm } from '../../forms/input-form.tsx';
import { firstInput, readInput, runInputOf, useKeptInput } from '../../forms/kept-input.ts';
import { blankValue } from '../../forms/schema/blank-value.ts';
import { call } from '../../api/call.ts';
import { type DefinitionKey, versionQuery } from '../../api/queries.ts';
import { MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';
import { OutputView } from '../../shapes/output-view.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Status } from '../../ui/status.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { TurnsTable } from '../run/turns-table.tsx';
import { turnsOf } from '../run/turns.ts';
import { ModelsLink } from '../models/models-link.tsx';
import { addCase } from './cases.ts';
import { measuresOf, measureWords, usePrices } from './measures.ts';
import { type Choice, type Chosen, MOST_VARIANTS, variantsOf, variantWords, VariantsField } from './variants.tsx';

interface Answer {
  variant: Chosen;
  run?: DraftRun;
  error?: unknown;
}

export interface BenchTabProps {
  definitionKey: DefinitionKey;
  definition: Definition;
  /** The draft, or the saved source. */
  source: { text: string; isChanged: boolean };
}

/** One input, answered by versions and models side by side. Nothing is recorded; a good answer becomes a case. */
export function BenchTab({ definitionKey, definition, source }: BenchTabProps) {
  const { playbook, type, name } = definitionKey;
  const examples = definition.details.examples ?? [];
  const schema = definition.input_schema;
  const written = useKeptInput(`bench input ${playbook} ${type}/${name}`, () => {
    const first = firstInput(readInput(runInputOf(definitionKey)), examples);
    return first === undefined ? blankValue(schema ?? {}, {}) : first;
  });
  const { value: input, broken } = written;
  const [isUnread, setUnread] = useState(false);
  const [callTools, setCallTools] = useState(false);
  const [choice, setChoice] = useState<Choice>({
    versions: [source.isChanged ? 'draft' : String(definition.version)],
    models: [],
  });
  const { asked, isPending, ask } = useAnswers(definitionKey, source.text);
  const prices = usePrices(true);
  const variants = variantsOf(choice);
  const mayRun = useMayCall('run_draft');
  const isComplete = broken === undefined && !isUnread && variants.length > 0 && variants.length <= MOST_VARIANTS;

  return (
    <div className="evaluate">
      <section aria-label="Variables">
        <Text component="h2" fw={650} mb="sm">
          Variables
        </Text>
        <InputForm {...written} schema={schema} onUnread={setUnread} />
      </section>
      <section aria-label="Answers">
        <Stack gap="sm">
          <VariantsField
            definitionKey={definitionKey}
            definition={definition}
            hasDraft={source.isChanged}
            choice={choice}
            onChoose={setChoice}
          />
          <MissingPermission call="run_draft" to="run drafts" />
          <Group gap="sm">
            <Button
              size="xs"
              leftSection={<Play size={14} aria-hidden />}
              disabled={!mayRun || isPending || !isComplete}
              loading={isPending}
              onClick={() => ask(input, variants, callTools)}
            >
              {variants.length === 1 ? 'Ask' : `Ask ${variants.length} side by side`}
            </Button>
            <Checkbox
              size="xs"
              label="Call tools"
              checked={callTools}
              onChange={({ currentTarget: { checked } }) => setCallTools(checked)}
            />
            <Text size="sm" c="dimmed">
              {variants.length > MOST_VARIANTS ? `At most ${MOST_VARIANTS} are permitted.` : 'Not recorded.'}
            </Text>
          </Group>
          <div className="bench-answers">
            {asked?.answers.map((answer) => (
              <AnswerCard
                key={variantWords(answer.variant)}
                playbook={playbook}
                answer={answer}
                prices={prices}
                onSave={(output) => {
                  addCase(definitionKey, { input: asked.input, expect: output });
                  notifications.show({ message: `Added to ${name}.cases.jsonl. The Evaluate tab shows it.` });
                }}
              />
            ))}
          </div>
        </Stack>
      </section>
    </div>
  );
}

/** Asks all variants at once, and collects their answers. */
function useAnswers(definitionKey: DefinitionKey, draft: string) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ input: Json; answers: Answer[] }>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const ask = (input: Json, variants: readonly Chosen[], callTools: boolean): void => {
    abort.current?.abort();
    const { signal } = (abort.current = new AbortController());
    setAsked({ input, answers: variants.map((variant) => ({ variant })) });
    const settle = (index: number, answer: Omit<Answer, 'variant'>): void => {
      if (signal.aborted) return;
      setAsked(
        (before) =>
          before && {
            ...before,
            answers: before.answers.map((one, at) => (at === index ? { ...one, ...answer } : one)),
          },
      );
    };
    const runVariant = async ({ version, model }: Chosen): Promise<DraftRun> => {
      const source =
        version === 'draft' ? draft : (await client.fetchQuery(versionQuery(definitionKey, version))).source;
      return call('run_draft', { ...definitionKey, source, input, model, call_tools: callTools }, signal);
    };
    for (const [index, variant] of variants.entries()) {
      runVariant(variant).then(
        (run) => settle(index, { run }),
        (error: unknown) => settle(index, { error }),
      );
    }
  };
  const isPending = asked?.answers.some(({ run, error }) => run === undefined && error === undefined) === true;
  return { asked, isPending, ask };
}

function AnswerCard({
  playbook,
  answer: { variant, run, error },
  prices,
  onSave,
}: {
  playbook: string;
  answer: Answer;
  prices: Prices;
  onSave: (output: Json) => void;
}) {
  const title = variantWords(variant);
  const turns = turnsOf(run?.record);
  const status = run?.status === undefined || run.status === 'waiting' ? 'failed' : run.status;
  return (
    <section className="card" aria-label={title}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text component="h3" fw={650} size="sm">
          {title}
        </Text>
        {run !== undefined && (
          <Text span size="sm">
            <Status run={{ status, reason: run.rejection?.reason, kind: run.rejection?.kind }} />
          </Text>
        )}
      </Group>
      <Stack gap="sm">
        {run === undefined && error === undefined && <Skeleton height={90} aria-label="Waiting for the model" />}
        {error !== undefined && <ProblemView error={error} />}
        {run !== undefined && (
          <Text size="xs" c="dimmed" className="number">
            {measureWords({ duration_ms: run.duration_ms, ...measuresOf(run.record, variant.model, prices) })}
          </Text>
        )}
        {run?.valid === false && (
          <Alert color="red">
            <InlineCode>{run.issues.map(({ detail }) => detail).join(' ')}</InlineCode>
          </Alert>
        )}
        {run?.detail !== undefined && (
          <Text size="sm" role="alert">
            <InlineCode>{run.detail}</InlineCode>
          </Text>
        )}
        <ModelsLink playbook={playbook} because={run?.rejection?.because} />
        {run?.status === 'succeeded' && (
          <>
            <OutputView output={run.output} shape={run.output_shape} />
            <Group justify="flex-end">
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<BookmarkPlus size={13} aria-hidden />}
                onClick={() => onSave(run.output ?? null)}
              >
                Save as case
              </Button>
            </Group>
          </>
        )}
        {run !== undefined && run.calls.length > 0 && (
          <ul className="evaluate-differences" aria-label="Tool calls">
            {run.calls.map(({ call: id, called, how, detail }) => (
              <li key={id}>
                <code>{called}</code>, {how.replaceAll('_', ' ')}
                {detail !== undefined && <InlineCode>{`: ${detail}`}</InlineCode>}
              </li>
            ))}
          </ul>
        )}
        {turns.length > 0 && <TurnsTable turns={turns} record={run?.record ?? {}} />}
      </Stack>
    </section>
  );
}
