import './evaluate.css';
import { Button, FileButton, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { CircleCheck, CircleMinus, CircleX, Download, Play, Upload } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { parse } from 'yaml';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import {
  type CaseResult,
  dependsOnDocument,
  type Score,
  scoreOf,
  type Variant,
  whyNotEvaluated,
} from '../../../shared/evaluation/index.ts';
import { differenceWords } from '../../../shared/json-differences.ts';
import type { Definition } from '../../../shared/api/index.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { CasesEditor } from './cases-editor.tsx';
import { casesText, type EvaluationCase, parseCases, useCases } from './cases.ts';
import { evaluate } from './evaluate.ts';
import { costWords } from '../../ui/quantities.ts';
import { measureWords, usePrices } from './measures.ts';
import { type Choice, MOST_VARIANTS, variantsOf, variantWords, VariantsField } from './variants.tsx';
import { TableHead } from '../../ui/table-head.tsx';

interface Evaluation {
  cases: readonly EvaluationCase[];
  variants: readonly Variant[];
  /** One variant after the other; with gaps while it is running. */
  results: readonly (CaseResult | undefined)[];
  isPending: boolean;
  error: unknown;
}

interface EvaluateTabProps {
  definitionKey: DefinitionKey;
  definition: Definition;
}

/** Runs the cases of a definition against versions and models, side by side, or says why it does not. */
export function EvaluateTab(props: EvaluateTabProps) {
  const { type, name } = props.definitionKey;
  const { source } = props.definition;
  // Sources of other types are not YAML alone.
  const whyNot = useMemo(
    () => (dependsOnDocument(type) ? whyNotEvaluated(type, name, parse(source)) : undefined),
    [type, name, source],
  );
  if (whyNot === undefined) return <Evaluating {...props} />;
  return (
    <Text size="sm" mt="md">
      <InlineCode>{whyNot}</InlineCode> Its examples are checked on the Source tab.
    </Text>
  );
}

function evaluationWords(runs: number): string {
  if (runs === 0) return 'Add cases to evaluate.';
  return `Starts ${runs === 1 ? '1 run' : `${runs} runs`}. Runs are recorded and can call tools and models.`;
}

/** Runs the cases of a definition; leaving the page stops it. */
function useEvaluation(key: DefinitionKey) {
  const [evaluation, setEvaluation] = useState<Evaluation>();
  const prices = usePrices(DEFINITION_FACTS[key.type].streamsText === true);
  const abort = useRef<AbortController>(undefined);
  const stop = (): void => abort.current?.abort();
  useEffect(() => stop, []);
  const start = async (cases: readonly EvaluationCase[], variants: readonly Variant[]): Promise<void> => {
    const { signal } = (abort.current = new AbortController());
    const set = (change: (before: Evaluation) => Partial<Evaluation>): void =>
      setEvaluation((before) => before && { ...before, ...change(before) });
    setEvaluation({ cases, variants, results: [], isPending: true, error: null });
    const onResult = (index: number, result: CaseResult): void =>
      set(({ results }) => ({ results: Object.assign([...results], { [index]: result }) }));
    try {
      await evaluate({ key, cases, variants, prices, signal, onResult });
      set(() => ({ isPending: false }));
    } catch (error) {
      set(() => ({ isPending: false, error: signal.aborted ? null : error }));
    }
  };
  return { evaluation, start, stop };
}

function Evaluating({ definitionKey, definition }: EvaluateTabProps) {
  const [cases, setCases] = useCases(definitionKey);
  const [wrongs, setWrongs] = useState<readonly string[]>([]);
  const [choice, setChoice] = useState<Choice>({ versions: [String(definition.version)], models: [] });
  const { evaluation, start, stop } = useEvaluation(definitionKey);
  const variants = variantsOf(choice) as Variant[];
  const mayRun = useMayCall('run_definition');
  const isPending = evaluation?.isPending === true;
  const canRun = mayRun && cases.length > 0 && variants.length > 0 && variants.length <= MOST_VARIANTS && !isPending;

  const open = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const read = parseCases(await file.text());
    setWrongs(read.wrongs);
    if (read.wrongs.length === 0) setCases(read.cases);
  };
  return (
    <div className="evaluate">
      <section aria-label="Cases">
        <Group justify="space-between" mb="sm" gap="xs">
          <Text component="h2" fw={650}>
            Cases
          </Text>
          <Group gap="xs">
            <FileButton accept=".jsonl,application/jsonl,text/plain" onChange={(file) => void open(file)}>
              {(props) => (
                <Button {...props} size="xs" variant="default" leftSection={<Upload size={14} aria-hidden />}>
                  Open {definitionKey.name}.cases.jsonl
                </Button>
              )}
            </FileButton>
            <Button
              size="xs"
              variant="default"
              leftSection={<Download size={14} aria-hidden />}
              disabled={cases.length === 0}
              onClick={() =>
                saveFile(
                  `${definitionKey.name}.cases.jsonl`,
                  new Blob([casesText(cases)], { type: 'application/jsonl' }),
                )
              }
            >
              Download
            </Button>
          </Group>
        </Group>
        <CasesEditor cases={cases} wrongs={wrongs} onChange={setCases} onWrongs={setWrongs} />
      </section>
      <section aria-label="Results">
        <Stack gap="sm">
          <VariantsField
            definitionKey={definitionKey}
            definition={definition}
            hasDraft={false}
            choice={choice}
            onChoose={setChoice}
          />
          <MissingPermission call="run_definition" to="run definitions" />
          <Group gap="sm">
            <Button
              size="xs"
              leftSection={<Play size={14} aria-hidden />}
              disabled={!canRun}
              onClick={() => void start(cases, variants)}
            >
              Evaluate
            </Button>
            {isPending && (
              <Button size="xs" variant="default" onClick={stop}>
                Stop
              </Button>
            )}
            <Text size="sm" c="dimmed">
              {variants.length > MOST_VARIANTS
                ? `At most ${MOST_VARIANTS} combinations are permitted.`
                : evaluationWords(cases.length * variants.length)}
            </Text>
          </Group>
          {evaluation !== undefined && <Results playbook={definitionKey.playbook} evaluation={evaluation} />}
        </Stack>
      </section>
    </div>
  );
}

