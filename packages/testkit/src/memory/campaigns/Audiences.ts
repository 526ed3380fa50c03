import { createHash } from "node:crypto"
import { NotFound } from "@parley/domain/kernel"
import { type Contact, matchesFilter } from "@parley/domain/crm"
import { type Recipient, recipientIdentities } from "@parley/domain/messaging"
import {
  type AudiencePlan,
  Audiences,
  type AudienceSnapshotId,
  type BroadcastId,
  bucketOf,
  isHeldOut,
  type ListedRecipient,
  type PlannedOutcome,
  splitHashInput,
  type VariantKey,
  variantOf
} from "@parley/domain/campaigns"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { knownIn } from "../contactConditions.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import type { AudienceSnapshotRow } from "./state.ts"
import { Store } from "../store/Store.ts"
import { changedProgress, type HandedRecipient, listed, progressOf } from "./RecipientLedger.ts"

const bucket = ({ splitKey }: AudiencePlan, purpose: "holdout" | "variant", { id }: Pick<Contact, "id">) =>
  bucketOf(
    createHash("sha256")
      .update(splitHashInput(splitKey, purpose, id))
      .digest()
  )

const draw = (tenant: Tenant, plan: AudiencePlan, contact: Pick<Contact, "id">): VariantKey | null => {
  const { keepsVariantsOf, variants } = plan
  const before =
    keepsVariantsOf === null
      ? undefined
      : rowAt(tenant.broadcastRecipients, keepsVariantsOf)?.find(({ contactId }) => contactId === contact.id)?.variant
  const kept = variants.find(({ key }) => key === before)
  return (kept ?? variantOf(bucket(plan, "variant", contact), variants))?.key ?? null
}

const counting: ReadonlySet<string> = new Set(["in_doubt", "sent", "delivered", "read"])

const isCapped = (tenant: Tenant, { caps, startsAt }: AudiencePlan, contact: Contact, due: DateTime.Utc | null) => {
  const end = due ?? startsAt
  return caps.some(({ days, max, of }) => {
    const begin = DateTime.subtract(end, { days })
    const messages = of.flatMap((id) =>
      (rowAt(tenant.broadcastRecipients, id) ?? []).filter(
        ({ calledAt, contactId, status }) =>
          contactId === contact.id &&
          counting.has(status) &&
          calledAt !== null &&
          DateTime.isGreaterThan(calledAt, begin) &&
          !DateTime.isGreaterThan(calledAt, end)
      )
    )
    return messages.length >= max && of.length > 0
  })
}

interface Judged {
  readonly contact: Contact
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  readonly dueAt: DateTime.Utc | null
  readonly left: ListedRecipient["left"]
}

const excluded = (reason: Extract<NonNullable<ListedRecipient["left"]>, { kind: "excluded" }>["reason"]) =>
  ({ kind: "excluded", reason }) as const

/** Decides the outcome for a contact of the audience. `clocks` includes the due time in the contact's own time zone. */
const judge = (tenant: Tenant, plan: AudiencePlan, contact: Contact, clocks: boolean): Judged => {
  const holds = (filter: AudiencePlan["exclude"]) => matchesFilter(filter, contact, knownIn(tenant))
  const address = recipientIdentities(contact).find(({ kind }) => plan.reaches.includes(kind)) ?? null
  const variant = draw(tenant, plan, contact)
  const dueAt = clocks ? (plan.times?.dueAt(contact) ?? null) : null
  const lacks = holds(plan.lacking) || plan.variants.some(({ key, lacking }) => key === variant && holds(lacking))
  const left = () => {
    if (holds(plan.exclude)) return excluded("excluded_by_filter")
    if (address === null) return excluded("no_identity")
    if (plan.isMarketing && contact.consent.marketing !== "subscribed") return excluded("not_subscribed")
    if (contact.blockedAt !== null) return excluded("blocked")
    if (plan.isMarketing && plan.reaches.includes("phone") && contact.phone?.startsWith("+1") === true) {
      return excluded("region_blocked")
    }
    if (lacks) return excluded("missing_variable")
    if (isCapped(tenant, plan, contact, dueAt)) return excluded("frequency_cap")
    if (dueAt !== null && plan.times?.skips(dueAt) === true) return excluded("local_time_passed")
    return isHeldOut(bucket(plan, "holdout", contact), plan.holdOut) ? ({ kind: "held_out" } as const) : null
  }
  return { contact, address, variant, dueAt, left: left() }
}

