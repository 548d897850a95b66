import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Milliseconds until a notification closes. */
const AUTO_CLOSE = 8_000;

/** Notifications. They are shown where this component is placed, so that they cover nothing. */
export function Notices() {
  return <Notifications withinPortal={false} autoClose={AUTO_CLOSE} limit={2} />;
}
