import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { whatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect, Schema } from "effect"
import { disputed } from "./disputed.ts"
import { runProgram } from "./tools.ts"

const Report = Schema.Struct({
  checked: Schema.Array(Schema.String),
  faults: Schema.Array(Schema.Struct({ name: Schema.String, fault: Schema.String }))
})

const Webhook = Schema.Struct({
  entry: Schema.Array(
    Schema.Struct({ changes: Schema.Array(Schema.Struct({ field: Schema.String, value: Schema.Json })) })
  )
})

const requests = whatsAppFacts("requests")

const requestBodies = requests
  .filter(({ body, encoding }) => body !== null && encoding === undefined)
  .map(({ body, method, name, path }) => ({ name, operation: `${method} ${path}`, part: "request", body }))

const answerBodies = requests.map(({ answer, method, path }) => ({
  name: answer,
  operation: `${method} ${path}`,
  part: "answer",
  body: whatsAppFact("answers", answer).body
}))

/** The document has the values of messages and groups. */
const isPublished = (field: string) => field === "messages" || field.startsWith("group_")

const valueBodies = whatsAppFacts("webhooks").flatMap(({ body, name }) =>
  Schema.decodeUnknownSync(Webhook)(body).entry.flatMap(({ changes }) =>
    changes.filter(({ field }) => isPublished(field)).map(({ value }) => ({ name, part: "value", body: value }))
  )
)

layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })(
  "The corpus and Meta's OpenAPI",
  (it) => {
    it.effect("agree, except for the listed contradictions", () =>
      Effect.gen(function* () {
        const bodies = [...requestBodies, ...answerBodies, ...valueBodies]
        const { checked, faults } = yield* runProgram("openApiProgram.mjs", { bodies }, Report)
        assert.isAbove(checked.length, 300)
        const ruleOf = ({ fault, name }: (typeof faults)[number]) =>
          disputed.find((rule) => rule.fault.test(fault) && (rule.facts?.test(name) ?? true))
        assert.deepStrictEqual(
          faults.filter((fault) => ruleOf(fault) === undefined),
          []
        )
        const used = new Set(faults.map(ruleOf))
        assert.deepStrictEqual(
          disputed.filter((rule) => !used.has(rule)),
          []
        )
      })
    )
  }
)
