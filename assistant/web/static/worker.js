/** Keeps the page's own files, so that a reload works while the server is away; never the API. */

const CACHE = "floodwatch-3";
const SHELL = ["/", "/manifest.webmanifest", "/static/style.css", "/static/views.css", "/static/icon.svg", "/static/symbols.svg",
  ...["api", "app", "camera", "card", "cards", "dom", "enrol", "games", "hero", "hints", "line", "panels", "phone", "plot", "replay", "setup", "sheet", "table", "voice"].map((name) => `/static/${name}.js`)];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  event.respondWith(fetch(request).then((answer) => {
    if (answer.ok) {
      const copy = answer.clone();
      event.waitUntil(caches.open(CACHE).then((cache) => cache.put(request, copy)));
    }
    return answer;
  }).catch(async () => (await caches.match(request)) ?? Response.error()));
});
