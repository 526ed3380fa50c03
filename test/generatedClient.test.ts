import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { generate } from "../scripts/generate-client.ts"

const folder = join(import.meta.dirname, "../packages/client/src")

describe("the generated files of the light client", () => {
  const generated = generate()

  it("match the contract: run `npm run generate:client` after a change", () => {
    for (const [path, text] of Object.entries(generated)) {
      assert.isTrue(readFileSync(path, "utf8") === text, `${path} differs from the contract`)
    }
  })

  it("are all generated", () => {
    const present = readdirSync(folder).filter((name) => name.endsWith(".generated.ts"))
    assert.sameMembers(
      present.map((name) => join(folder, name)),
      Object.keys(generated)
    )
  })
})
