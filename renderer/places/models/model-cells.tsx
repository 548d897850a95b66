import { Text } from '@mantine/core';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ModelEntry } from '../../../shared/api/index.ts';
import { copyToClipboard } from '../../ui/desktop.ts';
import { RowLink } from '../../ui/list-row.tsx';
import { type ModelRow, tokenWords } from './model-rows.ts';
import { providerName } from './model-rows.ts';

/** Cells: reference, name, context window and maximum output. */
export function modelCells(playbook: string, row: ModelRow): ReactNode[] {
  if (row.kind === 'head') {
    return [
      <RowLink
        key="id"
        to="/playbooks/$playbook/models"
        params={{ playbook }}
        search={(search) => ({ ...search, provider: row.provider })}
        className="model-head"
      >
        {providerName(row.provider)}
      </RowLink>,
      <Text key="name" span fz="sm" c="dimmed">
        {row.count === 1 ? '1 reference' : `${row.count.toLocaleString()} references`}
      </Text>,
      '',
      '',
    ];
  }
  const { model } = row;
  return [
    <button
      key="id"
      type="button"
      className="model-reference"
      data-row-link
      aria-label={`Copy reference ${model.id}`}
      onClick={() => void copyToClipboard(model.id, model.id)}
    >
      <span className="cell">{model.id}</span>
      <Copy size={13} aria-hidden />
    </button>,
    <ModelName key="name" model={model} />,
    <Tokens key="context" tokens={model.context_window} />,
    <Tokens key="output" tokens={model.max_output_tokens} />,
  ];
}

function ModelName({ model: { id, name, alias, resolved_to: target } }: { model: ModelEntry }) {
  if (alias === true) {
    const words = target === undefined ? 'Alias of a cloud resource' : `Alias of ${target}`;
    return words;
  }
  if (id.endsWith('*')) return 'Any model of this provider: replace * with its ID';
  return name ?? '';
}

function Tokens({ tokens }: { tokens: number | undefined }) {
  if (tokens === undefined) return <span style={{ color: 'var(--mantine-color-dimmed)' }}>unknown</span>;
  return (
    <span className="number" title={`${tokens.toLocaleString()} tokens`}>
      {tokenWords(tokens)}
    </span>
  );
}
