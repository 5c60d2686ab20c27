// The two calls that the examples make, in plain `fetch`.
const baseUrl = process.env.FLOWGATE_URL ?? 'http://127.0.0.1:8787';

export async function post(path, body) {
  return answerOf(
    await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}

export async function get(path) {
  return answerOf(await fetch(baseUrl + path));
}

async function answerOf(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${answer.error}`);
  return answer;
}
