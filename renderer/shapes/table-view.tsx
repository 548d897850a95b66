import { ScrollArea, Table, Text } from '@mantine/core';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import type { ShapeOutput } from '../../shared/shapes/index.ts';

/** The maximum number of rows that are rendered; JSON shows all. */
const MAX_ROWS = 500;
/** Characters of a text that is not wrapped: short names, numbers and times. */
const MOST_UNBROKEN = 24;

export function TableView({ output: { columns, rows } }: { output: ShapeOutput<'table'> }) {
  const isNumber = columns.map(({ key }) => rows.length > 0 && rows.every((row) => typeof row[key] === 'number'));
  return (
    <div className="card" style={{ padding: 0, overflow: 'hidden' }}>
      <ScrollArea.Autosize
        mah={480}
        type="auto"
        offsetScrollbars="present"
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'Output' }}
      >
        <Table stickyHeader className="number" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ key, title }, index) => (
                <Table.Th key={key} ta={isNumber[index] === true ? 'end' : 'start'}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, MAX_ROWS).map((row, index) => (
              <Table.Tr key={index}>
                {columns.map(({ key }, place) => {
                  const text = cellText(row[key]);
                  return (
                    <Table.Td
                      key={key}
                      ta={isNumber[place] === true ? 'end' : 'start'}
                      {...(text.length <= MOST_UNBROKEN && { style: { whiteSpace: 'nowrap' } })}
                    >
                      {text}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          No rows.
        </Text>
      )}
      {rows.length > MAX_ROWS && (
        <Text size="sm" c="dimmed" p="sm">
          Showing the first {MAX_ROWS} of {rows.length.toLocaleString()} rows. Switch to JSON to see all.
        </Text>
      )}
    </div>
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return value.toLocaleString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface RowsTable {
  columns: { key: string; title: string }[];
  rows: JsonObject[];
}

/** A list of flat objects as a table with a column for every field; undefined for any other value. */
export function rowsTable(value: unknown): RowsTable | undefined {
  if (!Array.isArray(value) || !value.every(isFlat)) return undefined;
  const keys = [...new Set(value.flatMap((row) => Object.keys(row)))];
  return keys.length === 0 ? undefined : { columns: keys.map((key) => ({ key, title: key })), rows: value };
}

function isFlat(row: unknown): row is JsonObject {
  return isJsonObject(row) && Object.values(row).every((cell) => typeof cell !== 'object' || cell === null);
}
