import { NodeFileSystem } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Result, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { guideSlugs } from "../../src/server/docs/Guides.ts"
import { readSiteText } from "../../src/server/docs/SiteFiles.ts"
import { reachable } from "../harness/contract.ts"
import { callsInShell, callsInText, schemasByShape } from "./shownCalls.ts"

const tour = "docs/tour.md"

/** The minimum numbers of answers and of bodies that a page shows. */
const minimums: Readonly<Record<string, { readonly answers: number; readonly bodies: number }>> = {
  "quick-start": { answers: 5, bodies: 4 },
  [tour]: { answers: 0, bodies: 2 }
}

const sourceOf = (page: string) =>
  page === tour
    ? Effect.flatMap(FileSystem.FileSystem, (fs) =>
        fs.readFileString(fileURLToPath(new URL(`../../../../${tour}`, import.meta.url)))
      )
    : readSiteText(`guides/${page}.md`)

/** A success that a page shows. */
interface ShownAnswer {
  readonly at: number
  readonly json: unknown
  readonly isShortened: boolean
}

const isProblem = (json: unknown) => typeof json === "object" && json !== null && "code" in json && "status" in json

/** A JSON block is an answer if its title has a status. In the tour every block is one. */
const answersIn = (page: string, source: string): ReadonlyArray<ShownAnswer> =>
  Array.from(source.matchAll(/^```json([^\n]*)\n(.*?)\n```$/gms)).flatMap(({ 1: title = "", 2: text = "", index }) => {
    const json: unknown = JSON.parse(text)
    if (isProblem(json) || !(/ 2\d\d/.test(title) || page === tour)) return []
    return [{ at: index, json, isShortened: title.includes("shortened") }]
  })

/** The answers that a block of HTTP shows. A block that starts with a method is a request. */
const answersInHttp = (source: string): ReadonlyArray<ShownAnswer> =>
  Array.from(source.matchAll(/^```http\n(HTTP\/.*?)\n```$/gms)).flatMap(({ 1: text = "", index }) =>
    text
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => ({ at: index, json: JSON.parse(line) as unknown, isShortened: false }))
  )

/** The last call above the answer, or else the first one below it. */
const callOf = (source: string, at: number) => {
  const calls = [...callsInShell(source), ...callsInText(source)].toSorted((one, other) => one.at - other.at)
  return calls.findLast((call) => call.at < at) ?? calls[0]
}

const decodingFault = (schema: Schema.Top, json: unknown): string | null => {
  const decoded = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>)(json, { onExcessProperty: "error" })
  return Result.isFailure(decoded) ? String(decoded.failure) : null
}

const namesIn = (json: unknown): ReadonlyArray<string> =>
  typeof json !== "object" || json === null
    ? []
    : [...(Array.isArray(json) ? [] : Object.keys(json)), ...Object.values(json).flatMap(namesIn)]

const namesOf = (schema: Schema.Top): ReadonlySet<string> =>
  new Set(
    Array.from(reachable(schema.ast)).flatMap((node) =>
      "propertySignatures" in node && Array.isArray(node.propertySignatures)
        ? node.propertySignatures.map(({ name }: { readonly name: PropertyKey }) => String(name))
        : []
    )
  )

/** A shortened answer has no fields that the contract lacks. Any other answer is complete. */
const faultOf = (schema: Schema.Top, { isShortened, json }: ShownAnswer): string | null => {
  if (!isShortened) return decodingFault(schema, json)
  const names = namesOf(schema)
  const unknown = namesIn(json).filter((name) => !names.has(name))
  return unknown.length === 0 ? null : `unknown fields: ${unknown.join(", ")}`
}

layer(NodeFileSystem.layer)("the JSON of the pages", (it) => {
  it.effect.each([tour, ...guideSlugs])("%s shows answers as the contract declares them", (page) =>
    Effect.gen(function* () {
      const source = yield* sourceOf(page)
      const answers = [...answersIn(page, source), ...answersInHttp(source)]
      for (const answer of answers) {
        const shape = callOf(source, answer.at)?.shape ?? "no call"
        const success = schemasByShape.get(shape)?.success
        if (success === undefined) return assert.fail(`${shape} has no answer in JSON: ${JSON.stringify(answer.json)}`)
        assert.isNull(faultOf(success, answer), `${shape} ${JSON.stringify(answer.json)}`)
      }
      assert.isAtLeast(answers.length, minimums[page]?.answers ?? 0)
    })
  )

  it.effect.each([tour, ...guideSlugs])("%s sends bodies that the contract reads", (page) =>
    Effect.gen(function* () {
      const source = yield* sourceOf(page)
      const calls = callsInShell(source)
      for (const { body, shape } of calls) {
        const payload = schemasByShape.get(shape)?.payload
        if (body === null || !/^\s*[[{]/.test(body) || payload === undefined) continue
        assert.isNull(decodingFault(payload, JSON.parse(body)), `${shape} ${body}`)
      }
      assert.isAtLeast(calls.filter(({ body }) => body !== null).length, minimums[page]?.bodies ?? 0)
    })
  )
})
