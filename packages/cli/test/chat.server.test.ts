import { assert, describe, layer } from "@effect/vitest"
import {
  ChatAccountView,
  connectChatAccount,
  ConversationView,
  CurrentActor,
  CurrentOrganization,
  Delivery,
  Message,
  type Organization,
  Organization as OrganizationSchema,
  receiveChatDelivery,
  workDeliveries
} from "@parley/domain"
import { defaultNumbers, signatureOf, startChatSimulator } from "@parley/testkit/simulators/chat"
import { DateTime, Effect, Redacted, Schema } from "effect"
import { asService } from "./support/asService.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const [number] = defaultNumbers
const appSecret = "app-secret-of-the-test"

const incoming = (text: string, at: DateTime.Utc) =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: number?.businessId,
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550100001", phone_number_id: number?.phoneId },
              contacts: [{ profile: { name: "Carla" }, wa_id: "4915123456789" }],
              messages: [
                {
                  from: "4915123456789",
                  id: `wamid.${text.length}`,
                  timestamp: String(Math.floor(DateTime.toEpochMillis(at) / 1_000)),
                  type: "text",
                  text: { body: text }
                }
              ]
            }
          }
        ]
      }
    ]
  })

const connect = ({ id }: Organization) =>
  connectChatAccount({
    displayName: "Support",
    externalAccountId: number?.businessId ?? "",
    externalPhoneId: number?.phoneId ?? "",
    accessToken: Redacted.make(number?.accessToken ?? ""),
    appSecret: Redacted.make(appSecret)
  }).pipe(
    Effect.provideService(CurrentOrganization, { id }),
    Effect.provideService(CurrentActor, { kind: "operator", name: "test" }),
    Effect.orDie
  )

describe("the commands about chat, on a server", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("check a number, show what came in, answer it, and replay what was delivered", () =>
      Effect.gen(function* () {
        const { url } = yield* startChatSimulator()
        const environment = { ...(yield* OnServer), PARLEY_CHAT_API_URL: url }
        const { parley } = commandLine(environment)
        const created = yield* parley("org", "create", "Talkers", "--slug", "talkers", "--json")
        const organization = yield* printed(OrganizationSchema, created)
        const org = ["--org", "talkers"] as const

        assert.match((yield* parley("chat-accounts", "list", ...org)).err, /has connected no number/)
        yield* asService(environment, connect(organization))
        const listed = yield* printed(
          Schema.Array(ChatAccountView),
          yield* parley("chat-accounts", "list", ...org, "--json")
        )
        const [account] = listed
        if (account === undefined) return assert.fail("no number was listed")
        const checked = yield* printed(
          ChatAccountView,
          yield* parley("chat-accounts", "check", account.id, ...org, "--json")
        )
        assert.deepStrictEqual([checked.status, checked.phone], ["connected", "+15550100001"])
        const synced = yield* parley("templates", "sync", "--account", account.id, ...org)
        assert.match(synced.out, /New: 0, changed: 0/)

        const body = incoming("Where is my parcel?", yield* DateTime.now)
        const bytes = new TextEncoder().encode(body)
        yield* asService(
          environment,
          Effect.orDie(
            Effect.andThen(
              receiveChatDelivery(organization.id, {
                body: bytes,
                headers: { "x-hub-signature-256": signatureOf(appSecret, body) }
              }),
              workDeliveries
            )
          )
        )

        const [conversation] = yield* printed(
          Schema.Array(ConversationView),
          yield* parley("conversations", "list", ...org, "--unread", "--json")
        )
        if (conversation === undefined) return assert.fail("no conversation was listed")
        assert.deepStrictEqual([conversation.contact.name, conversation.unreadCount], ["Carla", 1])
        assert.match((yield* parley("conversations", "show", conversation.id, ...org)).out, /Where is my parcel\?/)
        const sent = yield* printed(
          Message,
          yield* parley("conversations", "send", conversation.id, "It left today.", ...org, "--json")
        )
        assert.deepStrictEqual([sent.status, sent.author.kind], ["queued", "operator"])

        const [delivery] = yield* printed(Schema.Array(Delivery), yield* parley("webhooks", "list", ...org, "--json"))
        if (delivery === undefined) return assert.fail("no delivery was listed")
        assert.deepStrictEqual([delivery.state, delivery.events], ["applied", 1])
        assert.match((yield* parley("webhooks", "show", delivery.id, ...org)).out, /Where is my parcel\?/)
        assert.match((yield* parley("webhooks", "replay", delivery.id, ...org)).out, /waiting/)
        yield* asService(environment, workDeliveries)
        const again = yield* parley("conversations", "show", conversation.id, ...org, "--json")
        assert.strictEqual(again.out.match(/Where is my parcel\?/gu)?.length, 1)

        const rotated = yield* parley("key", "reseal")
        assert.match(
          rotated.out,
          /The secrets of \d+ chat accounts are sealed .* and the keys of \d+ suppression lists/
        )
        assert.strictEqual((yield* parley("chat-accounts", "check", account.id, ...org)).code, 0)
        const parked = yield* parley("webhooks", "park", delivery.id, ...org, "--reason", "Looked at by hand")
        // What was applied stays so.
        assert.match(parked.out, /applied/)
      }).pipe(Effect.scoped)
    )

    it.effect("show the inbox to people at a terminal only", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const refused = yield* parley("inbox")
        assert.deepStrictEqual([refused.code, refused.err.includes("takes a terminal")], [2, true])
      })
    )
  })
})
