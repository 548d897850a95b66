import { Fieldset as MantineFieldset, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { InlineCode } from '../../ui/inline-code.tsx';
import type { ShapedFieldProps } from './form-context.ts';
import { labelProps, RequiredMark } from './labels.tsx';

/** A list or an object with its title. The title is a legend: a heading there would be out of the order of the page's headings. */
export function Fieldset({ children, ...props }: ShapedFieldProps & { children: ReactNode }) {
  const { description, required } = labelProps(props);
  return (
    <MantineFieldset
      aria-label={props.isLabelHidden === true ? props.label : undefined}
      legend={
        props.isLabelHidden !== true && (
          <Text component="span" size="sm" fw={600}>
            <InlineCode>{props.label}</InlineCode>
            {required && <RequiredMark />}
          </Text>
        )
      }
    >
      <Stack gap="sm">
        {description !== undefined && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        {children}
      </Stack>
    </MantineFieldset>
  );
}
