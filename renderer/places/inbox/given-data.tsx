import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { isJsonObject } from '../../../shared/json.ts';
import { type RowsTable, rowsTable, TableView } from '../../shapes/table-view.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';

/** Longer lists are shown as JSON. */
const MOST_ROWS = 100;

/** Shows flat values as a table and other values as JSON. */
export function GivenData({ value, label }: { value: unknown; label: string }) {
  const table = tableOf(value);
  if (table !== undefined) return <TableView output={table} />;
  if (!isJsonObject(value)) return <JsonView value={value} label={label} />;
  return (
    <div className="card" style={{ padding: '4px 8px' }}>
      <Table>
        <Table.Tbody>
          {Object.entries(value).map(([name, member]) => (
            <Table.Tr key={name}>
              <Table.Th w="30%" ta="start" fw={500} style={{ verticalAlign: 'top' }} scope="row">
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(name, member)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function shown(name: string, member: unknown): ReactNode {
  if (typeof member === 'string') return <span style={{ whiteSpace: 'pre-line' }}>{member}</span>;
  if (typeof member === 'boolean') return member ? 'yes' : 'no';
  if (member === null) return '–';
  if (typeof member === 'number') return member.toLocaleString(undefined, { maximumFractionDigits: 20 });
  const table = tableOf(member);
  if (table !== undefined) return <TableView output={table} />;
  if (Array.isArray(member) && member.length <= MOST_ROWS && member.every((one) => typeof one === 'string')) {
    return (
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {member.map((one, index) => (
          <li key={index}>{one}</li>
        ))}
      </ul>
    );
  }
  return <JsonView value={member} label={name} />;
}

/** A list of flat objects that is short enough for a table. */
function tableOf(value: unknown): RowsTable | undefined {
  return Array.isArray(value) && value.length <= MOST_ROWS ? rowsTable(value) : undefined;
}
