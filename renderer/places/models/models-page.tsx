import './models.css';
import '../../ui/two-columns.css';
import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Boxes, Search } from 'lucide-react';
import { changeSearch, type SearchChanges } from '../../ui/search-params.ts';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { modelCells } from './model-cells.tsx';
import { modelsQuery } from './model-queries.ts';
import { type ModelRow, modelRows } from './model-rows.ts';
import { session } from '../../api/session/session.ts';
import { Providers } from './providers.tsx';
import { ModelUsage } from './usage.tsx';
import { providerName } from './model-rows.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Reference', width: 'minmax(150px, 3fr)' },
  { title: 'Name', width: 'minmax(90px, 3fr)' },
  { title: 'Context', width: '76px' },
  { title: 'Output', width: '76px' },
];

export function ModelsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/models' });
  const search = useSearch({ from: '/playbooks/$playbook/models' });
  const navigate = useNavigate();
  const models = useQuery(modelsQuery);
  const isPartial = models.data?.catalog_status === 'partial';
  const change = (changed: SearchChanges<typeof search>): void =>
    void navigate({
      to: '/playbooks/$playbook/models',
      params: { playbook },
      search: changeSearch(search, changed),
      replace: true,
    });
  const all = models.data?.models ?? [];
  const rows = modelRows(all, search);

  return (
    <div className="filled-page">
      <PageTitle title="Models" about="Models that reasoning functions can use, by provider.">
        <CopyAs
          copies={[
            ...callCopies('list_models', {}),
            { name: 'JSON', text: () => JSON.stringify(models.data ?? {}, undefined, 2) },
          ]}
        />
      </PageTitle>
      <div className="with-side models">
        <section aria-label="Models" className="with-side-list">
          <Group gap="sm" mb="sm">
            <TextInput
              aria-label="Search models"
              placeholder="Search models"
              leftSection={<Search size={15} aria-hidden />}
              w={{ base: '100%', xs: 280 }}
              value={search.q ?? ''}
              onChange={({ currentTarget }) => change({ q: currentTarget.value || undefined })}
            />
            {search.provider !== undefined && (
              <FilterChip clearLabel="Any provider" onClear={() => change({ provider: undefined })}>
                {providerName(search.provider)}
              </FilterChip>
            )}
          </Group>
          <Notices narrowed={models.data?.narrowed === true} isPartial={isPartial && all.length > 0} />
          {models.error !== null && <ProblemView error={models.error} />}
          {models.isPending && <Skeleton height={320} />}
          {models.data !== undefined && rows.length === 0 && (
            <NoModels playbook={playbook} isFiltered={all.length > 0} isPartial={isPartial} />
          )}
          {rows.length > 0 && (
            <LiveList<ModelRow>
              label="Models"
              columns={COLUMNS}
              items={rows}
              keyOf={(row) => (row.kind === 'head' ? `${row.provider} head` : row.model.id)}
              cells={(row) => modelCells(playbook, row)}
              rowHeight={36}
            />
          )}
        </section>
        <section aria-label="Providers" className="with-side-column">
          <Text component="h2" fw={650} mb={4}>
            Providers
          </Text>
          <Providers />
          <ModelUsage playbook={playbook} />
        </section>
      </div>
    </div>
  );
}

function Notices({ narrowed, isPartial }: { narrowed: boolean; isPartial: boolean }) {
  return (
    <div role="status" className="models-notices">
      {isPartial && (
        <Mark sense="warn">
          A provider&apos;s model list could not be read. The last known list is shown, and functions can still use its
          models.
        </Mark>
      )}
      {narrowed && (
        <Mark sense="quiet">
          <code>allowed_models</code> limits the list: a function that uses another model is rejected before anything is
          sent.
        </Mark>
      )}
    </div>
  );
}

function NoModels({ playbook, isFiltered, isPartial }: { playbook: string; isFiltered: boolean; isPartial: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={Boxes}
        title="No matching models"
        action={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/playbooks/$playbook/models" params={{ playbook }} search={{}} />
            )}
          >
            Show all models
          </Button>
        }
      >
        References and names must contain every word of the search.
      </EmptyState>
    );
  }
  if (!session.isLocal) {
    return (
      <EmptyState icon={Boxes} title={isPartial ? 'No model list could be read' : 'No models yet'}>
        {isPartial
          ? 'A provider is configured, but its list of models could not be read. Ask the operator of this server.'
          : 'The operator of this server has not configured a provider of models.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Boxes} title={isPartial ? 'No model list could be read' : 'No models yet'}>
      {isPartial
        ? 'A provider is configured, but its list of models could not be read. The reason is shown under Providers.'
        : 'Under Providers, add a key, which is encrypted on this machine, or a model server. Ollama and LM Studio are listed there while they are running.'}
    </EmptyState>
  );
}
