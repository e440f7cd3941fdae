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

/** A picture as the request's body. */
export async function send(path, blob) {
  return answered(await fetch(addressed(path), { method: "POST", headers: { "Content-Type": blob.type }, body: blob }));
}

const addressed = (path) => `${path}${path.includes("?") ? "&" : "?"}language=${language}`;

async function answered(answer) {
  if (answer.status === 204) return null;
  const body = await answer.json();
  if (answer.ok) return body;
  throw Object.assign(new Error(body.sentence), { code: body.code, status: answer.status });
}

/** A picture of the camera as a bitmap; null where there is none. A canvas needs no address of its own. */
export async function picture(path) {
  const answer = await fetch(path, { cache: "no-store" });
  return answer.status === 200 ? createImageBitmap(await answer.blob()) : null;
}

export function paint(canvas, bitmap) {
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
}
