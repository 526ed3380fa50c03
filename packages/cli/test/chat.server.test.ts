import { assert, describe, layer } from "@effect/vitest"
import { InboundDelivery, Organization as OrganizationSchema } from "@parley/domain/platform"
import { ChatAccountView, ConversationView, Message } from "@parley/domain/messaging"
import { processDueDeliveries } from "@parley/domain/composition"
import { startChatSimulator } from "@parley/simulators/chat"
import { DateTime, Effect, Schema } from "effect"
import { asService } from "./support/asService.ts"
import { connect, incoming, receive } from "./support/chat.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

describe("the commands about chat, on a server", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("check a number, show what came in, answer it, and replay what was delivered", () =>
      Effect.gen(function* () {
        const { url } = yield* startChatSimulator()
        const environment = { ...(yield* OnServer), PARLEY_CHAT_API_URL: url }
        const { parley } = commandLine(environment)
        const created = yield* parley("orgs", "create", "Talkers", "--slug", "talkers", "--json")
        const organization = yield* printed(OrganizationSchema, created)
        const org = ["--org", "talkers"] as const

        assert.match((yield* parley("chat-accounts", "list", ...org)).err, /has no chat accounts/)
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
        const shown = yield* parley("chat-accounts", "check", account.id, ...org)
        assert.match(shown.out, /^done +registered$/m)
        assert.match(shown.out, /^waiting +delivery received\n +-> No delivery for this number has arrived\./m)
        const pinned = yield* parley("chat-accounts", "change-pin", account.id, ...org)
        assert.match(pinned.out, /^PIN {2}\d{6}$/m)
        assert.strictEqual((yield* parley("chat-accounts", "deregister", account.id, ...org)).code, 2)
        const ended = yield* parley("chat-accounts", "deregister", account.id, "--yes", ...org)
        assert.match(ended.out, /degraded/)
        const refused = yield* parley("chat-accounts", "register", account.id, "--pin", "000000", ...org)
        assert.match(refused.err, /already has two-step verification/)
        assert.match((yield* parley("doctor", "--port", "1")).out, /registered: .*\(133005\)/)
        assert.strictEqual((yield* parley("chat-accounts", "register", account.id, "--pin", "12345", ...org)).code, 2)
        assert.match((yield* parley("chat-accounts", "register", account.id, ...org)).out, /connected/)
        const pin = /PIN {2}(\d{6})/u.exec(pinned.out)?.[1] ?? ""
        const registered = yield* parley("chat-accounts", "register", account.id, "--pin", pin, ...org)
        assert.match(registered.out, /connected/)
        const synced = yield* parley("templates", "sync", "--chat-account", account.id, ...org)
        assert.match(synced.out, /Created: 0, updated: 0/)

        const body = incoming("Where is my parcel?", yield* DateTime.now)
        yield* asService(environment, receive(organization, body))

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

        const [delivery] = yield* printed(
          Schema.Array(InboundDelivery),
          yield* parley("inbound", "list", ...org, "--json")
        )
        if (delivery === undefined) return assert.fail("no delivery was listed")
        assert.deepStrictEqual([delivery.state, delivery.events], ["applied", 1])
        assert.match((yield* parley("inbound", "show", delivery.id, ...org)).out, /Where is my parcel\?/)
        assert.match((yield* parley("inbound", "replay", delivery.id, ...org)).out, /waiting/)
        yield* asService(environment, processDueDeliveries)
        const again = yield* parley("conversations", "show", conversation.id, ...org, "--json")
        assert.strictEqual(again.out.match(/Where is my parcel\?/gu)?.length, 1)

        const rotated = yield* parley("keys", "reencrypt")
        assert.match(
          rotated.out,
          /the secrets of \d+ chat accounts, \d+ stores, \d+ webhook subscriptions, \d+ plugins and \d+ trigger URLs, and the keys of \d+ suppression lists/
        )
        assert.strictEqual((yield* parley("chat-accounts", "check", account.id, ...org)).code, 0)
        const parked = yield* parley("inbound", "park", delivery.id, ...org, "--reason", "Looked at by hand")
        // Applied deliveries stay applied.
        assert.match(parked.out, /applied/)
      }).pipe(Effect.scoped)
    )

    it.effect("show the inbox to people at a terminal only", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const refused = yield* parley("inbox")
        assert.deepStrictEqual([refused.code, refused.err.includes("needs a terminal")], [2, true])
      })
    )
  })
})