/** Plus sign and six digits, which decide the country. */
const countryDigits = 7

const matched = (tenant: Tenant, { audience }: AudiencePlan): ReadonlyArray<Contact> =>
  HashMap.toValues(tenant.contacts)
    .filter((contact) => matchesFilter(audience, contact, knownIn(tenant)))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Recipients of a plan or of a snapshot, without the held-out contacts. A deleted contact of a snapshot is `null`. */
const recipientsOf = (
  tenant: Tenant,
  plan: AudiencePlan,
  snapshotId: AudienceSnapshotId | null
): ReadonlyArray<Contact | null> => {
  const kept = snapshotId === null ? null : (rowAt(tenant.audienceSnapshots, snapshotId)?.contacts ?? [])
  return kept === null
    ? matched(tenant, plan).filter((contact) => judge(tenant, plan, contact, false).left === null)
    : kept
        .filter(({ reason }) => reason === null)
        .filter(({ contactId: id }) => !isHeldOut(bucket(plan, "holdout", { id }), plan.holdOut))
        .map(({ contactId }) => rowAt(tenant.contacts, contactId))
}

const isReachable = ({ left }: Judged) => left?.kind !== "excluded"

const outcomeOf = ({ address, left, variant }: Judged): PlannedOutcome => {
  if (left?.kind === "excluded") return left
  return left !== null || address === null ? { kind: "held_out" } : { kind: "sent", address, variant }
}

/** Excludes the recipients beyond the plan limit. */
const within = (room: number | null, recipients: ReadonlyArray<HandedRecipient>): ReadonlyArray<HandedRecipient> => {
  let turn = 0
  return recipients.map((recipient) => {
    if (room === null || recipient.left !== null) return recipient
    turn += 1
    return turn > room ? { ...recipient, left: excluded("plan_limit") } : recipient
  })
}

const keptRecipient = (
  tenant: Tenant,
  plan: AudiencePlan,
  { address, handedBy, holder: contactId, reason }: AudienceSnapshotRow["contacts"][number]
): HandedRecipient => {
  const contact = rowAt(tenant.contacts, contactId)
  const dueAt = plan.times?.dueAt(contact ?? { phone: null, timezone: null }) ?? null
  const left = () => {
    if (contact === null) return excluded("contact_gone")
    if (reason !== null) return excluded(reason)
    if (plan.isMarketing && contact.consent.marketing !== "subscribed") return excluded("not_subscribed")
    if (contact.blockedAt !== null) return excluded("blocked")
    if (dueAt !== null && plan.times?.skips(dueAt) === true) return excluded("local_time_passed")
    return isHeldOut(bucket(plan, "holdout", contact), plan.holdOut) ? ({ kind: "held_out" } as const) : null
  }
  return { contactId, handedBy, address, variant: draw(tenant, plan, { id: contactId }), dueAt, left: left() }
}

/** Whether a contact has its own place on the list. */
const isOnList = (tenant: Tenant, id: BroadcastId, { contactId, handedBy = [] }: HandedRecipient) =>
  handedBy.length === 0 &&
  (rowAt(tenant.broadcastRecipients, id) ?? []).some((row) => row.contactId === contactId && row.handedBy.length === 0)

/** Time that an expired recipient list is remembered as expired. */
const remembered = { days: 30 }

