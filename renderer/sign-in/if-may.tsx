// Parts of a page that depend on what the caller is permitted to do.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type AnyOperationName, permissionsOf } from '../../shared/api/index.ts';
import { useMayCall } from '../api/session/use-session.ts';

/** Shows its children only to callers who are permitted to call an operation. */
export function IfMay({ call, children }: { call: AnyOperationName; children: ReactNode }) {
  return useMayCall(call) ? children : null;
}

/** Says which permission is missing, to callers who are not permitted to call an operation. @param to what it does */
export function MissingPermission({ call, to }: { call: AnyOperationName; to: string }) {
  if (useMayCall(call)) return null;
  return (
    <Text size="sm" c="dimmed" my="xs">
      You need the permission <code>{permissionsOf(call).join(' or ')}</code> to {to}.
    </Text>
  );
}
