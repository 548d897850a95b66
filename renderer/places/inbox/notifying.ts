// Notifications of the system. They say who asks whom, and nothing of what is asked.
import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { EventRecord } from '../../../shared/api/index.ts';
import { isRunEnding } from '../../../shared/run-status.ts';
import { useLiveEvents } from '../../app/live.tsx';
import { isFor } from './parties.ts';

export type Permission = NotificationPermission | 'unsupported';

export function permissionNow(): Permission {
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** Whether this browser is to notify; the browser's own permission comes on top. */
export function useNotifying(): [isOn: boolean, setOn: (isOn: boolean) => void] {
  const [isOn, setOn] = useLocalStorage({
    key: 'cuebook notifications',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return [isOn, setOn];
}

/** Notifies of new requests, wherever in the studio a person is; a click opens the request. */
export function useRequestNotifications(playbook: string, me: readonly string[]): void {
  const [isOn] = useNotifying();
  const navigate = useNavigate();
  const shown = useRef(new Map<string, Notification>());
  useLiveEvents((event) => {
    const runId = event.metadata.run_id ?? '';
    if (isRunEnding(event.type)) {
      // What was answered elsewhere asks for nothing any more; a notice has just been told and stays.
      shown.current.get(runId)?.close();
      shown.current.delete(runId);
      return;
    }
    const title = notificationTitle(event, me);
    if (title === undefined || !isOn || permissionNow() !== 'granted') return;
    // The tag keeps several windows of the studio from saying it several times.
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

/** @returns undefined in browsers that have notifications of service workers alone */
function notify(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

/** What a notification says; undefined for what is no request, or is for others. */
export function notificationTitle({ type, data, metadata }: EventRecord, me: readonly string[]): string | undefined {
  if (type !== 'interaction_requested' || !isFor(me, data['to'])) return undefined;
  return `${metadata.definition?.name ?? 'Someone'} ${data['takes_answer'] === true ? 'asks' : 'tells'} ${String(data['to'])}`;
}
