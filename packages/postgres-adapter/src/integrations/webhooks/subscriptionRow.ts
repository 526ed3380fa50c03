import type { Feature } from "@parley/domain/kernel"
import { type StoredWebhookSubscription, WebhookSubscription } from "@parley/domain/integrations"
import { DateTime } from "effect"
import { asWritten, type Instant, utcOrNull } from "../../kernel/columns.ts"

/** Stored form of a former secret. */
interface FormerSecretJson {
  readonly sealed: string
  readonly until: string
}

export interface SubscriptionRow extends Omit<WebhookSubscription, "headers" | "lastSuccessAt" | "disabledAtPosition"> {
  readonly headerNames: ReadonlyArray<string>
  readonly disabledAtPosition: bigint | null
  readonly lastSuccessAt: Instant | null
  readonly startsAfter: bigint
  readonly secret: string
  readonly formerSecrets: ReadonlyArray<FormerSecretJson>
  readonly sealedHeaders: string | null
  readonly failures: number
  readonly failingSince: Instant | null
  readonly probeAt: Instant | null
  readonly warnedAt: Instant | null
  readonly feature: Feature | null
  readonly erasures: number
}

export const subscriptionColumns = `id, name, url, events, filter, payload, payload_version AS "payloadVersion", ordering,
  headers AS "headerNames", permissions, status, disabled_reason AS "disabledReason",
  disabled_at_position AS "disabledAtPosition", version, starts_after AS "startsAfter", secret,
  former_secrets AS "formerSecrets", sealed_headers AS "sealedHeaders", circuit, failures, failing_since AS "failingSince",
  probe_at AS "probeAt", last_success_at AS "lastSuccessAt", failure_notified_at AS "warnedAt", feature, erasures`

/** Public form of the row. */
export const subscriptionOf = ({ headerNames, ...row }: SubscriptionRow) =>
  new WebhookSubscription(
    {
      id: row.id,
      name: row.name,
      url: row.url,
      events: row.events,
      filter: row.filter,
      payload: row.payload,
      payloadVersion: row.payloadVersion,
      ordering: row.ordering,
      headers: Object.fromEntries(headerNames.map((name) => [name, null])),
      permissions: row.permissions,
      status: row.status,
      disabledReason: row.disabledReason,
      circuit: row.circuit,
      lastSuccessAt: utcOrNull(row.lastSuccessAt),
      disabledAtPosition: row.disabledAtPosition === null ? null : Number(row.disabledAtPosition),
      version: row.version
    },
    asWritten
  )

/** Stored form of the row. */
export const keptOf = (row: SubscriptionRow): StoredWebhookSubscription => ({
  subscription: subscriptionOf(row),
  secrets: {
    secret: row.secret,
    former: row.formerSecrets.map(({ sealed, until }) => ({ sealed, until: DateTime.makeUnsafe(until) })),
    headers: row.sealedHeaders
  },
  health: {
    circuit: row.circuit,
    failures: row.failures,
    failingSince: utcOrNull(row.failingSince),
    probeAt: utcOrNull(row.probeAt),
    lastSuccessAt: utcOrNull(row.lastSuccessAt),
    warnedAt: utcOrNull(row.warnedAt)
  },
  startsAfter: Number(row.startsAfter),
  feature: row.feature,
  erasures: row.erasures
})

/** Stored form of former secrets. */
export const formerJson = ({ former }: StoredWebhookSubscription["secrets"]): ReadonlyArray<FormerSecretJson> =>
  former.map(({ sealed, until }) => ({ sealed, until: DateTime.formatIso(until) }))
