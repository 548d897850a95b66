import { SegmentedControl, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { Fragment, useState } from 'react';
import type { Answer } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { costWords } from '../../ui/quantities.ts';
import { TableHead } from '../../ui/table-head.tsx';

type Usage = Answer<'get_model_usage'>['total'];

const BY = [
  { value: 'model', label: 'Model' },
  { value: 'definition', label: 'Definition' },
  { value: 'day', label: 'Day' },
] as const;
type By = (typeof BY)[number]['value'];

const DAYS = 30;

/** Tokens and costs of the playbook's models. Shown when it is opened. */
export function ModelUsage({ playbook }: { playbook: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="own-server" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Tokens and costs</summary>
      {isOpen && <Usages playbook={playbook} />}
    </details>
  );
}

function Usages({ playbook }: { playbook: string }) {
  const [by, setBy] = useState<By>('model');
  const { data, error } = useQuery({
    queryKey: [playbook, 'analytics', 'model-usage', DAYS],
    queryFn: ({ signal }) => call('get_model_usage', { playbook, days: DAYS }, signal),
  });
  if (error !== null) return <ProblemView error={error} />;
  if (data === undefined) return <Skeleton height={120} mt="xs" />;
  const rows: [string, Usage][] = {
    model: data.by_model.map(({ model, usage }): [string, Usage] => [model, usage]),
    definition: data.by_definition.map(({ definition, usage }): [string, Usage] => [definition, usage]),
    day: data.by_day.toReversed().map(({ day, usage }): [string, Usage] => [dayjs(day).format('D MMM'), usage]),
  }[by].filter(([, { runs }]) => runs > 0);
  return (
    <>
      <Text size="xs" c="dimmed" my="xs">
        The runs of the last {DAYS} days. Costs need <code>model_prices</code> in the configuration file.
        {!data.complete && ' There are more runs than are counted.'}
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Sum by"
        data={[...BY]}
        value={by}
        onChange={(value) => setBy(value)}
      />
      <Table.ScrollContainer minWidth={0} type="native">
        <Table aria-label="Tokens and costs" className="number" fz="xs" verticalSpacing={4} horizontalSpacing={4}>
          <TableHead titles={[BY.find(({ value }) => value === by)?.label ?? '', 'Runs', 'In', 'Out', 'Cost']} />
          <Table.Tbody>
            {[...rows, ['All', data.total] as const].map(([name, { runs, tokens, cost }]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">
                  <RowName name={name} />
                </Table.Th>
                <Table.Td>{runs.toLocaleString()}</Table.Td>
                <Table.Td>{tokens.input.toLocaleString()}</Table.Td>
                <Table.Td>{tokens.output.toLocaleString()}</Table.Td>
                <Table.Td>{cost === undefined ? '–' : costWords(cost)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

/** A long name may break after a slash, and not only after a hyphen. */
function RowName({ name }: { name: string }) {
  return name.split('/').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}
