/** A phone as the camera: its picture as JPEG frames over one WebSocket, the next when the last was taken. */

import { ask, setLanguage, tell } from "./api.js";
import { byId } from "./dom.js";

const WIDTH = 1920;
const QUALITY = 0.8;
const LEAST_MS = 66; // at most 15 pictures a second: a table does not move faster
const AGAIN_MS = 2000;
const PROBLEMS = { NotAllowedError: "denied", NotFoundError: "none", OverconstrainedError: "none", NotReadableError: "busy" };

const video = byId("video");
const canvas = document.createElement("canvas");
let words = {};
let stream = null;
let socket = null;
let facing = "environment";
let sent = 0;

start();

async function start() {
  const wishes = new URLSearchParams(location.hash.slice(1));
  setLanguage(navigator.language.slice(0, 2));
  words = (await ask("/api/phone/words").catch(() => ({}))) ?? {};
  document.documentElement.lang = words.language ?? "en";
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word] ?? "";
  document.title = `Floodwatch · ${words.title}`;
  if (wishes.get("code")) {
    history.replaceState(null, "", location.pathname);
    await tell("/api/pair", { code: wishes.get("code") }).catch((problem) => complain(problem.message));
  }
  byId("start").onclick = () => film();
  byId("stop").onclick = () => stop();
  byId("lens").onclick = () => { facing = facing === "environment" ? "user" : "environment"; film(); };
  byId("torch").onclick = () => light(byId("torch").getAttribute("aria-pressed") !== "true");
  if (!isSecureContext || !navigator.mediaDevices) { complain(words.insecure); return; }
  const offers = await ask("/api/scene").then((scene) => scene.offers, (problem) => problem.status === 401 ? null : []);
  if (!offers?.includes("phone")) { complain(offers ? words["not-wanted"] : words.unpaired); return; }
  state(words.waiting);
  byId("start").disabled = false; // not before: a tap must never be lost
}

async function film() {
  stop();
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: facing, width: { ideal: WIDTH }, height: { ideal: 1080 } } });
  } catch (problem) {
    complain(words[PROBLEMS[problem.name] ?? "none"]);
    return;
  }
  complain("");
  video.srcObject = stream;
  await video.play();
  const [track] = stream.getVideoTracks();
  byId("torch").hidden = !track.getCapabilities?.().torch;
  for (const [id, shown] of [["start", false], ["stop", true], ["lens", true]]) byId(id).hidden = !shown;
  navigator.wakeLock?.request("screen").catch(() => {});
  connect();
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const line = new WebSocket(`${scheme}://${location.host}/api/camera/push`);
  socket = line;
  line.onopen = () => { complain(""); state(words.sending); shoot(line); };
  line.onmessage = ({ data }) => {
    if (line !== socket) return;
    if (data === "bad") { complain(words.refused); stop(); return; }
    sent += 1;
    document.body.dataset.sent = sent;
    setTimeout(() => shoot(line), LEAST_MS);
  };
  line.onclose = () => { if (line === socket && stream) { complain(words.cut); setTimeout(() => line === socket && connect(), AGAIN_MS); } };
}

function shoot(line) {
  if (line !== socket || line.readyState !== WebSocket.OPEN || !video.videoWidth) return;
  const scale = Math.min(1, WIDTH / Math.max(video.videoWidth, video.videoHeight));
  Object.assign(canvas, { width: Math.round(video.videoWidth * scale), height: Math.round(video.videoHeight * scale) });
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => { if (line === socket && line.readyState === WebSocket.OPEN) line.send(blob); }, "image/jpeg", QUALITY);
}

function stop() {
  const line = socket;
  socket = null;
  line?.close();
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  for (const [id, shown] of [["start", true], ["stop", false], ["lens", false], ["torch", false]]) byId(id).hidden = !shown;
  state(words.waiting);
}

async function light(on) {
  await stream?.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: on }] }).catch(() => {});
  byId("torch").setAttribute("aria-pressed", String(on));
}

const state = (text) => { byId("state").textContent = text ?? ""; };
const complain = (text) => { byId("problem").textContent = text ?? ""; };
