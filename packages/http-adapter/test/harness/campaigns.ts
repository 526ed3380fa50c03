import { nextId } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { ContactId, createContact } from "@parley/domain/crm"
import { createBroadcast, type NewBroadcast, previewAudience } from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { givenNumber, givenTemplate } from "./inbox.ts"
import { inside } from "./tenants.ts"

/** A draft of a broadcast with only a name by default. */
export const givenBroadcast = (organization: Pick<Organization, "id">, overrides: Partial<NewBroadcast> = {}) =>
  createBroadcast({ name: "Spring", ...overrides }).pipe(inside(organization), Effect.orDie)

/** A draft with all required fields, to all contacts, scheduled for tomorrow. */
export const givenReadyBroadcast = Effect.fnUntraced(function* (
  organization: Organization,
  overrides: Partial<NewBroadcast> = {}
) {
  const { id: chatAccountId } = yield* givenNumber(organization)
  const { id: templateId } = yield* givenTemplate(organization, { chatAccountId, status: "approved" })
  const schedule = { at: DateTime.add(yield* DateTime.now, { days: 1 }) }
  return yield* givenBroadcast(organization, { chatAccountId, templateId, audience: {}, schedule, ...overrides })
})

/** A draft with a recipient that can be sent immediately. */
export const givenSendableBroadcast = Effect.fnUntraced(function* (organization: Organization) {
  const phone = `+49170${String(Number.parseInt((yield* nextId(ContactId)).slice(-6), 16)).padStart(8, "0")}`
  yield* createContact({ phone, marketing: { state: "subscribed", source: "form" } }).pipe(
    inside(organization),
    Effect.orDie
  )
  return yield* givenReadyBroadcast(organization, { schedule: null })
})

/** A list of recipients that a preview has stored. */
export const givenSnapshot = Effect.fnUntraced(function* (organization: Organization) {
  const { id: chatAccountId } = yield* givenNumber(organization)
  const preview = yield* previewAudience({ chatAccountId, audience: {}, freeze: true }).pipe(inside(organization))
  return preview.audienceSnapshotId ?? (yield* Effect.die(new Error("A preview keeps its list.")))
}, Effect.orDie)
