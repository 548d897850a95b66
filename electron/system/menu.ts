import type { MenuItemConstructorOptions } from 'electron';

export interface MenuOptions {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  moveKey: () => void;
  showLog: () => void;
}

/** The menu bar: the app with the secret store key and the log, then edit, view and window. */
export function menuItems({ platform, isPackaged, moveKey, showLog }: MenuOptions): MenuItemConstructorOptions[] {
  const appItems: MenuItemConstructorOptions[] = [
    { label: 'Secret Store Key...', click: moveKey },
    { label: 'Show Log', click: showLog },
    { type: 'separator' },
  ];
  const viewItems: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  return [
    platform === 'darwin'
      ? {
          role: 'appMenu',
          submenu: [{ role: 'about' }, { type: 'separator' }, ...appItems, { role: 'hide' }, { role: 'quit' }],
        }
      : { label: 'Cuebook', submenu: [...appItems, { role: 'quit' }] },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [{ role: 'reload' }, ...(isPackaged ? [] : [{ role: 'toggleDevTools' } as const]), ...viewItems],
    },
    { role: 'windowMenu' },
  ];
}
