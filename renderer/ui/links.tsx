// Links to pages that look like the components of Mantine.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type OwnProps<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** A link in a text, of the size of the text if it has none. */
export const AnchorLink = createLink((props: OwnProps<AnchorProps>) => (
  <Anchor inherit={props.size === undefined} {...props} />
));

/** A link that looks like a button. */
export const ButtonLink = createLink((props: OwnProps<ButtonProps>) => <Button component="a" {...props} />);
