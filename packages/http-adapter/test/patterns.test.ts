import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { endpoints, reachable } from "./harness/contract.ts"

const length = 100_000
const atMostMillis = 50

interface Pattern {
  readonly source: string
  readonly flags: string
}

const isPattern = (node: object): node is { readonly payload: Pattern } =>
  "payload" in node &&
  typeof node.payload === "object" &&
  node.payload !== null &&
  "source" in node.payload &&
  "flags" in node.payload &&
  "id" in node &&
  String(node.id).includes("isPattern")

const schemasOf = endpoints.flatMap(({ contract, id }) =>
  [
    contract.params,
    contract.query,
    contract.headers,
    ...Array.from(contract.payload.values()).flatMap(({ schemas }) => schemas)
  ]
    .filter((schema) => schema !== undefined)
    .map((schema) => ({ id, schema }))
)

const patterns = new Map(
  schemasOf.flatMap(({ schema }) =>
    Array.from(reachable(schema.ast))
      .filter(isPattern)
      .map(({ payload }): [string, RegExp] => [
        `/${payload.source}/${payload.flags}`,
        new RegExp(payload.source, payload.flags)
      ])
  )
)

const pieces = [
  "a",
  "A",
  "0",
  "-",
  ".",
  " ",
  "@",
  "a-",
  "-a",
  "a.",
  "a@",
  ".a",
  "a ",
  "0:",
  "é",
  "🥐",
  "aA0",
  "\t",
  "2026-",
  "00000000-"
]

/** Long texts of one piece over and over, which then go wrong at their end, at their beginning or nowhere. */
const adversarial = pieces.flatMap((piece) => {
  const long = piece.repeat(Math.ceil(length / piece.length))
  return [
    long,
    `${long}!`,
    `${long}\n`,
    `${long} `,
    `!${long}`,
    `a@${long}`,
    `a@${long}.`,
    `${long}@${long}`,
    `en-${long}`
  ]
})

/** The shortest of three measurements: the machine may have been busy with something else. */
const millisOf = (run: () => void) => {
  const measure = () => {
    const start = performance.now()
    run()
    return performance.now() - start
  }
  let best = measure()
  for (let again = 0; again < 2 && best > atMostMillis; again++) best = Math.min(best, measure())
  return best
}

it("the contract has patterns to try", () => {
  assert.isAtLeast(patterns.size, 5)
})

it.each(Array.from(patterns, ([name, pattern]) => ({ name, pattern })))(
  "$name takes no longer for a hostile text",
  ({ pattern }) => {
    for (const text of adversarial) {
      const millis = millisOf(() => pattern.test(text))
      assert.isBelow(millis, atMostMillis, `${JSON.stringify(text.slice(0, 12))}… of ${text.length} characters`)
    }
  }
)

const fieldsOf = ({ ast }: Schema.Top) =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

const fields = schemasOf.flatMap(({ id, schema }) => fieldsOf(schema).map((field) => ({ id, schema, field })))

it("the contract has fields to try", () => {
  assert.isAtLeast(fields.length, 40)
})

it.effect.each(fields)("$id takes no longer for a hostile $field", ({ field, schema }) =>
  Effect.gen(function* () {
    const context = yield* Effect.context()
    const decode = Schema.decodeUnknownEffect(schema as Schema.Codec<unknown>, {
      errors: "all",
      onExcessProperty: "error"
    })
    const run = Effect.runSyncExitWith(context)
    // A field that takes any JSON takes any text.
    const isRefused = Exit.isFailure(run(decode({ [field]: [{}, null] })))
    for (const text of adversarial) {
      let exit: Exit.Exit<unknown, unknown> = Exit.void
      const millis = millisOf(() => {
        exit = run(decode({ [field]: text }))
      })
      assert.strictEqual(Exit.isFailure(exit), isRefused)
      assert.isBelow(millis, atMostMillis, `${JSON.stringify(text.slice(0, 12))}… of ${text.length} characters`)
    }
  })
)
