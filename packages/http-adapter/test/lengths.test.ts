import { assert, it } from "@effect/vitest"
import { endpoints, reachable } from "./harness/contract.ts"

const ofUnits = /effect\/schema\/is(?:Min|Max|Between)Length/

const countsUnits = (node: object): boolean =>
  "_tag" in node &&
  node._tag === "String" &&
  "checks" in node &&
  Array.isArray(node.checks) &&
  node.checks.some((check: unknown) => ofUnits.test(JSON.stringify(check) ?? ""))

const schemas = endpoints.flatMap(({ contract, id }) =>
  [
    contract.params,
    contract.query,
    contract.headers,
    ...Array.from(contract.payload.values()).flatMap(({ schemas }) => schemas)
  ].flatMap((schema) => (schema === undefined ? [] : [{ id, schema }]))
)

it("the contract counts the length of a text in code points, as JSON Schema does", () => {
  assert.isAtLeast(schemas.length, 50)
  const wrong = schemas.filter(({ schema }) => Array.from(reachable(schema.ast)).some(countsUnits)).map(({ id }) => id)
  assert.deepStrictEqual(wrong, [])
})
