import type { Contact } from "@parley/domain/crm"
import { isAccepted } from "@parley/domain/campaigns"
import { DateTime, HashMap } from "effect"
import type { AnswerCondition } from "../crm/AnswerCondition.ts"
import type { Tenant } from "../store/State.ts"
import type { BroadcastRecipientRow } from "./state.ts"

const rowsOf = ({ broadcastRecipients }: Tenant, { id }: Contact) =>
  HashMap.toEntries(broadcastRecipients).flatMap(([broadcastId, rows]) =>
    rows.flatMap((row) => (row.contactId === id ? [{ broadcastId, row }] : []))
  )

const isTaken = ({ status }: BroadcastRecipientRow) => status !== "waiting" && isAccepted(status)

const times = (tenant: Tenant, contact: Contact) =>
  rowsOf(tenant, contact).flatMap(({ row }) => (isTaken(row) && row.sentAt !== null ? [row.sentAt] : []))

const any =
  (holds: (row: BroadcastRecipientRow) => boolean): AnswerCondition =>
  (tenant, contact, ids) =>
    rowsOf(tenant, contact).some(({ broadcastId, row }) => ids.includes(broadcastId) && holds(row))

/** Contact filter conditions of this area. */
export const contactConditions = {
  broadcast_ever: (tenant, contact) => times(tenant, contact).length > 0,
  broadcast_before: (tenant, contact, [at = ""]) => {
    const sent = times(tenant, contact)
    return sent.length > 0 && sent.every((time) => DateTime.isLessThan(time, DateTime.makeUnsafe(at)))
  },
  broadcast_since: (tenant, contact, [at = ""]) =>
    times(tenant, contact).some((time) => !DateTime.isLessThan(time, DateTime.makeUnsafe(at))),
  broadcast_received: any(isTaken),
  broadcast_read: any(({ status }) => status === "read"),
  broadcast_retried: (tenant, contact, [id = "", statuses = "", ...codes]) => {
    const inHand = new Set(
      tenant.broadcastWindows.flatMap(({ broadcastId, calls }) =>
        broadcastId === id ? calls.map(({ seq }) => seq) : []
      )
    )
    const rows = rowsOf(tenant, contact).filter(({ broadcastId }) => broadcastId === id)
    const asked = statuses.split(" ")
    // A contact that got the message before a merge, under another contact, is not retried.
    const isReached = rows.some(({ row }) => isTaken(row) || (row.status === "in_doubt" && !asked.includes("in_doubt")))
    return (
      !isReached &&
      rows.some(({ row: { error, seq, status } }) => {
        const shown = status === "pending" || status === "waiting" ? "never_sent" : status
        const isMeant = status !== "failed" || codes.length === 0 || codes.includes(error?.code ?? "")
        return !inHand.has(seq) && asked.includes(shown) && isMeant
      })
    )
  },
  broadcast_replied: any(({ repliedAt }) => repliedAt !== null)
} as const satisfies Readonly<Record<string, AnswerCondition>>
