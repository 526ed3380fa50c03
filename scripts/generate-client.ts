// Writes the table of endpoints and the types of @parley/client from the contract: `npm run generate:client`.
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { files } from "./client/files.ts"

const folder = fileURLToPath(new URL("../packages/client/src/", import.meta.url))
const formatter = fileURLToPath(new URL("../node_modules/.bin/oxfmt", import.meta.url))

const format = (name: string, text: string) => {
  const { status, stderr, stdout } = spawnSync(formatter, [`--stdin-filepath=${folder}${name}`], {
    input: text,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    cwd: folder
  })
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`)
  return stdout
}

/** The generated files of the client, by path. */
export const generate = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files()).map(([name, text]) => [`${folder}${name}`, format(name, text)]))

if (import.meta.main) {
  for (const [path, text] of Object.entries(generate())) writeFileSync(path, text)
}
