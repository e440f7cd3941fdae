/** The live line: whole numbered snapshots; it comes back by itself, and says when it is stale or cut. */

const STALE_MS = 12_000; // the server sends something every 5 s
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 5_000;

export class Line {
  constructor({ onSnapshot, onState, onStranger, onReturn }) {
    this.onSnapshot = onSnapshot;
    this.onState = onState;
    this.onStranger = onStranger;
    this.onReturn = onReturn;
    this.wait = FIRST_WAIT_MS;
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  open(language) {
    this.language = language;
    this.socket?.close();
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live?language=${language}`);
    this.socket = socket;
    this.first = true;
    socket.onmessage = (event) => socket === this.socket && this.heard(JSON.parse(event.data));
    socket.onclose = () => socket === this.socket && this.cut();
  }

  heard(message) {
    this.wait = FIRST_WAIT_MS;
    this.say("live");
    clearTimeout(this.stale);
    this.stale = setTimeout(() => this.say("stale"), STALE_MS);
    if (message.beat) return;
    // A server that was started again counts from the beginning: the first word on a line always holds.
    this.onSnapshot(message, this.first);
    this.first = false;
  }

  cut() {
    clearTimeout(this.stale);
    this.socket = null;
    this.say("offline");
    this.timer = setTimeout(() => this.knock(), this.wait);
    this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT_MS);
  }

  retry() {
    if (this.socket || !this.language) return;
    clearTimeout(this.timer);
    this.knock();
  }

  /** Asks before opening: a browser logs every failed WebSocket, and 401 means that pairing is lost. */
  async knock() {
    try {
      const answer = await fetch("/api/snapshot", { method: "GET", cache: "no-store" });
      if (answer.status === 401) this.onStranger();
      else {
        await this.onReturn();
        this.open(this.language);
      }
    } catch {
      this.cut();
    }
  }

  say(state) {
    if (state === this.state) return;
    this.state = state;
    this.onState(state);
  }
}
