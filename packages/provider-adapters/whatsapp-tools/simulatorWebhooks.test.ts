import type { Act, CustomerMessage } from "@parley/simulators/chat"
import { assert, describe, it } from "@effect/vitest"
import { whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect, Schema } from "effect"
import { fieldsIn } from "./fields.ts"
import { accountId, createTemplate, makeWorld, phoneId, uploadFile, users, type World } from "./simulatorWorld.ts"

const Named = Schema.Struct({ type: Schema.optionalKey(Schema.String), status: Schema.optionalKey(Schema.String) })

const Value = Schema.Record(Schema.String, Schema.Json)

const Webhook = Schema.Struct({
  entry: Schema.Array(Schema.Struct({ changes: Schema.Array(Schema.Struct({ field: Schema.String, value: Value })) }))
})

const decodeNamed = Schema.decodeUnknownSync(Schema.Array(Named))

/** Kinds of the items of a value, such as `text` or `delivered`, or the event of the value. */
const kindsIn = (value: typeof Value.Type): ReadonlyArray<string> => {
  const items = itemKindsIn(value)
  const { event } = value
  return items.length === 0 && typeof event === "string" ? [event] : items
}

const itemKindsIn = (value: typeof Value.Type): ReadonlyArray<string> =>
  ["messages", "message_echoes", "statuses"].flatMap((part) =>
    decodeNamed(value[part] ?? []).map(({ status, type }) => `${part}:${status ?? type ?? ""}`)
  )

const changesIn = (body: unknown) =>
  Schema.decodeUnknownSync(Webhook)(body).entry.flatMap(({ changes }) =>
    changes.flatMap(({ field, value }) => {
      const kinds = kindsIn(value)
      const fields = fieldsIn(value)
      return (kinds.length === 0 ? [""] : kinds).map((kind) => ({ key: `${field} ${kind}`.trim(), fields }))
    })
  )

/** All fields that the corpus has for one kind of change. */
const corpus = whatsAppFacts("webhooks")
  .flatMap(({ body }) => changesIn(body))
  .reduce(
    (all, { fields, key }) => all.set(key, new Set([...(all.get(key) ?? []), ...fields])),
    new Map<string, ReadonlySet<string>>()
  )

const pixel = "/9j/4AAQSkZJRg=="

const messagesTo = (of: string): ReadonlyArray<CustomerMessage> => [
  { type: "text", text: "Hello" },
  { type: "image", data: pixel, mimeType: "image/jpeg", caption: "A picture" },
  { type: "video", data: pixel, mimeType: "video/mp4" },
  { type: "audio", data: pixel, mimeType: "audio/ogg; codecs=opus", voice: true },
  { type: "document", data: pixel, mimeType: "application/pdf", filename: "receipt.pdf" },
  { type: "sticker", data: pixel, mimeType: "image/webp", animated: true },
  {
    type: "location",
    latitude: 52.5,
    longitude: 13.4,
    name: "Bakery",
    address: "1 Main Street",
    url: "https://x.test"
  },
  { type: "button", text: "Stop", payload: "stop" },
  { type: "interactive", reply: "button_reply", id: "yes", title: "Yes" },
  { type: "interactive", reply: "list_reply", id: "row", title: "Row", description: "A row" },
  { type: "form", name: "flow", response: { rating: "4" } },
  { type: "call_permission", response: "accept" },
  { type: "reaction", to: of, emoji: "👍" },
  { type: "reaction", to: of, emoji: "" },
  { type: "contacts", contacts: [{ name: { formatted_name: "Barbara" }, phones: [{ phone: "+16505559999" }] }] },
  { type: "shared_phone", phone: users.main },
  {
    type: "order",
    catalogId: "1",
    text: "Please",
    items: [{ productId: "rye", quantity: 2, price: 3.5, currency: "USD" }]
  },
  { type: "edit", of, text: "Hello again" },
  { type: "revoke", of },
  { type: "unsupported", kind: "poll" },
  { type: "request_welcome" }
]

const accountActs: ReadonlyArray<Act> = [
  { act: "partner", businessId: accountId, event: "PARTNER_REMOVED" },
  { act: "coexistence_removed", phoneId },
  { act: "ban", businessId: accountId, state: "DISABLE" },
  { act: "ban", businessId: accountId, state: "REINSTATE" },
  {
    act: "restrict",
    businessId: accountId,
    restrictions: [{ type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: 1_790_000_000 }]
  },
  { act: "review", businessId: accountId, decision: "APPROVED" },
  { act: "limit", businessId: accountId, limit: "TIER_2K" },
  { act: "number_quality", phoneId, event: "THROUGHPUT_UPGRADE" },
  { act: "number_name", phoneId, decision: "REJECTED", reason: "NAME_EMPLOYEE_ISSUE" },
  { act: "security", phoneId, event: "PIN_CHANGED" },
  { act: "username", phoneId, username: "luckyshrub", status: "approved" },
  { act: "value_error", phoneId, code: 130_429, details: "Too many messages." }
]

const template = { businessId: accountId, name: "positional", language: "en_US" } as const

