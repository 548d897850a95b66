// Read before the server in a plain child process: gives it the port that Electron gives a process of its app.
const parentPort = {
  on: (_event: 'message', listener: (event: { data: unknown }) => void) =>
    process.on('message', (data) => listener({ data })),
  postMessage: (message: unknown) => process.send?.(message),
};
Object.assign(process, { parentPort });
