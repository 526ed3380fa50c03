import {
  type NewInboundDelivery,
  InboundDeliveryId,
  InboundDeliveryQueue,
  sharedLane,
  OrganizationId
} from "@parley/domain"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Arena from "../Arena.ts"
import type { Load } from "../load/Load.ts"
import { byPgbench } from "../load/pgbench.ts"
import { quantile } from "../load/quantile.ts"
import { flags, optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave } from "../rounds.ts"
import { seededIds, organizationIdAt } from "../tenants/seededIds.ts"

/** The provider's body for one inbound text message. */
const message = JSON.stringify({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "102290129340398",
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "15550783881", phone_number_id: "106540352242922" },
            contacts: [{ profile: { name: "Sheena Nelson" }, wa_id: "16505551234" }],
            messages: [
              {
                from: "16505551234",
                id: "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
                timestamp: "1749416383",
                type: "text",
                text: { body: "Does it come in another color?" }
              }
            ]
          }
        }
      ]
    }
  ]
})

const body = new TextEncoder().encode(message)

const digestLength = 43

/** The stored row: an id with the time, a separate digest, the same body. */
const scriptFor = (
  organizations: number
) => `\\set organization ${seededIds.firstOrganization} + random(0, ${organizations - 1})
\\set number random(0, 9000000000000000000)
INSERT INTO inbound_deliveries (organization_id, id, source, provider, state, digest, body, received_at, due_at)
  VALUES (('${seededIds.start}' || :organization)::uuid,
    (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
      || '7' || substr(md5(:number::text), 1, 3) || '8' || substr(md5(:number::text), 4, 15))::uuid,
    'chat', 'whatsapp', 'waiting', left(md5(:number::text) || md5(:number::text || 'b'), ${digestLength}),
    '\\x${Buffer.from(body).toString("hex")}', now(), now())
  ON CONFLICT ON CONSTRAINT inbound_deliveries_digest DO NOTHING;
`

const arrived = (organizations: number): NewInboundDelivery => ({
  organizationId: OrganizationId.make(organizationIdAt(Math.floor(Math.random() * organizations))),
  lane: sharedLane,
  id: InboundDeliveryId.make(SecureRandom.uuidV7Unsafe()),
  source: "chat",
  provider: "whatsapp",
  digest: SecureRandom.uuidV7Unsafe().concat(SecureRandom.uuidV7Unsafe()).slice(-digestLength),
  body,
  receivedAt: DateTime.nowUnsafe()
})

/** Concurrent callers. Each caller stores one delivery after the other. */
const takes = (callers: number, organizations: number) =>
  Effect.map(InboundDeliveryQueue, (inbox) => ({
    name: `store, ${callers} callers`,
    pids: [process.pid],
    run: Effect.fnUntraced(function* (seconds: number) {
      const latencies: Array<number> = []
      const begun = performance.now()
      const end = begun + seconds * 1_000
      const one = Effect.suspend(() => {
        const at = performance.now()
        return Effect.map(inbox.store([arrived(organizations)]), () => latencies.push(performance.now() - at))
      })
      const caller = Effect.repeat(one, { while: () => performance.now() < end })
      yield* Effect.replicateEffect(caller, callers, { concurrency: "unbounded", discard: true })
      const took = (performance.now() - begun) / 1_000
      const sorted = Float64Array.from(latencies).toSorted()
      const load: Load = {
        requests: sorted.length,
        seconds: took,
        refused: 0,
        broken: 0,
        p50: quantile(sorted, 0.5),
        p99: quantile(sorted, 0.99),
        p999: quantile(sorted, 0.999)
      }
      return { perSecond: sorted.length / took, load }
    })
  }))

const run = Effect.gen(function* () {
  const { options } = yield* Arena.Arena
  const { organizations } = options
  const few = yield* takes(32, organizations)
  const many = yield* takes(256, organizations)
  const rounds = yield* interleave([few, many, yield* byPgbench(scriptFor(organizations))])
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE inbound_deliveries, lanes`
  yield* conclude("deliveries", rounds, [
    { ...ratioOf(few.name, "pgbench", rounds), atLeast: 0.75 },
    { ...ratioOf(many.name, "pgbench", rounds), atLeast: 0.75 }
  ])
})

/** P9 at the storage: deliveries are committed one by one, compared with the bare insert of the same row. */
export const deliveries = Command.make(
  "deliveries",
  flags,
  Effect.fnUntraced(function* (given) {
    const options = { ...(yield* optionsOf(given)), rows: 640 }
    yield* run.pipe(Effect.scoped, Effect.provide(Arena.layer(options)))
  })
).pipe(
  Command.withDescription("How many deliveries are stored a second, each answered after its commit, against pgbench")
)
