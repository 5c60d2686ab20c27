// What the HTTP units lead to: it reads the JSON that it is sent and answers at once, on `node:http` alone.
import { createServer } from 'node:http';

const answer = JSON.stringify({ content: { ok: true } });

createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    if (pieces.length > 0) JSON.parse(Buffer.concat(pieces).toString());
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  });
}).listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
