// A Chromium and a server on the loopback address, for the tests that need a browser.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** Where Debian, and others, put it; `CHROMIUM` says so where it is somewhere else. */
export function chromiumPath() {
  const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return places.find((place) => place !== undefined && place !== '' && existsSync(place));
}

/** A browser that asks nothing of the network by itself. */
export function launch() {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('there is no Chromium here');
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Serves folders, given as `{prefix: folder}`. The content security policy is the one that the README asks for. */
export async function serve(
  folders,
  headers = {
    'content-security-policy': "default-src 'self'; img-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'",
  },
) {
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    requests.push(path);
    const [prefix, folder] = Object.entries(folders).find(([prefix]) => path.startsWith(prefix)) ?? [];
    let file = folder === undefined ? undefined : join(folder, normalize(path.slice(prefix.length)));
    if (file !== undefined && existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (file === undefined || !existsSync(file)) {
      response.writeHead(path === '/' ? 200 : 404, { 'content-type': 'text/html', ...headers });
      response.end('<!doctype html><html lang="en"><title>ackguard</title></html>');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return { origin: `http://127.0.0.1:${port}`, requests, close: () => server.close() };
}
