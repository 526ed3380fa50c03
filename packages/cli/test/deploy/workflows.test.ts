import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readYaml } from "../support/yaml.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const folder = `${root}.github/workflows/`
const names = readdirSync(folder)

const Permissions = Schema.Struct({ contents: Schema.Literals(["read", "write"]) })

const Step = Schema.Struct({
  name: Schema.optional(Schema.String),
  uses: Schema.optional(Schema.String),
  run: Schema.optional(Schema.String),
  env: Schema.optional(Schema.Record(Schema.String, Schema.String))
})

const Job = Schema.Struct({
  strategy: Schema.optional(Schema.Unknown),
  "runs-on": Schema.String,
  environment: Schema.optional(Schema.String),
  container: Schema.Unknown,
  "timeout-minutes": Schema.Int,
  permissions: Schema.optional(Permissions),
  steps: Schema.Array(Step)
})

const Workflow = Schema.Struct({
  name: Schema.String,
  on: Schema.Unknown,
  permissions: Schema.Struct({ contents: Schema.Literal("read") }),
  concurrency: Schema.optional(Schema.Unknown),
  jobs: Schema.Record(Schema.String, Job)
})

const read = (name: string) =>
  Schema.decodeUnknownSync(Workflow, { onExcessProperty: "error" })(readYaml(readFileSync(`${folder}${name}`, "utf8")))

describe("the workflows", () => {
  it.each(names)("have limits, pinned actions and existing scripts: %s", (name) => {
    for (const job of Object.values(read(name).jobs)) {
      assert.isAtMost(job["timeout-minutes"], 90)
      for (const { run = "", uses } of job.steps) {
        if (uses !== undefined) assert.match(uses, /^[\w/-]+@[0-9a-f]{40}$/u)
        for (const [, script = ""] of run.matchAll(/\bbash (\S+)/gu))
          assert.isTrue(existsSync(`${root}${script}`), script)
      }
    }
  })

  it("can write only in a job that the owner approves", () => {
    const writers = names.flatMap((name) =>
      Object.values(read(name).jobs).filter(({ permissions }) => permissions?.contents === "write")
    )
    assert.deepStrictEqual(
      writers.map(({ environment }) => environment),
      ["release"]
    )
  })

  it("run all chaos suites at night", () => {
    const [, listed = ""] =
      /suite: \[([^\]]+)\]/u.exec(readFileSync(`${folder}nightly.yml`, "utf8").replaceAll(/\s+/gu, " ")) ?? []
    const [, declared = ""] =
      /withSubcommands\(\[([^\]]+)\]/u.exec(readFileSync(`${root}bench/src/chaos/main.ts`, "utf8")) ?? []
    assert.deepStrictEqual(listed.match(/\w+/gu), declared.match(/\w+/gu))
  })
})
