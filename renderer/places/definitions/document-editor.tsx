import './document.css';
import { Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import type { SourceIssue } from '../../../shared/issues.ts';
import type { DocumentCheck } from '../../../shared/api/index.ts';
import { type DefinitionKey, definitionQuery, definitionsQuery } from '../../api/queries.ts';
import type { CodeEditorProps, Origin } from '../../editor/code-editor.tsx';
import type { EditorHandle } from '../../editor/editor-handle.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { PaneDivider, usePanes } from '../../ui/pane-divider.tsx';
import { useHasTabs } from '../../ui/use-narrow.ts';
import { isOfSource } from './use-source.ts';
import { type Checked, useCheck } from './use-check.ts';
import { ExampleResults, type Examples, RunExamples, useExamples } from './example-results.tsx';
import { splitOverview, UsedBy } from './used-by.tsx';
import { useUsableModels } from './use-usable-models.ts';
import type { Cursor } from './visual/chosen-step.ts';
import type { GraphPaneProps } from './visual/graph-pane.tsx';
import type { Callable } from './visual/new-steps.ts';

const CodeEditor = lazy(async () => ({ default: (await import('../../editor/code-editor.tsx')).CodeEditor }));
const Markdown = lazy(async () => ({ default: (await import('../../ui/markdown.tsx')).Markdown }));
const GraphPane = lazy(async () => ({ default: (await import('./visual/graph-pane.tsx')).GraphPane }));

const StepsTable = lazy(async () => ({ default: (await import('../../graph/steps-table.tsx')).StepsTable }));

const NONE: readonly SourceIssue[] = [];

export interface DocumentEditorProps {
  definitionKey: DefinitionKey;
  origin: Origin;
  kept: CodeEditorProps['kept'];
  /** The current text. */
  text: string;
  line?: number | undefined;
  readOnly?: boolean;
  onChange: (text: string) => void;
  /** Why the last save failed. */
  error: unknown;
  notice?: ReactNode;
  actions: ReactNode;
  /** Shown before the actions, for example the name of a new definition. */
  fields?: ReactNode;
}

/** An editor with the results of the live check: issues, overview and, for definitions with steps, the graph. */
export function DocumentEditor(props: DocumentEditorProps) {
  const { definitionKey, origin, kept, text, readOnly = false, onChange, error, notice, actions, fields } = props;
  const { playbook, type, name } = definitionKey;
  const [reveal, setReveal] = useState(props.line === undefined ? undefined : { line: props.line });
  const panes = usePanes('source', 55);
  const examples = useExamples(definitionKey);
  const tabs = useTabs(type, !examples.isIdle);
  const { side, isNarrow, isSourceShown, show: setTab } = tabs;
  const [cursor, setCursor] = useState<Cursor>({});
  const editor = useRef<EditorHandle>(null);
  const show = (line: number): void => {
    if (isNarrow) setTab('Source');
    setReveal({ line });
  };
  const checked = useCheck(definitionKey, text);
  const saved = useQuery({ ...definitionQuery(definitionKey), enabled: name !== '' });
  const callable = useCallable(playbook);
  const references = useMemo(() => callable.map(({ reference }) => reference), [callable]);
  const models = useUsableModels(type);
  const { check } = checked;
  // The check already lists the issues that prevent saving.
  const isRefused = isOfSource(error) && check?.valid === false;
  const runExamples = (): void => {
    setTab('Examples');
    examples.mutate(text);
  };

  return (
    <div className="document">
      <Group justify="space-between" align="flex-start" py={8} gap="sm">
        <Group gap="sm" flex="1 1 240px">
          {fields}
          <CheckWords checked={checked} />
          {saved.data?.status !== 'retired' && (
            <RunExamples examples={examples} isDisabled={check?.valid === false} onRun={runExamples} />
          )}
        </Group>
        {actions}
      </Group>
      {notice}
      {error !== null && error !== undefined && !isRefused && (
        <div className="document-problem">
          <ProblemView error={error} />
        </div>
      )}
      <div
        className="document-halves"
        data-narrow={isNarrow || undefined}
        {...(isNarrow ? {} : { style: { gridTemplateColumns: `minmax(0, ${panes.share}%) minmax(0, 1fr)` } })}
      >
        <SideTabs {...tabs} />
        <div className="document-text" hidden={!isSourceShown}>
          <Suspense fallback={<Skeleton height="100%" />}>
            <CodeEditor
              ref={editor}
              type={type}
              origin={origin}
              kept={kept}
              label={`Source of ${name === '' ? 'the new definition' : name}`}
              readOnly={readOnly}
              issues={check?.issues ?? NONE}
              warnings={check?.warnings ?? NONE}
              references={references}
              models={models}
              declarations={checked.sound?.declarations}
              reveal={reveal}
              onChange={onChange}
              onLine={(line) => setCursor({ line })}
            />
          </Suspense>
        </div>
        <Issues check={check} isRefused={isRefused} onLine={show} />
        {!isNarrow && <PaneDivider label="Width of the source" panes={panes} />}
        <div className="document-side" hidden={isNarrow && isSourceShown}>
          <div className="document-side-body" tabIndex={0} role="group" aria-label={side}>
            <Side
              playbook={playbook}
              side={side}
              checked={checked}
              savedOverview={saved.data?.overview}
              examples={examples}
              text={text}
              cursor={cursor}
              onCursor={setCursor}
              editor={editor}
              isReadOnly={readOnly}
              callable={callable}
              onSource={show}
            />
          </div>
        </div>
      </div>
    </div>
  );
}

/** What is beside the source. On narrow pages the source is one of the tabs. */
function useTabs(type: DefinitionType, hasExamples: boolean) {
  const isNarrow = useHasTabs();
  const [tab, show] = useState('Source');
  const sides = [
    ...(DEFINITION_FACTS[type].hasSteps === true ? ['Graph', 'Steps'] : []),
    'Overview',
    ...(hasExamples ? ['Examples'] : []),
  ];
  return {
    isNarrow,
    tabs: isNarrow ? ['Source', ...sides] : sides,
    side: tab === 'Source' ? (sides[0] ?? 'Overview') : tab,
    isSourceShown: !isNarrow || tab === 'Source',
    show,
  };
}

function SideTabs({ isNarrow, tabs, side, isSourceShown, show }: ReturnType<typeof useTabs>) {
  if (tabs.length < 2) return null;
  return (
    <div className="document-tabs">
      <SegmentedControl
        size="xs"
        fullWidth={isNarrow}
        aria-label={isNarrow ? 'View' : 'Side panel'}
        data={tabs}
        value={isSourceShown && isNarrow ? 'Source' : side}
        onChange={show}
      />
    </div>
  );
}

/** The definitions that a document can call. */
function useCallable(playbook: string): readonly Callable[] {
  const { data } = useQuery(definitionsQuery(playbook));
  return useMemo(
    () =>
      (data ?? [])
        .filter(({ status }) => status === 'active')
        .map(({ type, name, description }) => ({ reference: `${type}/${name}`, description })),
    [data],
  );
}

interface SideProps extends Omit<GraphPaneProps, 'graph' | 'drawnText'> {
  playbook: string;
  /** What is chosen; the overview if there is no graph. */
  side: string;
  checked: Checked;
  savedOverview: string | undefined;
  examples: Examples;
}

function Side({ playbook, side, checked: { check, sound }, savedOverview, examples, ...pane }: SideProps) {
  const { about, uses } = splitOverview(savedOverview);
  const { graph, overview = about } = sound ?? {};
  if (side === 'Examples') return <ExampleResults examples={examples} text={pane.text} />;
  const isOverview = graph === undefined || side === 'Overview';
  return (
    <>
      {check?.valid === false && (graph !== undefined || overview !== undefined) && (
        <Text size="xs" c="dimmed" px={16} pt={10}>
          Last version without issues:
        </Text>
      )}
      <Suspense fallback={<Skeleton height={160} />}>
        {graph !== undefined && side === 'Graph' && <GraphPane {...pane} graph={graph} drawnText={sound?.text ?? ''} />}
        {graph !== undefined && side === 'Steps' && (
          <StepsTable graph={graph} line={pane.cursor.line} onLine={pane.onSource} />
        )}
        {isOverview && overview !== undefined && <Markdown text={overview} />}
        {isOverview && <UsedBy playbook={playbook} uses={uses} />}
      </Suspense>
    </>
  );
}

function CheckWords({ checked: { check, isChecking, isPossible, error } }: { checked: Checked }) {
  if (!isPossible) return null;
  if (error !== undefined)
    return (
      <Words icon={<TriangleAlert size={15} />}>
        Not checked yet: {error instanceof Error ? error.message : String(error)}
      </Words>
    );
  if (check === undefined) return <Words isBusy>Checking…</Words>;
  const { issues, warnings } = check;
  const suffix = isChecking ? ' …' : '';
  if (issues.length > 0) {
    return (
      <Words icon={<CircleX size={15} style={{ color: 'var(--cue-bad)' }} />}>
        {issues.length === 1 ? '1 issue' : `${issues.length} issues`}
        {suffix}
      </Words>
    );
  }
  if (warnings.length > 0) {
    return (
      <Words icon={<TriangleAlert size={15} style={{ color: 'var(--cue-warn)' }} />}>
        {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}
        {suffix}
      </Words>
    );
  }
  return (
    <Words icon={<CircleCheck size={15} style={{ color: 'var(--cue-good)' }} />}>
      No issues
      {suffix}
    </Words>
  );
}

function Words({ icon, isBusy = false, children }: { icon?: ReactNode; isBusy?: boolean; children: ReactNode }) {
  return (
    <Group gap={6} role="status" aria-busy={isBusy}>
      {icon}
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Group>
  );
}

interface IssuesProps {
  check: DocumentCheck | undefined;
  /** Whether they prevented saving. */
  isRefused: boolean;
  onLine: (line: number) => void;
}

function Issues({ check, isRefused, onLine }: IssuesProps) {
  const all = [
    ...(check?.issues ?? []).map((issue) => ({ ...issue, isWarning: false })),
    ...(check?.warnings ?? []).map((issue) => ({ ...issue, isWarning: true })),
  ];
  if (all.length === 0) return null;
  return (
    <div className="issues">
      <div role="alert">{isRefused && <strong>Not saved. Fix the issues first.</strong>}</div>
      <ul aria-label="Issues">
        {all.map(({ line, column, detail, isWarning }) => (
          <li key={`${line} ${column} ${detail}`}>
            {isWarning ? (
              <TriangleAlert size={15} style={{ color: 'var(--cue-warn)' }} role="img" aria-label="Warning" />
            ) : (
              <CircleX size={15} style={{ color: 'var(--cue-bad)' }} role="img" aria-label="Issue" />
            )}
            <div>
              <button type="button" className="line-link" onClick={() => onLine(line)}>
                Line {line}
              </button>{' '}
              <InlineCode>{withoutPlace(detail)}</InlineCode>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Issues of programs begin with their line, which is already shown. */
function withoutPlace(detail: string): string {
  return detail.replace(/^Line \d+, column \d+: /, '');
}
