import { assert, describe, it } from "@effect/vitest"
import { urlIssue, OrganizationId } from "@parley/domain/kernel"
import {
  afterFailure,
  afterSuccess,
  disableAfter,
  type EndpointHealth,
  failuresToDisable,
  failuresToOpen,
  retryDelays,
  matchesPattern,
  maxWebhookBodyBytes,
  newHealth,
  nextAttempt,
  probeDelay,
  encodeWebhookBody,
  matchingTypes,
  circuitDecision,
  warnAfter
} from "@parley/domain/integrations"
import { eventTypes } from "@parley/domain/composition"
import { DateTime, Duration, Schema } from "effect"
import { hostile } from "./hostileUrls.ts"

const now = DateTime.makeUnsafe("2026-11-20T09:30:00.000Z")
const around = { ownHost: "parley.example", loopback: false }

describe("the address of a receiver", () => {
  it.each([
    "https://erp.example/hook",
    "HTTPS://ERP.Example:443",
    "https://erp.example:8443/a/b?c=d&e=%F0%9F%8E%89",
    "https://xn--bcher-kva.example/hook",
    "https://a_b.erp-1.example?x"
  ])("%s is one", (url) => assert.isNull(urlIssue(url, around)))

  it("is refused where parsers could disagree about whom it names, or it is not public", () => {
    assert.isAtLeast(hostile.length, 200)
    for (const url of hostile) assert.isString(urlIssue(url, around), url)
  })

  it("is on this machine only with loopback enabled, and then nowhere else inside", () => {
    for (const url of [
      "http://127.0.0.1:3000/hook",
      "http://localhost:80",
      "https://[::1]:8443/",
      "http://[::1]:65535"
    ]) {
      assert.isNull(urlIssue(url, { ...around, loopback: true }), url)
    }
    for (const url of [
      "http://127.0.0.2/",
      "http://0.0.0.0/",
      "http://169.254.169.254/",
      "http://10.0.0.1/",
      "http://erp.example/",
      "http://127.0.0.1:0/",
      "http://127.0.0.1:65536/",
      "http://127.0.0.1:080/",
      "http://localhost:99999"
    ]) {
      assert.isString(urlIssue(url, { ...around, loopback: true }), url)
    }
  })

  it.prop("of any text is an answer, never a defect", [Schema.String], ([text]) => {
    urlIssue(text, around)
    assert.isString(urlIssue(`https://${text.replaceAll(/[a-z0-9.-]/giu, "")}/`, around))
  })
})

describe("patterns of events", () => {
  it("mean a type, all that begin with an area, or all", () => {
    const types = eventTypes.map(({ type }) => type)
    assert.deepStrictEqual(matchingTypes(types, ["*"]), types)
    assert.deepStrictEqual(matchingTypes(types, ["tag.*"]), ["tag.created", "tag.deleted", "tag.merged", "tag.updated"])
    assert.isFalse(matchesPattern("contacts.changed", "contact.*"))
    for (const type of types) assert.deepStrictEqual(matchingTypes(types, [type]), [type])
  })
})

describe("attempts", () => {
  it("come after the gaps, up to a twentieth later, and end with the eleventh", () => {
    for (const [spent, gap] of retryDelays.entries()) {
      for (const jitter of [0, 0.5, 1]) {
        const at = nextAttempt(spent, now, null, jitter)
        const wait = at === null ? null : DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)
        assert.strictEqual(wait, Math.round(Duration.toMillis(gap) * (1 + 0.05 * jitter)))
      }
    }
    assert.isNull(nextAttempt(retryDelays.length, now, null, 0))
    const all = retryDelays.reduce((sum, gap) => sum + Duration.toHours(gap), 0)
    assert.isTrue(all > 71 && all < 72)
  })

  it("wait for as long as the receiver asks, an hour at most", () => {
    const wait = (seconds: number) => {
      const at = nextAttempt(1, now, seconds, 0)
      return at === null ? null : (DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)) / 1_000
    }
    assert.deepStrictEqual([wait(0), wait(90), wait(86_400), wait(-5)], [5, 90, 3_600, 5])
  })
})

const failing = (count: number, from: EndpointHealth = newHealth, at = now) => {
  let health = from
  for (let index = 0; index < count; index += 1) health = afterFailure(health, at)
  return health
}

const later = (duration: Duration.Input) => DateTime.addDuration(now, duration)

describe("the circuit", () => {
  it("opens at the tenth failure in a row, probes ever less often, and closes with a success", () => {
    assert.strictEqual(failing(failuresToOpen - 1).circuit, "closed")
    let health = failing(failuresToOpen)
    assert.deepStrictEqual([health.circuit, health.probeAt], ["open", later("1 minute")])
    // Requests in flight when the circuit opened do not delay the probe.
    assert.deepStrictEqual(failing(4, health), health)
    const waits: Array<number> = []
    for (let probe = 0; probe < 7; probe += 1) {
      const at = health.probeAt ?? now
      health = afterFailure(health, at)
      waits.push((DateTime.toEpochMillis(health.probeAt ?? at) - DateTime.toEpochMillis(at)) / 60_000)
    }
    assert.deepStrictEqual(waits, [2, 4, 8, 16, 30, 30, 30])
    assert.deepStrictEqual(afterSuccess(now), { ...newHealth, lastSuccessAt: now })
    assert.strictEqual(Duration.toMinutes(probeDelay(500)), 30)
  })

  it("has people told after a day, and ends it after five days and twenty failures", () => {
    const health = failing(failuresToOpen)
    assert.isNull(circuitDecision(newHealth, later("9 days")))
    assert.isNull(circuitDecision(health, later("23 hours")))
    assert.strictEqual(circuitDecision(health, later(warnAfter)), "warn")
    assert.isNull(circuitDecision({ ...health, warnedAt: now }, later(warnAfter)))
    assert.isNull(circuitDecision({ ...health, warnedAt: now }, later(disableAfter)))
    const many = { ...health, failures: failuresToDisable, warnedAt: now }
    assert.strictEqual(circuitDecision(many, later(disableAfter)), "disable")
    assert.isNull(circuitDecision(many, later("119 hours")))
  })
})

describe("the body", () => {
  const body = {
    type: "contact.updated",
    timestamp: now,
    version: "v1" as const,
    id: "d1",
    organizationId: OrganizationId.make("01985d5c-0000-7000-8000-000000000001"),
    position: 42,
    cursor: "c",
    actor: { kind: "user" as const, id: "u1" },
    causation: null,
    data: { contactId: "c1" },
    resource: null
  }

  it("goes without its resource where it would be larger than is sent", () => {
    const padded = (length: number) => encodeWebhookBody({ ...body, resource: { text: "é".repeat(length) } })
    assert.isNotNull(JSON.parse(padded(1_000)).resource)
    assert.isNull(JSON.parse(padded(maxWebhookBodyBytes / 2)).resource)
    assert.isBelow(Buffer.byteLength(padded(maxWebhookBodyBytes)), maxWebhookBodyBytes)
  })

  it("says when it happened as the feed does", () => {
    assert.strictEqual(JSON.parse(encodeWebhookBody(body)).timestamp, "2026-11-20T09:30:00.000Z")
  })
})
