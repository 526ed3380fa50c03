import { assert } from "@effect/vitest"
import type { OrganizationId } from "@parley/domain/kernel"
import { InboundDeliveryId, InboundDeliveryQueue, sharedLane } from "@parley/domain/platform"
import { TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { TestClock } from "effect/testing"
import { showBacklog } from "../src/server/BacklogGauges.ts"
import { call } from "./harness/Http.ts"
import { overHttp } from "./harness/service.ts"
import { freshId, givenTenant } from "./harness/tenants.ts"

const valueOf = (line: string) =>
  Effect.map(PrometheusMetrics.format(), (text) => {
    const found = text.split("\n").find((each) => each.startsWith(`${line} `))
    return found === undefined ? 0 : Number(found.slice(line.length + 1))
  })

const deliver = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const id = InboundDeliveryId.make(yield* freshId)
  const delivery = {
    id,
    organizationId,
    lane: sharedLane,
    source: "chat",
    provider: "whatsapp",
    digest: id,
    body: new Uint8Array([1])
  } as const
  yield* (yield* InboundDeliveryQueue).store([{ ...delivery, receivedAt: yield* DateTime.now }])
})

const rateLimits = { tokenPerMinute: 2, organizationPerMinute: 1_000, addressPerMinute: 1_000 }

overHttp(
  "the metrics",
  TestKit.layer,
  (it) => {
    it.effect("show how much waits, and for how long", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        yield* deliver(organization.id)
        yield* deliver(organization.id)
        yield* TestClock.adjust("90 seconds")
        yield* showBacklog
        assert.strictEqual(yield* valueOf('parley_inbound_deliveries{state="waiting"}'), 2)
        assert.strictEqual(yield* valueOf('parley_queue_oldest_age_seconds{queue="inbound_deliveries"}'), 90)
        assert.strictEqual(yield* valueOf("parley_database_up"), 1)
      })
    )

    it.effect("count who was refused for want of a rate limit", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const before = yield* valueOf('parley_rate_limit_refusals_total{scope="session"}')
        for (const status of [200, 200, 429]) {
          const answer = yield* call("GET", "/api/v1/organization", {
            token: owner.token,
            organization: organization.id
          })
          assert.strictEqual(answer.status, status)
        }
        assert.strictEqual(yield* valueOf('parley_rate_limit_refusals_total{scope="session"}'), before + 1)
      })
    )
  },
  { rateLimits }
)
