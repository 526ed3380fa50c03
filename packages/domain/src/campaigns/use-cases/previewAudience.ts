import { DateTime, Effect } from "effect"
import { ContactFields } from "../../crm/index.ts"
import { CurrentActor, nextId, NotFound, transact, useCase } from "../../kernel/index.ts"
import { type MessageTemplate, toTemplatePreview, type TemplatePreview } from "../../messaging/chat/index.ts"
import {
  type AudiencePreview,
  findPreviewNotes,
  findPreviewWarnings,
  type NewAudiencePreview
} from "../AudiencePreview.ts"
import { Broadcast, toDraft, broadcastMessages, type Variant } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { AudienceSnapshotId, BroadcastId } from "../Ids.ts"
import { Audiences, type SampledContact } from "../audience/Audiences.ts"
import { snapshotSource, missedDeadline, snapshotRetention } from "../audience/audienceSnapshots.ts"
import { estimateCosts } from "../audience/costEstimate.ts"
import { planAudience, loadBroadcastTemplates } from "../audience/planAudience.ts"
import { checkDefinition } from "../definitionChecks.ts"
import { requireAudiencePermissions } from "../startRequirements.ts"
import { makeVariablesRenderer } from "../values/variablesRenderer.ts"

const sampleSize = 10

/** Contacts read for a sample if some of them can have missed their time. */
const sampleScanSize = 200

const loadRenderer = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  templates: ReadonlyMap<string, MessageTemplate>
) {
  const fields = yield* (yield* ContactFields).all()
  const messages = broadcastMessages(broadcast).flatMap(({ templateId, variables, variant }) => {
    const template: MessageTemplate | undefined = templateId === null ? undefined : templates.get(templateId)
    if (template === undefined) return []
    const { language, variables: declared } = template
    const render = makeVariablesRenderer(variables, { fields, language, variables: declared })
    return [{ variant, template, render }]
  })
  return ({ contact, variant }: SampledContact): TemplatePreview | null => {
    const message = messages.find((each) => each.variant === variant)
    if (message === undefined) return null
    const rendered = message.render(contact)
    return toTemplatePreview(message.template, rendered.missing === null ? rendered.values : rendered.found)
  }
})

/** Splits a count by weight. The first variants get the remainder. */
const toVariantShares = (variants: ReadonlyArray<Variant> | null, toSend: number) => {
  if (variants === null) return null
  const shares = variants.map(({ key, weight }) => ({ key, toSend: Math.floor((toSend * weight) / 100) }))
  const left = toSend - shares.reduce((sum, share) => sum + share.toSend, 0)
  return shares.map((share, place) => ({ ...share, toSend: share.toSend + (place < left ? 1 : 0) }))
}

const saveSnapshot = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  plan: Effect.Success<ReturnType<typeof planAudience>>,
  now: DateTime.Utc
) {
  const id = yield* nextId(AudienceSnapshotId)
  const expiresAt = DateTime.addDuration(now, snapshotRetention)
  yield* (yield* Audiences).keep({ id, madeFrom: snapshotSource(broadcast), createdAt: now, expiresAt }, plan)
  return { audienceSnapshotId: id, expiresAt }
})

/** Loads the retry of a stored broadcast. */
const loadRetry = Effect.fnUntraced(function* (id: BroadcastId | undefined) {
  if (id === undefined) return null
  const stored = yield* Effect.mapError(
    Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.get(id)),
    ({ resource }) => new NotFound({ resource, pointer: "/broadcastId" })
  )
  return stored.retry
})

/** Previews the recipients of a broadcast with a sample, and stores a snapshot on request. */
export const previewAudience = useCase(
  { name: "broadcasts.preview", access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* ({ broadcastId, freeze = false, ...input }: NewAudiencePreview) {
    const now = yield* DateTime.now
    const draft = toDraft(yield* nextId(BroadcastId), { name: "Preview", ...input }, now, yield* CurrentActor)
    const broadcast = new Broadcast({ ...draft, retry: yield* loadRetry(broadcastId) })
    yield* requireAudiencePermissions(broadcast)
    yield* checkDefinition(broadcast, input)
    const plan = yield* planAudience({ ...broadcast, id: null }, now)
    const audiences = yield* Audiences
    const { count: late, hasMissed } = yield* missedDeadline(plan, broadcast.schedule)
    const { excluded: before, matched } = yield* audiences.count(plan)
    const excluded = late === 0 ? before : { ...before, local_time_passed: late }
    const reachable = matched - Object.values(excluded).reduce((sum, count) => sum + count, 0)
    const heldOut = Math.round((reachable * broadcast.holdOut) / 100)
    const toSend = reachable - heldOut
    const templates = yield* loadBroadcastTemplates(broadcast)
    const render = yield* loadRenderer(broadcast, templates)
    const found = reachable === 0 ? [] : yield* audiences.sample(plan, late === 0 ? sampleSize : sampleScanSize)
    const sample = found.filter((each) => !hasMissed(each)).slice(0, sampleSize)
    const kept = freeze ? yield* saveSnapshot(broadcast, plan, now) : { audienceSnapshotId: null, expiresAt: null }
    return {
      matched,
      reachable,
      heldOut,
      toSend,
      variants: toVariantShares(broadcast.variants, toSend),
      excluded,
      costs: yield* estimateCosts(broadcast, templates, plan),
      warnings: yield* findPreviewWarnings(broadcast, { matched, toSend }),
      notes: yield* findPreviewNotes(broadcast, templates),
      sample: sample.map((each) => ({
        contactId: each.contact.id,
        address: each.address.value,
        preview: render(each)
      })),
      ...kept
    } satisfies AudiencePreview
  }, transact)
)
