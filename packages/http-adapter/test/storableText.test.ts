import { assert, it } from "@effect/vitest"
import { toValidationIssues } from "@parley/domain/kernel"
import { PluginCallCompletion } from "@parley/domain/integrations"
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

/** Only digests of these are stored. */
const digested = new Set([
  "code",
  "codeVerifier",
  "currentPassword",
  "deviceToken",
  "newPassword",
  "password",
  "refreshToken",
  "token"
])

const bodyFields = endpoints.flatMap((endpoint) =>
  requestFields(endpoint)
    .filter(({ name, slot }) => slot === "body" && !digested.has(name))
    .map(({ name, node }) => ({ id: `${endpoint.id} ${name}`, accepts: acceptsIn(node) }))
)

const freeFields = bodyFields.flatMap(({ accepts, id }) =>
  places
    .filter((at) => accepts(at({ any: [null, 1, "x", { deep: true }] })))
    .map((at) => ({ id: `${id} ${JSON.stringify(at(0))}`, accepts, at }))
)

const uuid = "01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50"

/** A text as a value, as an item and as a name. */
const textPlaces: ReadonlyArray<(text: string) => unknown> = [
  (text) => text,
  (text) => [text],
  (text) => ({ a: text }),
  ...["a", 1, true, null, ["a"], uuid].map((value) => (text: string) => ({ [text]: value }))
]

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
  assert.isAtLeast(freeFields.length, 10)
})

it.each(bodyFields)("$id refuses text that PostgreSQL cannot store", ({ accepts }) => {
  for (const text of ["\0", "a\0b", "https://a.example/\0", "\ud800", "https://a.example/\udfff"]) {
    for (const at of textPlaces) assert.isFalse(accepts(at(text)), JSON.stringify(at(text)))
  }
})

it.each(freeFields)("$id refuses JSON that PostgreSQL cannot store", ({ accepts, at }) => {
  for (const value of unstorable) assert.isFalse(accepts(at(value)), JSON.stringify(value))
})
