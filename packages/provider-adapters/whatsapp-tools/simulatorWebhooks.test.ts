import { assert, describe, it } from "@effect/vitest"
import { whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect, Schema } from "effect"
import { accounts, templates } from "../../simulators/test/chat/corpus/accountScenes.ts"
import { factSimulator } from "../../simulators/test/chat/corpus/grounds.ts"
import { calls, messages, people } from "../../simulators/test/chat/corpus/messageScenes.ts"
import { receipts, receiptsOfUsers } from "../../simulators/test/chat/corpus/receiptScenes.ts"
import { coexistence, groups } from "../../simulators/test/chat/corpus/sharedScenes.ts"
import { fieldsIn } from "./fields.ts"

const scenes = { messages, people, calls, receipts, receiptsOfUsers, groups, coexistence, accounts, templates }

const Named = Schema.Struct({ type: Schema.optionalKey(Schema.String), status: Schema.optionalKey(Schema.String) })

const Value = Schema.Record(Schema.String, Schema.Json)

const Webhook = Schema.Struct({
  entry: Schema.Array(Schema.Struct({ changes: Schema.Array(Schema.Struct({ field: Schema.String, value: Value })) }))
})

const decodeNamed = Schema.decodeUnknownSync(Schema.Array(Named))

const itemKindsIn = (value: typeof Value.Type): ReadonlyArray<string> =>
  ["messages", "message_echoes", "statuses"].flatMap((part) =>
    decodeNamed(value[part] ?? []).map(({ status, type }) => `${part}:${status ?? type ?? ""}`)
  )

/** Kinds of the items of a value, such as `text` or `delivered`, or the event of the value. */
const kindsIn = (value: typeof Value.Type): ReadonlyArray<string> => {
  const items = itemKindsIn(value)
  const { event } = value
  if (items.length > 0) return items
  return [typeof event === "string" ? event : ""]
}

const changesIn = (body: unknown) =>
  Schema.decodeUnknownSync(Webhook)(body).entry.flatMap(({ changes }) =>
    changes.flatMap(({ field, value }) => {
      const fields = fieldsIn(value)
      return kindsIn(value).map((kind) => ({ key: `${field} ${kind}`.trim(), fields }))
    })
  )

/** All fields that the corpus has for one kind of change. */
const corpus = whatsAppFacts("webhooks")
  .flatMap(({ body }) => changesIn(body))
  .reduce(
    (all, { fields, key }) => all.set(key, new Set([...(all.get(key) ?? []), ...fields])),
    new Map<string, ReadonlySet<string>>()
  )

/** Every item about a person can have the ids, and every status the reference. The username is absent in the status sent. */
const isCommon = (key: string, field: string) =>
  /\/\w*user_id$/u.test(field) ||
  /^\/statuses\/\*\/(?:recipient_\w+|biz_opaque_callback_data)$/u.test(field) ||
  (field.endsWith("/profile/username") && key !== "messages statuses:sent")

/** Fields of the simulator that Meta's pages leave open. */
const assumed: ReadonlySet<string> = new Set(["history /history/*/errors/*/href"])

const surplusOf = (changes: ReturnType<typeof changesIn>) => [
  ...new Set(
    changes.flatMap(({ fields, key }) => {
      const known = corpus.get(key)
      if (known === undefined) return [`${key} is unknown`]
      return fields
        .filter((field) => !known.has(field) && !isCommon(key, field))
        .map((field) => `${key} ${field}`)
        .filter((surplus) => !assumed.has(surplus))
    })
  )
]

describe("A webhook of the simulator", () => {
  it.live.each(Object.entries(scenes))("has only fields of the corpus: %s", ([, scene]) =>
    Effect.gen(function* () {
      const { provider } = yield* factSimulator
      yield* scene(provider)
      assert.deepStrictEqual(surplusOf(provider.deliveries().flatMap(({ body }) => changesIn(JSON.parse(body)))), [])
    }).pipe(Effect.scoped)
  )
})
