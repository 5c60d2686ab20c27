import type { UnitTemplate } from './project-files.js';

const UNIT = `"""The unit \`greet\` of workflows/hello.yaml: a program that answers POST at PORT. \`flowgate dev\` starts it, and again after each save."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def greet(name: str) -> str:
    return f"Hello, {name}!"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        try:
            body = self.rfile.read(int(self.headers["content-length"]))
            # What \`with\` of the unit gives.
            self.respond(200, {"content": greet(json.loads(body)["input"]["name"])})
        except (KeyError, TypeError, ValueError) as error:
            self.respond(400, {"error": repr(error)})

    def respond(self, status: int, body: dict) -> None:
        sent = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """A line for each call would hide what the unit itself prints."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Handler).serve_forever()
`;

const TEST = `import unittest

from greet import greet


class Greet(unittest.TestCase):
    def test_greets_by_name(self) -> None:
        self.assertEqual(greet("Ada"), "Hello, Ada!")


if __name__ == "__main__":
    unittest.main()
`;

export const PYTHON_UNIT: UnitTemplate = {
  file: 'greet.py',
  files: { 'units/greet.py': UNIT, 'units/greet_test.py': TEST },
  testCommand: 'python3 units/greet_test.py',
  image: 'python:3.13-slim',
  command: ['python', 'units/greet.py'],
};
