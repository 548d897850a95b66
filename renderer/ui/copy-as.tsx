import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { ClipboardCopy } from 'lucide-react';
import { copyToClipboard } from './desktop.ts';

export interface Copy {
  name: string;
  text: () => string;
}

/**
 * A menu of texts to copy; a single button if there is only one.
 * @param isOff disables it, for example while the page shows a draft that differs from the text
 * @param size of the button with the menu: that of the fields and buttons beside it
 */
export function CopyAs({
  copies,
  isOff = false,
  size = 'xs',
}: {
  copies: readonly Copy[];
  isOff?: boolean;
  size?: 'xs' | 'sm';
}) {
  const [only, ...more] = copies;
  if (only === undefined) return null;
  if (more.length === 0) {
    return (
      <Tooltip label={`Copy ${only.name}`}>
        <ActionIcon
          variant="default"
          size="sm"
          disabled={isOff}
          aria-label={`Copy ${only.name}`}
          onClick={() => void copyToClipboard(only.name, only.text())}
        >
          <ClipboardCopy size={14} />
        </ActionIcon>
      </Tooltip>
    );
  }
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" size={size} disabled={isOff} leftSection={<ClipboardCopy size={14} aria-hidden />}>
          Copy as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {copies.map((one) => (
          <Menu.Item key={one.name} onClick={() => void copyToClipboard(one.name, one.text())}>
            {one.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
