// Builds src/ into the one file that the Python package ships; --check fails if the committed file differs.
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const target = new URL("../src/seewhy/explorer/explorer.js", import.meta.url);
const LIMIT = 120_000; // bytes

const result = await build({
  entryPoints: [new URL("src/main.js", import.meta.url).pathname],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  loader: { ".css": "text" },
  plugins: [minifiedCss()],
  banner: { js: "// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0)." },
  write: false,
});
const built = result.outputFiles[0].text;

if (Buffer.byteLength(built) > LIMIT) fail(`explorer.js has ${Buffer.byteLength(built)} bytes, the limit is ${LIMIT}`);
if (!process.argv.includes("--check")) await writeFile(target, built);
else if ((await readFile(target, "utf8").catch(() => "")) !== built)
  fail("explorer.js differs from its source: run `npm run build` in frontend/ and commit the result");
console.log(`explorer.js: ${Buffer.byteLength(built)} bytes`);

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
