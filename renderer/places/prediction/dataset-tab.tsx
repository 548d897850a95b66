import './prediction.css';
import { Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Database } from 'lucide-react';
import { LIMITS } from '../../../shared/limits.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { sha256Of, upload } from '../../api/upload.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { FileUploads } from '../../ui/file-uploads.tsx';
import { type PredictionTabProps, standingOf } from './queries.ts';
import { SeriesExplorer } from './series-explorer.tsx';
import { IfMay } from '../../sign-in/if-may.tsx';

/** The newest dataset of a function, an upload of a newer one, and its series. */
export function DatasetTab({ definitionKey: key, definition }: PredictionTabProps) {
  const dataset = standingOf(definition)?.dataset ?? undefined;
  return (
    <div className="prediction-tab">
      {dataset !== undefined && (
        <Group gap="lg" component="dl" my={0} mb="md" className="facts">
          <Fact title="Newest dataset">
            <code title={dataset.dataset}>{dataset.dataset.slice(0, 12)}</code>
          </Fact>
          <Fact title="Series">{dataset.series.toLocaleString()}</Fact>
          <Fact title="First period">{dataset.first}</Fact>
          <Fact title="Last period">{dataset.last}</Fact>
        </Group>
      )}
      {definition.status === 'active' && (
        <IfMay call="upload_dataset">
          <DatasetUpload definitionKey={key} current={dataset?.dataset} />
        </IfMay>
      )}
      {definition.status === 'retired' ? (
        <EmptyState icon={Database} title="The function is retired">
          It uses no dataset. The datasets of the playbook stay, for its other prediction functions.
        </EmptyState>
      ) : dataset === undefined ? (
        <EmptyState icon={Database} title="No dataset yet">
          Upload a CSV file with the columns of this function: <code>series</code>, <code>period</code>, and those under{' '}
          <code>dataset</code> in its source. One row is one period of one series.
        </EmptyState>
      ) : (
        <SeriesExplorer definitionKey={key} dataset={dataset.dataset} />
      )}
    </div>
  );
}

function DatasetUpload({
  definitionKey: { playbook },
  current,
}: {
  definitionKey: DefinitionKey;
  current: string | undefined;
}) {
  const client = useQueryClient();
  return (
    <section aria-label="Upload" className="prediction-part">
      <FileUploads
        label="Upload a dataset…"
        hint="Or drop a CSV file here, at most 64 MiB. The newest dataset with the columns of this function is used."
        accept=".csv,text/csv"
        mostBytes={LIMITS.datasetBytes}
        send={async (file, onProgress) => {
          const sha256 = await sha256Of(file);
          const stored = await upload('upload_dataset', { playbook, sha256 }, file, onProgress);
          // An upload records no event.
          await client.invalidateQueries({ queryKey: [playbook, 'definitions'] });
          const size = `${stored.series.toLocaleString()} series, ${stored.first} to ${stored.last}`;
          return sha256 === current ? `Already the newest dataset: ${size}` : `Stored: ${size}`;
        }}
      />
      <Text size="xs" c="dimmed" mt={6}>
        Datasets belong to the playbook: every prediction function with the same columns and period can use them.
      </Text>
    </section>
  );
}
