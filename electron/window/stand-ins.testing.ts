// Stand-ins for Electron's windows. They record calls, and the test acts as the person.
import { EventEmitter } from 'node:events';
import type { AppWindow } from './studio-window.ts';
import type { Rectangle } from './window-state.ts';

type OpenHandler = (details: { url: string }) => { action: 'deny' };

export class StandInContents extends EventEmitter {
  readonly id = 7;
  url = '';
  reloads = 0;
  #open: OpenHandler | undefined;

  getURL(): string {
    return this.url;
  }
  reload(): void {
    this.reloads += 1;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#open = handler;
  }
  openWindow(url: string): { action: 'deny' } | undefined {
    return this.#open?.({ url });
  }
  navigate(event: string, url: string): 'goes' | 'stays' {
    let outcome: 'goes' | 'stays' = 'goes';
    this.emit(event, { url, preventDefault: () => void (outcome = 'stays') });
    return outcome;
  }
}

export const createContents = (): StandInContents => new StandInContents();

export class StandInWindow extends EventEmitter implements AppWindow {
  readonly webContents = new StandInContents();
  readonly loaded: string[] = [];
  isShown = false;
  isClosed = false;
  isMaximised = false;
  bounds: Rectangle = { x: 10, y: 10, width: 1000, height: 700 };

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    this.webContents.url = url;
    this.emit('ready-to-show');
  }
  show(): void {
    this.isShown = true;
  }
  hide(): void {
    this.isShown = false;
  }
  focus(): void {}
  restore(): void {}
  maximize(): void {
    this.isMaximised = true;
  }
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return this.isMaximised;
  }
  isDestroyed(): boolean {
    return this.isClosed;
  }
  getNormalBounds(): Rectangle {
    return this.bounds;
  }
  /** Closes the window as the person would. */
  close(): void {
    let isKept = false;
    this.emit('close', { preventDefault: () => void (isKept = true) });
    this.isClosed = !isKept;
  }
}
