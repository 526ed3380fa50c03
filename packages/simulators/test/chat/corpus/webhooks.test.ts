import { assert, describe, it } from "@effect/vitest"
import { whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import type { ChatSimulatorOptions } from "@parley/simulators/chat"
import { Effect } from "effect"
import { at } from "../harness.ts"
import { factSimulatorWith } from "./grounds.ts"
import { accounts, templates } from "./accountScenes.ts"
import { agents, calls, messages, people } from "./messageScenes.ts"
import { receipts, receiptsOfUsers } from "./receiptScenes.ts"
import { coexistence, groups } from "./sharedScenes.ts"
import type { Scene } from "./scene.ts"
import { shapeOf } from "./shape.ts"

/** Webhooks that the simulator does not send, with the reason. A test sends them with `tell`, or as a raw message. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ["account-alert", "alerts have no cause in the simulator: tell"],
  ["account-alert-profile-picture-lost", "alerts have no cause in the simulator: tell"],
  ["account-unknown-event", "no page describes it: tell"],
  ["unknown-field", "no page describes it: tell"],
  ["message-unknown-type", "no page describes it: a raw message"],
  ["payment-configuration", "configurations have no cause in the simulator: tell"],
  ["template-correct-category-detection", "only the name of the field is known: tell"],
  ["template-quality-under-status-field", "an example that contradicts its page"],
  ["template-approved-null-reason", "the other form of the reason: tell"],
  ["template-paused-small-letters", "an example that contradicts its page"],
  ["group-participants-removed-openapi", "the document contradicts the page"],
  ["batch-of-updates", "deliveries.test.ts tests batches"],
  ["capability-old-tier", "an example with an earlier tier"],
  ["number-quality-upgrade", "fields that were removed in February 2026"],
  ["call-connect", "the form before user ids"],
  ["call-connect-business", "the form before user ids"],
  ["call-status-accepted", "the form before user ids"],
  ["call-status-rejected", "the form before user ids"],
  ["call-status-ringing", "the form before user ids"],
  ["call-terminate", "the form before user ids"],
  ["call-terminate-failed", "the form before user ids"],
  ["status-delivered-group", "the form without contacts"],
  ["message-image-without-url", "the form before 2025-10-16"],
  ["message-text-without-user-id", "the form before user ids"],
  ["message-system-changed-number-without-user-id", "the form before user ids"],
  ["status-sent-without-billable", "the form of a later version"],
  ["message-reaction-removed-empty", "removed reactions have no emoji here"]
])

const former = { webhookVersion: "v23.0" } as const

/** Scenes with the options of their simulator. */
const staged: ReadonlyArray<readonly [Scene, ChatSimulatorOptions]> = [
  ...[messages, people, calls, agents, groups, coexistence, accounts, templates, receipts, receiptsOfUsers].map(
    (scene) => [scene, {}] as const
  ),
  [receipts, former]
]

interface Part {
  readonly field: unknown
  readonly shape: unknown
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Shapes of the changes of a delivery. Parent ids in messages contradict each other in the examples, so they do not count. */
const partsOf = (body: unknown): ReadonlyArray<Part> =>
  listOf(at(body, "entry")).flatMap((entry) =>
    listOf(at(entry, "changes")).map((change) => ({
      field: at(change, "field"),
      shape: shapeOf({
        field: at(entry, "time") === undefined ? "without time" : "with time",
        change: JSON.parse(
          JSON.stringify(change, (key, value: unknown) => (key === "from_parent_user_id" ? undefined : value))
        )
      })
    }))
  )

const emitted = Effect.gen(function* () {
  const shapes = new Map<string, Part>()
  for (const [scene, options] of staged) {
    const { provider } = yield* factSimulatorWith(options)
    yield* scene(provider)
    for (const { body } of provider.deliveries()) {
      for (const part of partsOf(JSON.parse(body))) shapes.set(JSON.stringify(part.shape), part)
    }
  }
  return shapes
})

describe("The webhooks of the WhatsApp facts", () => {
  it.live("all have a shape that the simulator sends, or a reason", () =>
    Effect.gen(function* () {
      const shapes = yield* Effect.scoped(emitted)
      const unknown = whatsAppFacts("webhooks").filter(
        ({ body, name }) =>
          !exceptions.has(name) && !partsOf(body).every(({ shape }) => shapes.has(JSON.stringify(shape)))
      )
      assert.deepStrictEqual(
        unknown.map(({ name }) => name),
        []
      )
    })
  )

  it("have no exception without a fact", () => {
    const names = new Set(whatsAppFacts("webhooks").map(({ name }) => name))
    assert.deepStrictEqual(
      [...exceptions.keys()].filter((name) => !names.has(name)),
      []
    )
  })
})
