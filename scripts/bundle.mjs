// Makes of the command line, and of all that it is built on, a few files in packages/cli/bundled: it starts sooner and takes less
// memory than the thousands of source files. The bundle stays next to those files, which hold the documentation site
// and the binaries.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const packages = fileURLToPath(new URL("../packages/", import.meta.url))
const [, , folder = join(packages, "cli", "bundled")] = process.argv

// Paths relative to a source file are resolved from the folder of the bundle.
const placeOf = (source) =>
  `new URL(${JSON.stringify(relative(folder, source).split(sep).join("/"))}, import.meta.url).href`

// V8 keeps the text of a file with a byte for each character, and with two where a single one is beyond Latin-1.
const inLatin = (code) =>
  code.replaceAll(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const bundle = async (options) => {
  const build = await rolldown({
    platform: "node",
    ...options,
    onLog: (_level, log) => {
      throw new Error(log.message)
    }
  })
  // Names and lines stay as they are, for the traces of failures.
  const { output } = await build.generate({ format: "esm", comments: false })
  for (const { code, fileName } of output) writeFileSync(join(folder, fileName), inLatin(code))
  await build.close()
}

await bundle({
  input: { program: join(packages, "cli", "src", "program.ts") },
  plugins: [
    {
      name: "places",
      transform: {
        filter: { id: /\.ts$/u, code: "import.meta.url" },
        handler: (code, id) => code.replaceAll("import.meta.url", placeOf(id))
      }
    }
  ]
})

// A separate file, because it sets the heap options before it loads the program.
await bundle({
  input: { parley: join(packages, "cli", "src", "main.ts") },
  plugins: [
    {
      name: "program",
      resolveId: { filter: { id: /^\.\/program\.ts$/u }, handler: () => ({ id: "./program.js", external: true }) }
    }
  ]
})
