import type { MenuItemConstructorOptions } from 'electron';

export interface MenuOptions {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  moveKey: () => void;
  showLog: () => void;
}

/** The bar of menus: what editing needs, the view, and the key of the secret store. */
export function menuItems({ platform, isPackaged, moveKey, showLog }: MenuOptions): MenuItemConstructorOptions[] {
  const own: MenuItemConstructorOptions[] = [
    { label: 'Secret Store Key...', click: moveKey },
    { label: 'Show Log', click: showLog },
    { type: 'separator' },
  ];
  const looking: MenuItemConstructorOptions[] = [
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
          submenu: [{ role: 'about' }, { type: 'separator' }, ...own, { role: 'hide' }, { role: 'quit' }],
        }
      : { label: 'Cuebook', submenu: [...own, { role: 'quit' }] },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [{ role: 'reload' }, ...(isPackaged ? [] : [{ role: 'toggleDevTools' } as const]), ...looking],
    },
    { role: 'windowMenu' },
  ];
}
