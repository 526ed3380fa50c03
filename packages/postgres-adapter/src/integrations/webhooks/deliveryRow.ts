import { type StoredWebhookDelivery, WebhookAttempt, type WebhookCall, WebhookDelivery } from "@parley/domain"
import { DateTime } from "effect"
import { asWritten, type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

/** A delivery as the driver reads it. */
export interface DeliveryRow extends Pick<WebhookDelivery, "id" | "type" | "state" | "attempts"> {
  readonly place: bigint
  readonly subject: string
  readonly spent: number
  readonly at: Instant
  readonly nextAttemptAt: Instant | null
  readonly deliveredAt: Instant | null
  readonly call: WebhookCall | null
}

/** What to read of a delivery. */
export const deliveryColumns = `t.id, t.type, t.place, t.subject, t.state, t.spent, t.attempts, t.at,
  t.next_attempt_at AS "nextAttemptAt", t.delivered_at AS "deliveredAt", t.call`

/** What is shown of the row. No event is at the place 0. */
export const deliveryOf = ({ attempts, deliveredAt, id, nextAttemptAt, place, state, type }: DeliveryRow) =>
  new WebhookDelivery(
    {
      id,
      type,
      position: Number(place) || null,
      state,
      attempts,
      nextAttemptAt: utcOrNull(nextAttemptAt),
      deliveredAt: utcOrNull(deliveredAt)
    },
    asWritten
  )

/** All that is kept of the row. */
export const keptDeliveryOf = (row: DeliveryRow): StoredWebhookDelivery => ({
  delivery: deliveryOf(row),
  subject: row.subject,
  at: utc(row.at),
  spent: row.spent,
  call: row.call
})

/** An attempt as the driver reads it. */
export interface AttemptRow extends Omit<WebhookAttempt, "at"> {
  readonly at: Instant
}

/** An attempt of the row. */
export const attemptOf = (row: AttemptRow) => new WebhookAttempt({ ...row, at: utc(row.at) }, asWritten)

/** A time in JSON that goes to the database. */
export const isoOrNull = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))
