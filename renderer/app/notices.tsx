import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Where short messages appear that need no answer. */
export function Notices() {
  return <Notifications position="bottom-right" />;
}
