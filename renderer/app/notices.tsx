import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Milliseconds. */
const SHOWN = 8_000;

/** Short messages that need no answer. They stand where they are placed, and so cover nothing. */
export function Notices() {
  return <Notifications withinPortal={false} autoClose={SHOWN} limit={2} />;
}
