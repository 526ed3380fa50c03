import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Organization, User } from "@parley/domain/platform"
import { ParleyClient } from "@parley/http-adapter/client"
import { readSettings } from "@parley/service/configuration"
import { startChatSimulator } from "@parley/simulators/chat"
import { ConfigProvider, DateTime, Effect, Fiber, FileSystem, Schema, Terminal } from "effect"
import { FetchHttpClient } from "effect/http"
import { draftFile } from "../../src/commands/inbox/DraftFile.ts"
import { followInbox } from "../../src/commands/inbox/follow.ts"
import { asService, loginAt } from "../support/asService.ts"
import { connect, incoming, receive } from "../support/chat.ts"
import { commandLine, printed } from "../support/commandLine.ts"
import { OnServer } from "../support/database.ts"
import { serviceOn } from "../support/inProcess.ts"
import { ownPassword } from "../support/ownPassword.ts"
import { personAt } from "../support/person.ts"
import { shakyWayTo } from "../support/shakyWay.ts"

const UserWithPassword = Schema.Struct({ ...User.fields, password: Schema.String })

describe("the inbox on a terminal, at a service", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "loses no draft and sends no answer twice when the service goes away, and asks before it resolves",
      () =>
        Effect.gen(function* () {
          const { url } = yield* startChatSimulator()
          const environment = { ...(yield* OnServer), PARLEY_CHAT_API_URL: url }
          const { parley } = commandLine(environment)
          const organization = yield* printed(Organization, yield* parley("orgs", "create", "Acme", "--json"))
          const created = yield* parley("users", "create", "ann@inbox.example", "--name", "Ann", "--json")
          const { password } = yield* printed(UserWithPassword, created)
          yield* parley("members", "add", "--org", "acme", "ann@inbox.example", "--role", "agent")
          yield* asService(environment, connect(organization))
          yield* asService(environment, receive(organization, incoming("Where is my parcel?", yield* DateTime.now)))
          const way = yield* shakyWayTo(yield* serviceOn(environment))
          const own = yield* ownPassword(way.address, "ann@inbox.example", password)
          const { accessToken } = yield* loginAt(environment, "ann@inbox.example", own, organization.id)
          const client = yield* ParleyClient.make({
            baseUrl: way.address,
            token: accessToken,
            organizationId: organization.id,
            retry: { times: 0 }
          })
          const fs = yield* FileSystem.FileSystem
          const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
          const settings = yield* Effect.provideService(
            readSettings({}),
            ConfigProvider.ConfigProvider,
            ConfigProvider.fromEnvRecord({ PARLEY_CONFIG_DIR: folder })
          )
          const file = `${folder}/drafts/${organization.id}.json`

          const openInbox = Effect.gen(function* () {
            const person = personAt(100, 20)
            const drafts = yield* draftFile(settings, organization.id)
            const inbox = yield* Effect.forkScoped(
              Effect.provideService(followInbox(client, "Acme", drafts), Terminal.Terminal, person.terminal)
            )
            return { ...person, inbox }
          })

          const first = yield* openInbox
          yield* first.sees(/Where is my parcel\?/)
          yield* first.types("It left today.")
          yield* first.sees(/Reply: It left today\._/)
          way.loseAnswerTo("/messages")
          yield* first.press("return")
          yield* first.sees(/Perhaps not sent: The service does not answer\. The draft is stored/)
          yield* way.cut
          yield* first.sees(/Acme: AWAY/)
          yield* first.press("escape")
          yield* Fiber.join(first.inbox)
          assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)

          yield* way.mend
          const second = yield* openInbox
          yield* second.sees(/Reply: It left today\._/)
          yield* second.sees(/Ann \(/)
          yield* way.cut
          yield* second.sees(/Acme: AWAY/)
          yield* way.mend
          yield* second.sees(/Acme: \d unread/)
          yield* second.press("return")
          yield* second.sees(/Reply: _/)
          const [conversation] = (yield* client.conversations.list({ query: {} })).data
          if (conversation === undefined) return assert.fail("there is no conversation")
          const ofConversation = { params: { id: conversation.id } }
          const { data } = yield* client.messages.list({ ...ofConversation, query: {} })
          assert.deepStrictEqual(
            data.map(({ text }) => text),
            ["It left today.", "Where is my parcel?"]
          )
          assert.isFalse(yield* fs.exists(file))

          yield* second.press("e", { ctrl: true })
          yield* second.sees(/Resolve the conversation with Carla\?/)
          yield* second.press("n", { input: "n" })
          yield* second.sees(/Enter send/)
          assert.strictEqual((yield* client.conversations.get(ofConversation)).status, "open")
          yield* second.press("e", { ctrl: true })
          yield* second.press("y", { input: "y" })
          yield* second.sees(/No conversation/)
          assert.strictEqual((yield* client.conversations.get(ofConversation)).status, "resolved")
          yield* second.press("escape")
          yield* Fiber.join(second.inbox)
        }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])),
      120_000
    )
  })
})
