import { Button, Tooltip } from '@mantine/core';
import { Bell, BellOff, BellRing } from 'lucide-react';
import { useState } from 'react';
import { permissionNow, useNotifying } from './notifying.ts';

/** Asks for the browser's permission only when pressed. */
export function NotifyButton() {
  const [isOn, setOn] = useNotifying();
  const [permission, setPermission] = useState(permissionNow);
  if (permission === 'unsupported') return null;
  const isNotifying = isOn && permission === 'granted';
  const isBlocked = permission === 'denied';
  const press = async (): Promise<void> => {
    if (isNotifying) return setOn(false);
    const given = permission === 'granted' ? permission : await Notification.requestPermission();
    setPermission(given);
    setOn(given === 'granted');
  };
  const Icon = isBlocked ? BellOff : isNotifying ? BellRing : Bell;
  return (
    <Tooltip
      label={
        isBlocked
          ? 'Your browser blocks notifications from this page. Allow them in the site settings, then reload the page.'
          : 'Notifications show who asks whom, not the question itself'
      }
      multiline
      maw={300}
    >
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon size={14} aria-hidden />}
        aria-pressed={isNotifying}
        {...(isBlocked && { 'data-disabled': true })}
        aria-disabled={isBlocked}
        onClick={() => {
          if (!isBlocked) void press();
        }}
      >
        {isBlocked ? 'Notifications are blocked' : isNotifying ? 'Notifications are on' : 'Notify me'}
      </Button>
    </Tooltip>
  );
}
