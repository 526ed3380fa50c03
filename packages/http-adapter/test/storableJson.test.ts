import { assert, it } from "@effect/vitest"
import { PluginCallCompletion, toValidationIssues } from "@parley/domain"
import { Exit, Result, Schema, type SchemaAST } from "effect"
import { endpoints, requestFields } from "./harness/contract.ts"

const places: ReadonlyArray<(value: unknown) => unknown> = [
  (value) => value,
  (value) => [value],
  (value) => ({ a: value })
]

const unstorable: ReadonlyArray<unknown> = [
  { any: "\0" },
  { any: ["\ud800"] },
  { any: { deep: ["x", "a\0b"] } },
  { "\0": 1 },
  { any: { "\udfff": null } }
]

const acceptsIn = (node: object) => {
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(node as SchemaAST.AST), {
    onExcessProperty: "error"
  })
  return (value: unknown) => Exit.isSuccess(decode(value))
}

/** The docs replace any malformed code by an empty one. */
const readsAnything = new Set(["docs.exchange"])

const fields = endpoints.flatMap((endpoint) =>
  requestFields(endpoint)
    .filter(({ slot }) => slot === "body" && !readsAnything.has(endpoint.id))
    .flatMap(({ name, node }) => {
      const accepts = acceptsIn(node)
      return places
        .filter((at) => accepts(at({ any: [null, 1, "x", { deep: true }] })))
        .map((at) => ({ id: `${endpoint.id} ${name} ${JSON.stringify(at(0))}`, accepts, at }))
    })
)

it("the issue names the place of the text", () => {
  const decode = Schema.decodeUnknownResult(PluginCallCompletion)
  const issuesOf = (body: unknown) =>
    Result.match(decode(body), {
      onSuccess: () => [],
      onFailure: ({ issue }) => toValidationIssues(issue, body).map(({ pointer }) => pointer)
    })
  assert.deepStrictEqual(issuesOf({ output: { list: [1, { text: "\0" }] } }), ["/output/list/1/text"])
  assert.deepStrictEqual(issuesOf({ output: { deep: { "\ud800": 1 } } }), ["/output/deep"])
  assert.deepStrictEqual(issuesOf({ error: { code: "poor", message: "\udfff" } }), ["/error/message"])
})

it("the contract has fields with free JSON", () => {
  assert.isAtLeast(fields.length, 10)
})

it.each(fields)("$id refuses text that PostgreSQL cannot store", ({ accepts, at }) => {
  for (const value of unstorable) assert.isFalse(accepts(at(value)), JSON.stringify(value))
})
