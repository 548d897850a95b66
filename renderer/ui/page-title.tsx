import { Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { useTitleFocus } from './use-title-focus.ts';

export interface PageTitleProps {
  title: string;
  /** Shown before the title, for example an icon. */
  before?: ReactNode;
  about?: ReactNode;
  /** The buttons of the page. */
  children?: ReactNode;
}

export function PageTitle({ title, before, about, children }: PageTitleProps) {
  useDocumentTitle(`${title} · Cuebook`);
  const heading = useRef<HTMLHeadingElement>(null);
  useTitleFocus(heading);
  return (
    <div className="page-title">
      <div className="page-title-words">
        <Group gap={10} wrap="nowrap">
          {before}
          <Title ref={heading} tabIndex={-1} order={1} fz={22} lts="-0.015em" style={{ outline: 'none' }}>
            {title}
          </Title>
        </Group>
        {about !== undefined && (
          <Text c="dimmed" size="sm" mt={2} component="div" maw={760}>
            {about}
          </Text>
        )}
      </div>
      <Group gap="xs">{children}</Group>
    </div>
  );
}