export const layer = Layer.effect(
  Audiences,
  Effect.map(Store, (store) =>
    Audiences.of({
      earlier: (since) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.broadcasts)
            .filter(
              ({ endedAt, startedAt }) =>
                startedAt !== null && (endedAt === null || !DateTime.isLessThan(endedAt, since))
            )
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            .map(({ id, templateId, variants }) => {
              const ids = [templateId, ...(variants ?? []).map((variant) => variant.templateId)]
              const isMarketing = ids.some(
                (each) => each !== null && rowAt(tenant.messageTemplates, each)?.category === "marketing"
              )
              return { id, category: isMarketing ? "marketing" : "utility" }
            })
        ),
      count: (plan) =>
        store.readTenant((tenant) => {
          const judged = matched(tenant, plan).map((contact) => judge(tenant, plan, contact, false))
          const reasons = judged.flatMap(({ left }) => (left?.kind === "excluded" ? [left.reason] : []))
          const excluded = Object.groupBy(reasons, (reason) => reason)
          return {
            matched: judged.length,
            excluded: Object.fromEntries(Object.entries(excluded).map(([reason, { length }]) => [reason, length]))
          }
        }),
      size: (plan, snapshotId) =>
        store.readTenant((tenant) => {
          if (snapshotId === null) {
            const judged = matched(tenant, plan).map((contact) => judge(tenant, plan, contact, false))
            return { matched: judged.length, toSend: judged.filter(({ left }) => left === null).length }
          }
          const contacts = rowAt(tenant.audienceSnapshots, snapshotId)?.contacts ?? []
          const toSend = contacts.filter(
            ({ contactId, reason }) =>
              reason === null && !isHeldOut(bucket(plan, "holdout", { id: contactId }), plan.holdOut)
          )
          return { matched: contacts.length, toSend: toSend.length }
        }),
      numbers: (plan, snapshotId) =>
        store.readTenant((tenant) => {
          const phones = recipientsOf(tenant, plan, snapshotId).map((contact) => contact?.phone ?? null)
          return Array.from(Map.groupBy(phones, (phone) => phone?.slice(0, countryDigits) ?? null).values()).map(
            (all) => ({
              phone: all[0] ?? null,
              count: all.length
            })
          )
        }),
      clocks: (plan, snapshotId) =>
        store.readTenant((tenant) => {
          const clocked = recipientsOf(tenant, plan, snapshotId).map((contact) => ({
            phone: contact?.phone ?? null,
            timezone: contact?.timezone ?? null
          }))
          const byClock = Map.groupBy(clocked, ({ phone, timezone }) => timezone ?? phone?.slice(0, 6) ?? null)
          return Array.from(byClock.values()).flatMap((all) => {
            const [of] = all
            return of === undefined ? [] : [{ of, count: all.length }]
          })
        }),
      sample: (plan, limit) =>
        store.readTenant((tenant) =>
          matched(tenant, plan)
            .map((contact) => judge(tenant, plan, contact, false))
            .filter(isReachable)
            .slice(0, limit)
            .flatMap(({ address, contact, variant }) => (address === null ? [] : [{ contact, address, variant }]))
        ),
      outcomeOf: (plan, id) =>
        store.readTenant((tenant) => {
          const contact = matched(tenant, plan).find((each) => each.id === id)
          return contact === undefined ? { kind: "not_matched" } : outcomeOf(judge(tenant, plan, contact, true))
        }),
      keep: (snapshot, plan) =>
        store.writeTenant((tenant) => {
          const contacts = matched(tenant, plan).map((contact) => {
            const { address, left } = judge(tenant, { ...plan, holdOut: 0 }, contact, false)
            const { id } = contact
            const reason = left?.kind === "excluded" ? left.reason : null
            return { contactId: id, holder: id, handedBy: [], address, reason }
          })
          const kept = { ...snapshot, matched: contacts.length }
          const row = { snapshot: kept, contacts }
          return [kept, { audienceSnapshots: HashMap.set(tenant.audienceSnapshots, snapshot.id, row) }]
        }),
      kept: (id) =>
        Effect.flatMap(
          store.readTenant(({ audienceSnapshots }) => rowAt(audienceSnapshots, id)),
          (row) =>
            row === null ? Effect.fail(new NotFound({ resource: "audience snapshot" })) : Effect.succeed(row.snapshot)
        ),
      keepUntil: (id, expiresAt) =>
        store.writeTenant(({ audienceSnapshots }) => {
          const row = rowAt(audienceSnapshots, id)
          if (row === null) return [undefined, {}]
          const after = { ...row, snapshot: { ...row.snapshot, expiresAt } }
          return [undefined, { audienceSnapshots: HashMap.set(audienceSnapshots, id, after) }]
        }),
      release: (keptFor, limit) =>
        store.writeTenant(({ audienceSnapshots, broadcasts }) => {
          const needed = new Set(
            HashMap.toValues(broadcasts).flatMap(({ audienceSnapshotId, status }) =>
              ["scheduled", "sending", "paused"].includes(status) ? [audienceSnapshotId] : []
            )
          )
          const released = HashMap.toValues(audienceSnapshots)
            .filter(({ snapshot }) => snapshot.expiresAt === null && !needed.has(snapshot.id))
            .slice(0, limit)
          return [
            released.length,
            {
              audienceSnapshots: released.reduce((kept, row) => {
                const expiresAt = DateTime.addDuration(row.snapshot.createdAt, keptFor)
                return HashMap.set(kept, row.snapshot.id, { ...row, snapshot: { ...row.snapshot, expiresAt } })
              }, audienceSnapshots)
            }
          ]
        }),
      forget: (now, limit) =>
        store.writeTenant(({ audienceSnapshots }) => {
          let [left, kept] = [limit, audienceSnapshots]
          for (const { contacts, snapshot } of HashMap.toValues(audienceSnapshots)) {
            const { expiresAt, id } = snapshot
            if (expiresAt === null || DateTime.isGreaterThan(expiresAt, now)) continue
            const rest = contacts.slice(left)
            left -= contacts.length - rest.length
            const isOver = !DateTime.isGreaterThan(expiresAt, DateTime.subtract(now, remembered))
            kept =
              rest.length === 0 && isOver
                ? HashMap.remove(kept, id)
                : HashMap.set(kept, id, { snapshot, contacts: rest })
          }
          const gone = HashMap.size(audienceSnapshots) - HashMap.size(kept)
          return [limit - left + gone, { audienceSnapshots: kept }]
        }),
      freeze: (id, plan, { limit, room, snapshotId }) =>
        store.writeTenant((tenant) => {
          if (rowAt(tenant.broadcasts, id)?.status !== "sending") return [{ listed: 0, toSend: 0, done: false }, {}]
          const { frozenAfter } = progressOf(tenant, id)
          const isNext = (contactId: ListedRecipient["contactId"]) => frozenAfter === null || contactId > frozenAfter
          // Places belong to the contacts at list creation, regardless of later merges.
          const places =
            snapshotId === null
              ? matched(tenant, plan)
                  .filter((contact) => isNext(contact.id))
                  .slice(0, limit)
                  .map((contact) => {
                    const { address, dueAt, left, variant } = judge(tenant, plan, contact, true)
                    const recipient: HandedRecipient = { contactId: contact.id, address, variant, dueAt, left }
                    return { key: contact.id, recipient }
                  })
              : (rowAt(tenant.audienceSnapshots, snapshotId)?.contacts ?? [])
                  .filter(({ contactId }) => isNext(contactId))
                  .slice(0, limit)
                  .map((kept) => ({ key: kept.contactId, recipient: keptRecipient(tenant, plan, kept) }))
          const recipients = places.map(({ recipient }) => recipient)
          const added = within(room, recipients).filter((recipient) => !isOnList(tenant, id, recipient))
          const after = { ...tenant, ...listed(tenant, id, added) }
          const last = places.at(-1)?.key ?? frozenAfter
          return [
            {
              listed: added.length,
              toSend: added.filter(({ left }) => left === null).length,
              done: recipients.length < limit
            },
            { ...after, ...changedProgress(after, id, { frozenAfter: last }) }
          ]
        })
    })
  )
)
