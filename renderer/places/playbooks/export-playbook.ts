import { notifications } from '@mantine/notifications';
import { downloadArchive } from '../../api/download.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves a playbook as a zip archive with its ID as name. A failure is shown as a notification. */
export async function exportPlaybook(playbook: string): Promise<void> {
  try {
    saveFile(`${playbook}.zip`, await downloadArchive(playbook));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notifications.show({ color: 'red', message: `${playbook} was not exported. ${reason}` });
  }
}
