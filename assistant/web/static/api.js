/** Speaks to the server; a problem becomes an `Error` with the server's sentence and its stable code. */

export let language = "en";
export const setLanguage = (wish) => { language = wish; };

export async function ask(path) {
  return answered(await fetch(addressed(path), { headers: { Accept: "application/json" } }));
}

export async function tell(path, body = {}) {
  const answer = await fetch(addressed(path), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answered(answer);
}

const addressed = (path) => `${path}${path.includes("?") ? "&" : "?"}language=${language}`;

async function answered(answer) {
  if (answer.status === 204) return null;
  const body = await answer.json();
  if (answer.ok) return body;
  throw Object.assign(new Error(body.sentence), { code: body.code, status: answer.status });
}
