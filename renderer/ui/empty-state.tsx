import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTitleFocus } from './use-title-focus.ts';

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What the person can do next. */
  children: ReactNode;
  action?: ReactNode;
  /** Set if the whole page is empty: then the title is the heading of the page. */
  isPage?: boolean;
}

export function EmptyState({ icon: Icon, title, children, action, isPage = false }: EmptyStateProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitleFocus(heading, isPage);
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <ThemeIcon size={52} radius="xl" variant="light" aria-hidden>
        <Icon size={26} />
      </ThemeIcon>
      <Title
        ref={heading}
        tabIndex={isPage ? -1 : undefined}
        order={isPage ? 1 : 2}
        fz="h4"
        mt="xs"
        style={{ outline: 'none' }}
      >
        {title}
      </Title>
      <Text c="dimmed" maw={460} component="div">
        {children}
      </Text>
      {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  );
}
