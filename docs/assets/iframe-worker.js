// Browsers refuse workers to a page that was opened from a folder, and the search runs in one: there, a hidden frame
// takes the worker's place.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.append(this.frame);
      const inside = this.frame.contentWindow;
      const load = (script) => insert(inside.document, new URL(script, location.href).href);
      inside.postMessage = (data) => deliver(window, this, data);
      inside.importScripts = (...scripts) => Promise.all(scripts.map(load));
      this.addEventListener("message", (event) => this.onmessage?.(event));
      this.ready = load(url).then(() => inside);
    }

    postMessage(data) {
      this.ready.then((inside) => deliver(inside, inside, data));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

function insert(page, url) {
  return new Promise((resolve, reject) => {
    const script = page.createElement("script");
    Object.assign(script, { src: url, onload: resolve, onerror: reject });
    page.documentElement.append(script);
  });
}

// A copy of the data, later: as between a page and its worker
function deliver(receiver, target, data) {
  const event = new receiver.MessageEvent("message", { data: receiver.structuredClone(data) });
  setTimeout(() => target.dispatchEvent(event));
}
