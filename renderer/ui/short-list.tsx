import './short-list.css';
import { Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DefinitionType } from '../../shared/definition-types.ts';
import { TypeIcon } from './type-icon.tsx';

export interface ShortListProps<Item> {
  title: string;
  /** Links to the full list. */
  all: ReactNode;
  items: readonly Item[] | undefined;
  /** Pixels, while the items load. */
  height: number;
  nothing: string;
  children: (item: Item) => ReactNode;
}

/** The newest items of a list, with links to the full list. */
export function ShortList<Item>({ title, all, items, height, nothing, children }: ShortListProps<Item>) {
  return (
    <section className="card short-list" aria-label={title} style={{ height: '100%' }}>
      <Group justify="space-between" mb={6}>
        <Text fw={650} component="h2">
          {title}
        </Text>
        {all}
      </Group>
      {items === undefined && <Skeleton height={height} />}
      {items?.length === 0 && (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      )}
      {items?.map((item) => children(item))}
    </section>
  );
}

/** The start of a line. */
export function ShortName({ type, children }: { type: DefinitionType; children: string }) {
  return (
    <Group gap={8} wrap="nowrap" className="short-name">
      <TypeIcon type={type} />
      <Text size="sm" truncate>
        {children}
      </Text>
    </Group>
  );
}
