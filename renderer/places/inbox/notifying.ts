// System notifications. They name the parties but never contain the message.
import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { EventRecord } from '../../../shared/api/index.ts';
import { isRunEnding } from '../../../shared/run-status.ts';
import { useLiveEvents } from '../../api/live.tsx';
import { isFor } from './parties.ts';

export type Permission = NotificationPermission | 'unsupported';

export function permissionNow(): Permission {
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** Whether notifications are on in this browser. The browser's permission is needed as well. */
export function useNotifying(): [isOn: boolean, setOn: (isOn: boolean) => void] {
  const [isOn, setOn] = useLocalStorage({
    key: 'cuebook notifications',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return [isOn, setOn];
}

/** Shows a notification for each new request on any page of the studio. A click opens the request. */
export function useRequestNotifications(playbook: string, me: readonly string[]): void {
  const [isOn] = useNotifying();
  const navigate = useNavigate();
  const shown = useRef(new Map<string, Notification>());
  useLiveEvents((event) => {
    const runId = event.metadata.run_id ?? '';
    if (isRunEnding(event.type)) {
      // Close the notification of a question that was answered elsewhere. Notices stay.
      shown.current.get(runId)?.close();
      shown.current.delete(runId);
      return;
    }
    const title = notificationTitle(event, me);
    if (title === undefined || !isOn || permissionNow() !== 'granted') return;
    // The tag prevents duplicates from several windows of the studio.
    const notification = notify(title, { body: `Playbook ${playbook}`, tag: `cuebook ${runId}` });
    notification?.addEventListener('click', () => {
      window.focus();
      notification.close();
      void navigate({ to: '/playbooks/$playbook/inbox/$runId', params: { playbook, runId } });
    });
    if (notification !== undefined && event.data['takes_answer'] === true) shown.current.set(runId, notification);
  });
  useEffect(() => {
    const open = shown.current;
    return () => open.clear();
  }, [playbook]);
}

/** @returns undefined in browsers that support notifications only in service workers */
function notify(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

/** The title of a notification; undefined for other events and for requests to others. */
export function notificationTitle({ type, data, metadata }: EventRecord, me: readonly string[]): string | undefined {
  if (type !== 'interaction_requested' || !isFor(me, data['to'])) return undefined;
  return `${metadata.definition?.name ?? 'Someone'} ${data['takes_answer'] === true ? 'asks' : 'notifies'} ${String(data['to'])}`;
}
