import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "./api.js";

/**
 * What a path answers, asked again whenever it or `again` changes; null until then, and where the path is null.
 * @param {string | null} path
 * @param {unknown} [again]
 * @returns {{ data: any, error: string }}
 */
export function useGet(path, again) {
  const [answer, setAnswer] = useState({ path: /** @type {string | null} */ (null), data: null, error: "" });
  useEffect(() => {
    if (path === null) return undefined;
    let wanted = true;
    get(path).then(
      (data) => wanted && setAnswer({ path, data, error: "" }),
      (error) => wanted && setAnswer({ path, data: null, error: error.message }),
    );
    return () => void (wanted = false);
  }, [path, again]);
  return answer.path === path ? answer : { data: null, error: "" };
}

/** Runs an action and keeps the error that it ends with. @returns {[string, (action: () => Promise<unknown>) => Promise<unknown>]} */
export function useAction() {
  const [error, setError] = useState("");
  const run = (/** @type {() => Promise<unknown>} */ action) => {
    setError("");
    return action().catch((/** @type {Error} */ problem) => setError(problem.message));
  };
  return [error, run];
}

/** A value that follows after a pause. @template T @param {T} value @param {number} [pause] */
export function useSettled(value, pause = 200) {
  const [settled, setSettled] = useState(value);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) return void (first.current = false);
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
