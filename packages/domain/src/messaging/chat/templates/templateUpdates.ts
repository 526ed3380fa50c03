import { DateTime, Effect, Equal } from "effect"
import { Locks } from "../../../kernel/index.ts"
import { isOfBusiness } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { InboundEvent } from "../Inbound.ts"
import { MessageTemplate, type TemplateStatus } from "../MessageTemplate.ts"
import { MessageTemplates, saveTemplate } from "../MessageTemplates.ts"
import { appendEvent } from "../events.ts"
import { rejectionAdvice } from "./rejectionAdvice.ts"
import { requestTemplateSync } from "./templateSyncTask.ts"

type TemplateUpdate = Extract<InboundEvent, { readonly kind: "template" }>

/** Status after an event of the provider that its short form does not tell apart. */
const statusByEvent: ReadonlyMap<string, TemplateStatus> = new Map([
  ["ARCHIVED", "archived"],
  ["DELETED", "deleted"],
  ["IN_APPEAL", "in_appeal"],
  ["LIMIT_EXCEEDED", "limit_exceeded"],
  ["LOCKED", "locked"],
  ["PENDING_DELETION", "pending_deletion"],
  ["REINSTATED", "approved"],
  ["UNARCHIVED", "approved"],
  ["UNLOCKED", "approved"]
])

/** Events after which the former status of the template is unknown here, or its components have changed. */
const requiresSync = ({ event, hasNewComponents }: TemplateUpdate) => hasNewComponents === true || event === "UNLOCKED"

const statusAfter = ({ event, status }: TemplateUpdate): TemplateStatus | null =>
  statusByEvent.get(event ?? "") ?? status

/** Duration of a pause for low quality. Other pauses have no known end. */
const pauseHours: ReadonlyMap<string, number> = new Map([
  ["first_pause", 3],
  ["second_pause", 6]
])

const statusFields = (before: MessageTemplate, update: TemplateUpdate, now: DateTime.Utc) => {
  const { detail, event, reason, recommendation } = update
  const status = statusAfter(update)
  const title = detail?.title?.toLowerCase() ?? null
  if (status === null) return event === "FLAGGED" ? { statusReason: title ?? "flagged" } : {}
  const isRejected = status === "rejected"
  const hours = status === "paused" ? pauseHours.get(title ?? "") : undefined
  const isRepeated = before.status === status && before.statusReason === title
  return {
    status,
    statusReason: isRejected || title === "unpause" ? null : (title ?? (status === "approved" ? null : reason)),
    // A repeated event must not extend the pause.
    statusUntil:
      isRepeated && before.statusUntil !== null
        ? before.statusUntil
        : hours === undefined
          ? null
          : DateTime.add(now, { hours }),
    rejectionReason: isRejected ? reason : null,
    rejectionAdvice:
      recommendation ?? rejectionAdvice({ status: isRejected ? "rejected" : "approved", rejectionReason: reason })
  }
}

const categoryFields = (before: MessageTemplate, { category, impendingCategory }: TemplateUpdate) => {
  const current = category ?? before.category
  if (impendingCategory !== undefined && impendingCategory.category !== current) {
    return {
      category: current,
      announcedCategory: impendingCategory.category,
      categoryChangesAt: impendingCategory.at
    }
  }
  const isDone = before.announcedCategory === current
  return {
    category: current,
    ...(isDone || impendingCategory !== undefined ? { announcedCategory: null, categoryChangesAt: null } : {})
  }
}

const withTemplateUpdate = (now: DateTime.Utc) => (before: MessageTemplate, update: TemplateUpdate) =>
  new MessageTemplate({
    ...before,
    ...statusFields(before, update, now),
    ...categoryFields(before, update),
    ...(update.quality === null || update.quality === before.quality
      ? {}
      : { quality: update.quality, qualityAt: now }),
    externalId: before.externalId ?? update.externalId
  })

const isUpdateFor = (template: MessageTemplate, { externalId, language, name }: TemplateUpdate) =>
  template.externalId === externalId || (template.name === name && template.language === language)

const isAnnounced = (before: MessageTemplate, after: MessageTemplate) =>
  after.announcedCategory !== null &&
  !Equal.equals(
    [before.announcedCategory, before.categoryChangesAt],
    [after.announcedCategory, after.categoryChangesAt]
  )

const businessIdsOf = (updates: ReadonlyArray<TemplateUpdate>) => [
  ...new Set(updates.map(({ businessId }) => businessId))
]

/** Stores the provider's decisions about templates. Updates of unknown templates are ignored. */
export const applyTemplateUpdates = Effect.fnUntraced(function* (
  provider: string,
  updates: ReadonlyArray<TemplateUpdate>
) {
  yield* (yield* Locks).exclusive("message_templates")
  const accounts = yield* (yield* ChatAccounts).findByBusiness(provider, businessIdsOf(updates))
  const templates = yield* (yield* MessageTemplates).ofAccounts(accounts.map(({ id }) => id))
  const owners = new Map(accounts.map((account) => [account.id, account]))
  const changed = businessIdsOf(updates.filter(requiresSync))
  yield* requestTemplateSync(
    accounts.filter((account) => changed.some((businessId) => isOfBusiness(account, businessId))).map(({ id }) => id)
  )
  const updatedAt = yield* DateTime.now
  for (const before of templates) {
    // A draft was never submitted. The update is about a deleted template with the same name.
    if (before.status === "draft") continue
    const owner = owners.get(before.chatAccountId)
    const after = updates
      .filter((each) => owner !== undefined && isOfBusiness(owner, each.businessId) && isUpdateFor(before, each))
      .reduce(withTemplateUpdate(updatedAt), before)
    if (Equal.equals({ ...before }, { ...after })) continue
    yield* Effect.orDie(saveTemplate(before, new MessageTemplate({ ...after, updatedAt })))
    if (after.announcedCategory !== null && isAnnounced(before, after)) {
      yield* appendEvent({
        type: "message_template.category_change_announced",
        messageTemplateId: after.id,
        category: after.announcedCategory,
        at: after.categoryChangesAt
      })
    }
  }
})
