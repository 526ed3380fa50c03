import { DateTime, Effect } from "effect"
import { ContactFields } from "../../crm/index.ts"
import { CurrentActor, nextId, NotFound, transact, useCase } from "../../kernel/index.ts"
import { type MessageTemplate, previewOf, type TemplatePreview } from "../../messaging/chat/index.ts"
import { type AudiencePreview, findWarnings, type NewAudiencePreview } from "../AudiencePreview.ts"
import { Broadcast, draftOf, messagesOf, type Variant } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { AudienceSnapshotId, BroadcastId } from "../Ids.ts"
import { Audiences, type SampledContact } from "../audience/Audiences.ts"
import { madeFrom, missedTime, snapshotKept } from "../audience/audienceSnapshots.ts"
import { planAudience, templatesOf } from "../audience/planAudience.ts"
import { checkDefinition } from "../definitionChecks.ts"
import { requireAudienceReach } from "../startRequirements.ts"
import { variablesRenderer } from "../values/variablesRenderer.ts"

const sampleSize = 10

/** So many are looked through for a sample where some of them may have missed their time. */
const lookedThrough = 200

const rendererOf = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const fields = yield* (yield* ContactFields).all()
  const templates = yield* templatesOf(broadcast)
  const messages = messagesOf(broadcast).flatMap(({ templateId, variables, variant }) => {
    const template: MessageTemplate | undefined = templateId === null ? undefined : templates.get(templateId)
    if (template === undefined) return []
    const { language, variables: declared } = template
    const render = variablesRenderer(variables, { fields, language, variables: declared })
    return [{ variant, template, render }]
  })
  return ({ contact, variant }: SampledContact): TemplatePreview | null => {
    const message = messages.find((each) => each.variant === variant)
    return message === undefined ? null : previewOf(message.template, message.render(contact).values ?? {})
  }
})

/** By their weights: the first ones get what is left of a whole. */
const sharesOf = (variants: ReadonlyArray<Variant> | null, toSend: number) => {
  if (variants === null) return null
  const shares = variants.map(({ key, weight }) => ({ key, toSend: Math.floor((toSend * weight) / 100) }))
  const left = toSend - shares.reduce((sum, share) => sum + share.toSend, 0)
  return shares.map((share, place) => ({ ...share, toSend: share.toSend + (place < left ? 1 : 0) }))
}

const keep = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  plan: Effect.Success<ReturnType<typeof planAudience>>,
  now: DateTime.Utc
) {
  const id = yield* nextId(AudienceSnapshotId)
  const expiresAt = DateTime.addDuration(now, snapshotKept)
  yield* (yield* Audiences).keep({ id, madeFrom: madeFrom(broadcast), createdAt: now, expiresAt }, plan)
  return { audienceSnapshotId: id, expiresAt }
})

/** Whom a broadcast tries again that is stored already. */
const retryOf = Effect.fnUntraced(function* (id: BroadcastId | undefined) {
  if (id === undefined) return null
  const stored = yield* Effect.mapError(
    Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.get(id)),
    ({ resource }) => new NotFound({ resource, pointer: "/broadcastId" })
  )
  return stored.retry
})

/** Says whom a broadcast would go to now, with a sample; and keeps the list of recipients, if it is asked to. */
export const previewAudience = useCase(
  "broadcasts.preview",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* ({ broadcastId, freeze = false, ...said }: NewAudiencePreview) {
    const now = yield* DateTime.now
    const draft = draftOf(yield* nextId(BroadcastId), { name: "Preview", ...said }, now, yield* CurrentActor)
    const broadcast = new Broadcast({ ...draft, retry: yield* retryOf(broadcastId) })
    yield* requireAudienceReach(broadcast)
    yield* checkDefinition(broadcast, said)
    const plan = yield* planAudience({ ...broadcast, id: null }, now)
    const audiences = yield* Audiences
    const { count: late, hasMissed } = yield* missedTime(plan, broadcast.schedule)
    const { excluded: before, matched } = yield* audiences.count(plan)
    const excluded = late === 0 ? before : { ...before, local_time_passed: late }
    const reachable = matched - Object.values(excluded).reduce((sum, count) => sum + count, 0)
    const heldOut = Math.round((reachable * broadcast.holdOut) / 100)
    const toSend = reachable - heldOut
    const render = yield* rendererOf(broadcast)
    const found = reachable === 0 ? [] : yield* audiences.sample(plan, late === 0 ? sampleSize : lookedThrough)
    const sample = found.filter((each) => !hasMissed(each)).slice(0, sampleSize)
    const kept = freeze ? yield* keep(broadcast, plan, now) : { audienceSnapshotId: null, expiresAt: null }
    return {
      matched,
      reachable,
      heldOut,
      toSend,
      variants: sharesOf(broadcast.variants, toSend),
      excluded,
      warnings: yield* findWarnings(broadcast, { matched, toSend }),
      sample: sample.map((each) => ({
        contactId: each.contact.id,
        address: each.address.value,
        preview: render(each)
      })),
      ...kept
    } satisfies AudiencePreview
  }, transact)
)
