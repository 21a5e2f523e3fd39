// Builds src/ into the files that the Python package ships; --check fails if a committed file differs.
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

/** Entry, result, and how many bytes it may have. @type {[string, string, number][]} */
const SCRIPTS = [
  ["src/main.js", "../src/seewhy/explorer/explorer.js", 120_000],
  ["src/page/main.js", "../src/seewhy/ui/static/page.js", 180_000],
];

for (const script of SCRIPTS) await make(...script);

/**
 * @param {string} entry
 * @param {string} path
 * @param {number} limit
 */
async function make(entry, path, limit) {
  const target = new URL(path, import.meta.url);
  const name = path.split("/").at(-1);
  const result = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    loader: { ".css": "text" },
    plugins: [minifiedCss()],
    banner: {
      js: "// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).",
    },
    write: false,
  });
  const built = result.outputFiles[0].text;
  const size = Buffer.byteLength(built);
  if (size > limit) fail(`${name} has ${size} bytes, the limit is ${limit}`);
  if (!process.argv.includes("--check")) await writeFile(target, built);
  else if ((await readFile(target, "utf8").catch(() => "")) !== built)
    fail(`${name} differs from its source: run \`npm run build\` in frontend/ and commit the result`);
  console.log(`${name}: ${size} bytes`);
}

/** The style sheet as a minified string. */
function minifiedCss() {
  return {
    name: "minified-css",
    setup(bundler) {
      bundler.onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const sheet = await build({ entryPoints: [path], minify: true, write: false });
        return { contents: sheet.outputFiles[0].text, loader: "text" };
      });
    },
  };
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