function Results({ playbook, evaluation }: { playbook: string; evaluation: Evaluation }) {
  const { cases, variants, results, isPending, error } = evaluation;
  const count = results.filter((one) => one !== undefined).length;
  const all = cases.length * variants.length;
  const of = (place: number): (CaseResult | undefined)[] =>
    Array.from({ length: cases.length }, (_, index) => results[place * cases.length + index]);
  return (
    <>
      {isPending && <Progress value={(100 * count) / all} aria-label="Progress of the evaluation" />}
      <Text size="sm" role="status">
        {count} of {all} runs ended.
      </Text>
      {error !== null && <ProblemView error={error} />}
      <Table.ScrollContainer minWidth={420} type="native">
        <Table aria-label="Scores" className="number" verticalSpacing={5}>
          <TableHead titles={['Compared', 'Passed', 'Score', 'Median', 'Tokens in', 'Tokens out', 'Cost']} />
          <Table.Tbody>
            {variants.map((variant, index) => (
              <ScoreRow
                key={variantWords(variant)}
                score={scoreOf(
                  variant,
                  of(index).filter((one) => one !== undefined),
                )}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Table.ScrollContainer minWidth={420} type="native">
        <Table aria-label="Results by case" verticalSpacing={5} className="evaluate-results">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Case</Table.Th>
              {variants.map((variant) => (
                <Table.Th key={variantWords(variant)}>{variantWords(variant)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cases.map((one, index) => (
              // Names may repeat.
              <Table.Tr key={index}>
                <Table.Th scope="row">{one.name ?? `line ${index + 1}`}</Table.Th>
                {variants.map((variant, place) => (
                  <Table.Td key={variantWords(variant)}>
                    <Result playbook={playbook} result={results[place * cases.length + index]} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

function ScoreRow({ score }: { score: Score }) {
  const { passed, failed, not_evaluated: not, tokens, cost, duration_ms: ms } = score;
  return (
    <Table.Tr>
      <Table.Th scope="row">{variantWords(score)}</Table.Th>
      <Table.Td>
        {passed} of {passed + failed + not}
      </Table.Td>
      <Table.Td>{Math.round(score.score * 100)}%</Table.Td>
      <Table.Td>{measureWords(ms === undefined ? {} : { duration_ms: ms }) || '–'}</Table.Td>
      <Table.Td>{tokens?.input.toLocaleString() ?? '–'}</Table.Td>
      <Table.Td>{tokens?.output.toLocaleString() ?? '–'}</Table.Td>
      <Table.Td>{cost === undefined ? '–' : costWords(cost)}</Table.Td>
    </Table.Tr>
  );
}

const WORDS = { passed: 'Passed', failed: 'Failed', not_evaluated: 'Not evaluated' } as const;

function Result({ playbook, result }: { playbook: string; result: CaseResult | undefined }) {
  if (result === undefined) return <>–</>;
  const { status, detail, differences = [], run_id: runId } = result;
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap">
        <ResultMark status={status} />
        {runId === undefined ? (
          <Text size="sm">{WORDS[status]}</Text>
        ) : (
          <AnchorLink size="sm" to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
            {WORDS[status]}
          </AnchorLink>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {measureWords(result)}
      </Text>
      {detail !== undefined && (
        <Text size="xs">
          <InlineCode>{detail}</InlineCode>
        </Text>
      )}
      {differences.length > 0 && (
        <ul className="evaluate-differences" aria-label="Differences">
          {differences.map((difference) => (
            <li key={difference.pointer}>
              <code>{differenceWords(difference, shortened)}</code>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

function ResultMark({ status }: Pick<CaseResult, 'status'>) {
  switch (status) {
    case 'passed':
      return <CircleCheck size={15} style={{ color: 'var(--cue-good)' }} aria-hidden />;
    case 'failed':
      return <CircleX size={15} style={{ color: 'var(--cue-bad)' }} aria-hidden />;
    case 'not_evaluated':
      return <CircleMinus size={15} style={{ color: 'var(--cue-warn)' }} aria-hidden />;
  }
}

const MOST_SHOWN = 120;

function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
