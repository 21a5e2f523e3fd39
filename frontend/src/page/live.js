// What the server tells on its own: the worker's state, jobs and the steps of refinement, from one stream of events.

import { useEffect, useState } from "preact/hooks";

/** @typedef {import("./api.js").Job} Job */
/** @typedef {import("./api.js").Step} Step */

export class Live {
  constructor() {
    /** @type {Map<string, Job>} newest last */ this.jobs = new Map();
    /** @type {Map<string, Step[]>} */ this.steps = new Map();
    /** @type {Set<string>} jobs that a click on an image of the data set began */ this.opening = new Set();
    this.worker = { state: "starting", message: "" };
    /** @type {Map<string, number>} images that a model has seen */ this.predicted = new Map();
    this.connected = true;
    this.connections = 0; // so far: after a lost one, the server may be another
    /** @type {Set<() => void>} */ this.listeners = new Set();
    /** @type {EventSource | null} */ this.source = null;
    this.follow();
    document.addEventListener("visibilitychange", () => this.follow());
  }

  /** Listen while the tab is seen: a browser opens only six connections to a server, and every stream holds one. */
  follow() {
    if (document.hidden) {
      this.source?.close();
      this.source = null;
    } else if (!this.source || this.source.readyState === EventSource.CLOSED) {
      this.source = this.open();
    }
  }

  /** A stream, which begins with all there is. */
  open() {
    const source = new EventSource("api/v1/events");
    source.onopen = () =>
      this.change({ connected: true, connections: this.connections + 1, jobs: new Map(), steps: new Map() });
    source.onerror = () => {
      this.change({ connected: false });
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.follow(), 3000); // refused, not lost
    };
    const on = (/** @type {string} */ name, /** @type {(data: any) => void} */ handle) =>
      source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
    on("worker", (worker) => this.change({ worker }));
    on("dataset", ({ model, predicted }) => this.change({ predicted: new Map(this.predicted).set(model, predicted) }));
    on("job", (job) => this.keep(job));
    on("removed", ({ job }) => this.jobs.delete(job) && this.change({}));
    on("step", (step) =>
      this.change({ steps: new Map(this.steps).set(step.job, withStep(this.steps.get(step.job) ?? [], step)) }),
    );
    return source;
  }

  /** A job that was just posted: an event about it may have come first, and knows more. @param {Job} job */
  begin(job) {
    if (!this.jobs.has(job.id)) this.keep(job);
  }

  /** @param {Job} job */
  keep(job) {
    this.change({ jobs: new Map(this.jobs).set(job.id, job) });
  }

  /** @param {Partial<Live>} patch */
  change(patch) {
    Object.assign(this, patch);
    this.listeners.forEach((listener) => listener());
  }
}

/**
 * The steps of all classes in order; a job that starts again replaces them.
 * @param {Step[]} steps
 * @param {Step} step
 */
const withStep = (steps, step) => [
  ...steps.filter((each) => each.method !== step.method || each.target !== step.target || each.step < step.step),
  step,
];

/** Draws again whenever something changed. @param {Live} live */
export function useLive(live) {
  const [, count] = useState(0);
  useEffect(() => {
    const listener = () => count((n) => n + 1);
    live.listeners.add(listener);
    return () => void live.listeners.delete(listener);
  }, [live]);
  return live;
}