const templateActs: ReadonlyArray<Act> = [
  { act: "template_quality", ...template, score: "YELLOW" },
  { act: "template_quality", ...template, score: "RED" },
  { act: "template_category", ...template, category: "MARKETING", isAnnounced: true },
  { act: "template_components", ...template }
]

const peopleActs: ReadonlyArray<Act> = [
  { act: "set_customer", customer: users.main, username: "sheena", parentUserId: "US.ENT.11815799212886844830" },
  { act: "change_identity", phoneId, customer: users.main },
  { act: "change_user_id", phoneId, customer: users.main },
  { act: "change_number", phoneId, customer: users.india, phone: "919000090001" },
  {
    act: "call",
    phoneId,
    customer: users.main,
    direction: "USER_INITIATED",
    ended: { status: "COMPLETED", seconds: 120 }
  },
  { act: "call_status", phoneId, customer: users.main, id: "wacid.SIM", status: "RINGING" }
]

const coexistenceActs: ReadonlyArray<Act> = [
  { act: "sync_contacts", phoneId, contacts: [{ phone: users.main, fullName: "Pablo Morales", firstName: "Pablo" }] },
  {
    act: "history",
    phoneId,
    phase: 0,
    order: 1,
    progress: 100,
    threads: [
      {
        phone: users.main,
        messages: [{ from: users.main, id: "wamid.old", timestamp: "1739230970", type: "text", text: { body: "Old" } }]
      }
    ]
  },
  { act: "decline_history", phoneId }
]

const runGroup = ({ simulator }: World) => {
  const groupId = simulator.act({ act: "create_group", phoneId, subject: "New arrivals" }) ?? ""
  simulator.act({ act: "join_group", phoneId, customer: users.main, groupId })
  simulator.write(phoneId, users.main, { type: "text", text: "Hello, all" }, { groupId })
  simulator.act({ act: "leave_group", phoneId, customer: users.main, groupId })
  simulator.act({ act: "delete_group", phoneId, groupId })
}

const send = ({ call }: World, content: object) =>
  call({
    method: "POST",
    path: `/${phoneId}/messages`,
    body: JSON.stringify({ messaging_product: "whatsapp", to: `+${users.main}`, ...content })
  })

const deliveriesOf = Effect.fnUntraced(function* (world: World) {
  const { simulator } = world
  simulator.advance(60_000)
  yield* Effect.yieldNow
  return simulator.deliveries().flatMap(({ body }) => changesIn(JSON.parse(body)))
})

/** Ids of people can be in every item about them. The username is absent in the status sent. */
const isIdentity = (key: string, field: string) =>
  /\/\w*user_id$/u.test(field) || (field.endsWith("/profile/username") && key !== "messages statuses:sent")

/** Fields of the simulator that Meta's pages leave open. */
const assumed: ReadonlySet<string> = new Set(["history /history/*/errors/*/href"])

const surplusOf = (changes: ReadonlyArray<{ readonly key: string; readonly fields: ReadonlyArray<string> }>) => [
  ...new Set(
    changes.flatMap(({ fields, key }) => {
      const known = corpus.get(key)
      if (known === undefined) return [`${key} is unknown`]
      return fields
        .filter((field) => !known.has(field) && !isIdentity(key, field) && !assumed.has(`${key} ${field}`))
        .map((field) => `${key} ${field}`)
    })
  )
]

describe("A webhook of the simulator", () => {
  it.live("has only fields of the corpus", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld("registered")
      const { simulator } = world
      yield* createTemplate(world, "positional")
      for (const message of messagesTo(world.message)) simulator.write(phoneId, users.main, message)
      simulator.write(phoneId, users.main, { type: "text", text: "Hi" }, { forwarded: "often" })
      const product = { catalogId: "1", productId: "rye" }
      simulator.write(phoneId, users.main, { type: "text", text: "Is it fresh?" }, { product, replyTo: world.message })
      simulator.write(phoneId, users.india, { type: "text", text: "From an ad" }, { fromAdvertisement: true })
      yield* send(world, { type: "text", text: { body: "Hello" } })
      yield* send(world, { type: "audio", audio: { id: yield* uploadFile(world, "audio"), voice: true } })
      yield* send(world, { type: "reaction", reaction: { message_id: world.message, emoji: "👍" } })
      yield* send(world, { to: `+${users.india}`, type: "text", text: { body: "In the free entry point" } })
      simulator.setReachable(users.brazil, false)
      yield* send(world, { to: `+${users.brazil}`, type: "text", text: { body: "Fails" } })
      simulator.advance(1_000)
      simulator.prefer(phoneId, users.main, "stop")
      simulator.echo(phoneId, users.main, { type: "text", text: "From the app" })
      for (const act of [...templateActs, ...peopleActs, ...accountActs, ...coexistenceActs]) simulator.act(act)
      runGroup(world)
      const changes = yield* deliveriesOf(world)
      assert.isAbove(new Set(changes.map(({ key }) => key)).size, 40)
      assert.deepStrictEqual(surplusOf(changes), [])
    }).pipe(Effect.scoped)
  )
})
