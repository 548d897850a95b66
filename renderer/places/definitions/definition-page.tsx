import { Badge, Skeleton, Tabs } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { DEFINITION_FACTS, isDefinitionType } from '../../../shared/definition-types.ts';
import type { Definition } from '../../../shared/api/index.ts';
import { type DefinitionKey, definitionQuery } from '../../api/queries.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { NotFound } from '../../ui/page-fallbacks.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { useCommandKey } from '../../ui/keyboard.ts';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { BenchTab, EvaluateTab, hasBench } from '../evaluate/evaluate-tabs.ts';
import { PREDICTION_TABS } from '../prediction/prediction-tabs.ts';
import { DefinitionActions } from './definition-actions.tsx';
import { readInput, runInputOf } from '../../forms/kept-input.ts';
import { RunPanel } from './run-panel.tsx';
import { SourceTab } from './source-tab.tsx';
import { StalledAlert, StalledBadge } from './stalled-alert.tsx';
import { hasStalled } from './stalled-views.ts';
import { useDraftKept } from './use-draft-kept.ts';
import { useSource } from './use-source.ts';
import { VersionsTab } from './versions-tab.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';

const ScheduleTab = lazy(async () => ({ default: (await import('../schedules/schedule-tab.tsx')).ScheduleTab }));

type Tab = 'source' | 'run' | 'bench' | 'evaluate' | 'schedule' | 'versions' | (typeof PREDICTION_TABS)[number]['tab'];

export function DefinitionPage() {
  const { playbook, type, name } = useParams({ from: '/playbooks/$playbook/definitions/$type/$name' });
  useDocumentTitle(`${name} · Cuebook`);
  if (!isDefinitionType(type)) return <NotFound />;
  return <DefinitionView key={`${playbook} ${type}/${name}`} playbook={playbook} type={type} name={name} />;
}

function DefinitionView(key: DefinitionKey) {
  const { data: definition, error } = useQuery(definitionQuery(key));
  useDraftKept(key, key.name);
  if (definition === undefined) {
    return (
      <div className="page">
        <div className="page-inner">
          <PageTitle title={key.name} before={<TypeIcon type={key.type} size={22} />} />
          {error === null ? <Skeleton height={400} /> : <ProblemView error={error} />}
        </div>
      </div>
    );
  }
  return <Tabbed definitionKey={key} definition={definition} />;
}

function Tabbed({ definitionKey: key, definition }: { definitionKey: DefinitionKey; definition: Definition }) {
  const { name, type } = key;
  const { tab: wanted, from_run: fromRun } = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  const navigate = useNavigate();
  const [runsAtOnce, setRunsAtOnce] = useState(false);
  const source = useSource(key, definition);
  const stalled = hasStalled(definition) ? definition.standing : undefined;
  const ofType = DEFINITION_FACTS[type].buildsModels === true ? PREDICTION_TABS : [];
  const hasSchedule =
    definition.status === 'active' && definition.triggers?.some(({ kind }) => kind !== 'event') === true;
  const show = (value: Tab): void => {
    setRunsAtOnce(false);
    void navigate({
      to: '/playbooks/$playbook/definitions/$type/$name',
      params: key,
      search: { tab: value },
      replace: true,
    });
  };
  const props = { definitionKey: key, definition };
  const run = (): void => {
    show('run');
    setRunsAtOnce(hasInput(key, definition));
  };
  const tabs: { tab: Tab; title: string; content: ReactNode }[] = [
    { tab: 'source', title: 'Source', content: <SourceTab {...props} source={source} onRun={run} /> },
    ...ofType.map(({ tab, title, Content }) => ({ tab, title, content: <Content {...props} /> })),
    {
      tab: 'run',
      title: 'Run',
      content: <RunPanel {...props} source={source} atOnce={runsAtOnce} fromRun={fromRun} />,
    },
    ...(hasBench(type)
      ? [{ tab: 'bench' as const, title: 'Bench', content: <BenchTab {...props} source={source} /> }]
      : []),
    { tab: 'evaluate', title: 'Evaluate', content: <EvaluateTab {...props} /> },
    ...(hasSchedule
      ? [{ tab: 'schedule' as const, title: 'Schedule', content: <ScheduleTab definitionKey={key} /> }]
      : []),
    { tab: 'versions', title: 'Versions', content: <VersionsTab {...props} /> },
  ];
  // An address may name a tab that this definition lacks, or has no more.
  const tab = tabs.find((one) => one.tab === wanted)?.tab ?? 'source';
  const tabList = useRef<HTMLDivElement>(null);
  // A link in a tab opens another one, and is gone.
  useKeptFocus(tab, () => tabList.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]'));
  // The reason is shown beside the source.
  useCommandKey('s', () => source.save(tab === 'source' ? {} : { onFailed: () => show('source') }));
  return (
    <div className="filled-page">
      <PageTitle
        title={name}
        before={<TypeIcon type={type} size={22} />}
        about={<About text={definition.description} />}
      >
        <Badge variant="light" tt="none">
          Version {definition.version}
        </Badge>
        {definition.status === 'retired' && (
          <Badge color="gray" variant="outline" tt="none">
            Retired
          </Badge>
        )}
        {stalled !== undefined && <StalledBadge />}
        <DefinitionActions definitionKey={key} definition={definition} />
      </PageTitle>
      {stalled !== undefined && <StalledAlert definitionKey={key} standing={stalled} />}
      <Tabs value={tab} keepMounted={false} className="filled-tabs" onChange={(value) => show(value as Tab)}>
        <Tabs.List ref={tabList}>
          {tabs.map((one) => (
            <Tabs.Tab key={one.tab} value={one.tab}>
              {one.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => (
          <Tabs.Panel key={one.tab} value={one.tab}>
            <Suspense fallback={<Skeleton height={300} />}>{one.content}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

/** Whether an input is available, or none is needed. */
function hasInput(key: DefinitionKey, { input_schema: schema, details }: Definition): boolean {
  const required = schema?.['required'];
  return (
    readInput(runInputOf(key)) !== undefined ||
    (details.examples ?? []).length > 0 ||
    !(Array.isArray(required) && required.length > 0)
  );
}

/** One line; the overview has the full text. */
function About({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <span className="definition-about">
      <InlineCode>{text}</InlineCode>
    </span>
  );
}
