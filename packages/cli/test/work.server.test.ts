import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, type OrganizationId } from "@parley/domain/kernel"
import { Organization } from "@parley/domain/platform"
import { connectChatAccount, getMessage, listConversations, type Message } from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { ParleyClient } from "@parley/http-adapter/client"
import { defaultNumbers, startChatSimulator } from "@parley/simulators/chat"
import { Effect, Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { asService } from "./support/asService.ts"
import { commandLine, type Environment, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { freePort, startParley } from "./support/process.ts"

const inTime = 120_000
const [number] = defaultNumbers
const appSecret = "app-secret-of-the-test"

/** Processes run in real time, so this polls until the condition holds. */
const until = <A, E, R>(ask: Effect.Effect<A, E, R>, isSo: (answer: A) => boolean) =>
  Effect.repeat(ask, { while: (answer) => !isSo(answer), schedule: Schedule.spaced("50 millis") })

const inOrganization = <A, E>(
  environment: Environment,
  id: OrganizationId,
  effect: Effect.Effect<A, E, Ports | CurrentOrganization | CurrentActor>
) =>
  asService(
    environment,
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "test" })
    )
  )

const connect = connectChatAccount({
  displayName: "Support",
  externalAccountId: number?.businessId ?? "",
  externalPhoneId: number?.phoneId ?? "",
  accessToken: Redacted.make(number?.accessToken ?? ""),
  appSecret: Redacted.make(appSecret)
})

const issue = [
  "tokens",
  "issue",
  "--org",
  "workers",
  "--as",
  "ann@workers.example",
  "--name",
  "Test",
  "--quiet"
] as const

const statusOf = (url: string) => Effect.map(HttpClient.get(url), ({ status }) => status)

describe("an API without workers, and workers without an API,", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "share the work of one service: what the one puts in the other does, and hears it out when it is stopped",
      () =>
        Effect.gen(function* () {
          const provider = yield* startChatSimulator()
          const [port, metricsPort] = [yield* freePort, yield* freePort]
          const address = `http://127.0.0.1:${port}`
          const environment = {
            ...(yield* OnServer),
            PARLEY_CHAT_API_URL: provider.url,
            PARLEY_BASE_URL: address,
            PARLEY_LOG_FORMAT: "json"
          }
          const { parley } = commandLine(environment)
          const organization = yield* printed(Organization, yield* parley("orgs", "create", "Workers", "--json"))
          yield* parley("users", "create", "ann@workers.example")
          yield* parley("members", "add", "--org", "workers", "ann@workers.example", "--role", "owner")
          const token = yield* parley(...issue, "--permission", "conversations.manage")
          const account = yield* inOrganization(environment, organization.id, connect)
          provider.setWebhook({ url: account.webhookUrl, appSecret })

          const api = yield* startParley(environment, "serve", "--no-workers", "--port", String(port))
          yield* api.says(/Parley listens on/)
          const customer = provider.addCustomer("+4915112345678", "Carla")
          provider.write(account.externalPhoneId, customer, { type: "text", text: "Where is my parcel?" })
          // The delivery is answered, so it is stored; no process handles it.
          yield* until(Effect.sync(provider.deliveries), ([delivery]) => delivery?.status === 200)
          const conversations = inOrganization(
            environment,
            organization.id,
            listConversations({ page: { limit: 10, cursor: null } })
          )
          assert.lengthOf((yield* conversations).data, 0)

          const nobody = yield* parley("workers")
          assert.match(nobody.out, /^deliveries +0 +1 +\d+ s$/m)
          assert.match(nobody.out, /^event_consumers +0 +0$/m)
          assert.match(nobody.out, /^crm\.clear_tags +0 +0 +0$/m)
          assert.include(nobody.err, "No worker runs")

          const work = { ...environment, PARLEY_METRICS_PORT: String(metricsPort) }
          const worker = yield* startParley(work, "worker")
          yield* worker.says(/Parley runs background tasks/)
          const [conversation] = (yield* until(conversations, ({ data }) => data.length > 0)).data
          if (conversation === undefined) return assert.fail("there is no conversation")
          // Processes acquire the shards of each task separately, not all at the same time.
          const owned = ["deliveries", "jobs", "sends"].map((name) => `${name} (128 shards)`)
          const { out } = yield* until(parley("workers"), ({ out }) => owned.every((name) => out.includes(name)))
          assert.match(out, /^\S+:\d+ +\d+ s +\d+ s ago +.+, housekeeping$/m)
          assert.match(out, /^deliveries +1 +0$/m)
          assert.match(out, /^jobs +1 +0$/m)
          for (const path of ["healthz", "readyz", "metrics"]) {
            assert.strictEqual(yield* statusOf(`http://127.0.0.1:${metricsPort}/${path}`), 200, path)
          }
          yield* worker.signal("SIGTERM")
          assert.strictEqual((yield* worker.ended).code, 0)

          const client = yield* ParleyClient.make({
            baseUrl: address,
            token: Redacted.make(token.out),
            organizationId: organization.id
          })
          const { id } = yield* client.messages.send({
            params: { id: conversation.id },
            payload: { kind: "text", text: "It left today." }
          })
          const message = inOrganization(
            environment,
            organization.id,
            getMessage({ id: conversation.id, messageId: id })
          )
          assert.strictEqual((yield* message).status, "queued")

          // The provider accepts the message immediately, and its answer is still in transit when the process is
          // stopped.
          provider.misbehave({ on: "messages", what: { kind: "late", millis: 2_000 } })
          const other = yield* startParley(environment, "worker")
          yield* until(Effect.sync(provider.calls), (calls) => calls.length > 0)
          yield* other.signal("SIGTERM")
          const { code, err } = yield* other.ended
          assert.strictEqual(code, 0, err)
          assert.include(
            ["sent", "delivered", "read"] satisfies ReadonlyArray<Message["status"]>,
            (yield* message).status
          )
          assert.lengthOf(provider.accepted(), 1)
        }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)),
      inTime
    )
  })
})
