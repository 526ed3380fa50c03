import {
  type StoredWebhookDelivery,
  WebhookAttempt,
  type WebhookCall,
  WebhookDelivery
} from "@parley/domain/integrations"
import { DateTime } from "effect"
import { asWritten, type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

export interface DeliveryRow extends Pick<WebhookDelivery, "id" | "type" | "state" | "attempts"> {
  readonly eventPosition: bigint
  readonly subject: string
  readonly spent: number
  readonly at: Instant
  readonly nextAttemptAt: Instant | null
  readonly deliveredAt: Instant | null
  readonly call: WebhookCall | null
}

export const deliveryColumns = `t.id, t.type, t.event_position AS "eventPosition", t.subject, t.state,
  t.scheduled_attempts AS spent, t.attempts, t.at, t.next_attempt_at AS "nextAttemptAt", t.delivered_at AS "deliveredAt", t.call`

/** Public form of the row. Position 0 means no event. */
export const deliveryOf = ({ attempts, deliveredAt, id, nextAttemptAt, eventPosition, state, type }: DeliveryRow) =>
  new WebhookDelivery(
    {
      id,
      type,
      position: Number(eventPosition) || null,
      state,
      attempts,
      nextAttemptAt: utcOrNull(nextAttemptAt),
      deliveredAt: utcOrNull(deliveredAt)
    },
    asWritten
  )

/** Stored form of the row. */
export const keptDeliveryOf = (row: DeliveryRow): StoredWebhookDelivery => ({
  delivery: deliveryOf(row),
  subject: row.subject,
  at: utc(row.at),
  spent: row.spent,
  call: row.call
})

export interface AttemptRow extends Omit<WebhookAttempt, "at"> {
  readonly at: Instant
}

export const attemptOf = (row: AttemptRow) => new WebhookAttempt({ ...row, at: utc(row.at) }, asWritten)

/** A time in JSON for the database. */
export const isoOrNull = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))
