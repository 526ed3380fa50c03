import type { OrganizationId } from "@parley/domain/kernel"
import { DomainEvent } from "@parley/domain/composition"
import { ParleyWebhooks } from "@parley/http-adapter/client"
import type { Settings } from "@parley/service/configuration"
import { Clock, Console, DateTime, Duration, Effect, FileSystem, Option, Path, Schema, Stream } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Flags from "../../console/flags.ts"
import { sharedSettings } from "../../parley.ts"
import { configFolder, writePrivately } from "../../profiles/ProfileFolder.ts"
import { layerHttp } from "../../server/http.ts"
import type { Followed } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { followed, fromFlags } from "./events.ts"

const encode = Schema.encodeSync(Schema.toCodecJson(DomainEvent))

/** Timeout of a receiver, equal to the timeout of webhook subscriptions. */
const patience = Duration.seconds(10)

/** Parses an address for forwarding. It can be on this machine. */
const readForward = (text: string) =>
  Effect.gen(function* () {
    const url = URL.parse(text)
    if (url !== null && ["http:", "https:"].includes(url.protocol) && url.username === "") return url.href
    return yield* new CliError.InvalidValue({
      option: "forward",
      value: text,
      expected: "Expected an address, for example http://127.0.0.1:3000/hook",
      kind: "flag"
    })
  })

/** Id of a forwarded event. It stays the same when the event is forwarded again. */
const idOf = ({ position }: Followed) => `listen_${position}`

/** Body of an event in the format of a webhook subscription. */
const bodyOf = (organizationId: OrganizationId, row: Followed): string => {
  const { type, ...data } = encode(row.event) as { readonly type: string }
  return JSON.stringify({
    type,
    timestamp: DateTime.formatIso(row.at),
    version: "v1",
    id: idOf(row),
    organizationId,
    position: row.position,
    cursor: row.cursor,
    actor: row.actor,
    causation: row.causation,
    data,
    resource: null
  })
}

/** Posts an event once, signed like a webhook subscription, and returns the result as text. */
const forward = Effect.fnUntraced(function* (url: string, secret: string, row: Followed, body: string) {
  const begun = yield* Clock.currentTimeMillis
  const timestamp = Math.floor(begun / 1_000)
  const id = idOf(row)
  const signature = yield* Effect.promise(() => ParleyWebhooks.sign(secret, { id, timestamp, body }))
  const request = HttpClientRequest.post(url).pipe(
    HttpClientRequest.bodyText(body, "application/json"),
    HttpClientRequest.setHeaders({
      "user-agent": "Parley-Webhooks/1",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
      "parley-attempt": "1"
    })
  )
  const status = yield* HttpClient.execute(request).pipe(
    Effect.map((response) => response.status),
    Effect.timeout(patience),
    Effect.orElseSucceed(() => null),
    Effect.scoped,
    Effect.provide(layerHttp)
  )
  const took = (yield* Clock.currentTimeMillis) - begun
  return { isTaken: status !== null && status >= 200 && status < 300, words: `${status ?? "no answer"} in ${took} ms` }
})

const secretBytes = 32

const written = /^whsec_[A-Za-z0-9+/]{43}=$/u

/**
 * Returns the secret that signs the forwarded events of an organization. This user gets the same secret each time on this machine. If it cannot be
 * stored, it is valid until the command ends.
 */
const listenSecret = Effect.fnUntraced(function* (settings: Settings, organization: OrganizationId) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* configFolder(settings)
  const made = `whsec_${Base64.encode(SecureRandom.randomBytesUnsafe(secretBytes))}`
  if (Option.isNone(root)) return made
  const folder = path.join(root.value, "listen")
  const file = path.join(folder, organization)
  const kept = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
  if (written.test(kept.trim())) return kept.trim()
  yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 }).pipe(
    Effect.andThen(writePrivately(file, `${made}\n`)),
    Effect.catch(() => Effect.logWarning(`The secret cannot be stored in ${file}: the next run uses a new one.`))
  )
  return made
})

/** Forwards events to a program on the machine of the user. */
export const listen = Command.make(
  "listen",
  {
    org: Flags.org,
    ...fromFlags,
    forward: Flag.String("forward").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription(
        "URL that gets each event with the signature of a webhook subscription, also on this machine"
      ),
      Flag.mapEffect(readForward),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ forward: to, json, org, ...from }) {
    const settings = yield* sharedSettings
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const events = yield* followed(tenant, from)
        const secret = yield* listenSecret(settings, tenant.id)
        if (Option.isSome(to)) yield* Console.error(`What goes to ${to.value} is signed with ${secret}`)
        yield* Console.error(`Listening to ${tenant.name}.`)
        yield* Stream.runForEach(
          events,
          Effect.fnUntraced(function* (row) {
            const body = bodyOf(tenant.id, row)
            const sent = Option.isSome(to) ? yield* forward(to.value, secret, row, body) : null
            const line = `${DateTime.formatIso(row.at)}  ${row.position}  ${row.event.type}`
            yield* Console.log(json ? body : sent === null ? line : `${line}  ${sent.words}`)
            if (json && sent?.isTaken === false) yield* Console.error(`${line}  ${sent.words}`)
          })
        )
      })
    )
  })
).pipe(
  Command.withExamples([
    { command: "parley listen --forward http://127.0.0.1:3000/hook" },
    { command: "parley listen --org acme --events 'message.*,order.*' --since 10m --json" }
  ])
)
