import { nextId, transact } from "@parley/domain/kernel"
import { MessageTemplate, MessageTemplateId, MessageTemplates } from "@parley/domain/messaging"
import {
  cancelBroadcast,
  createBroadcast,
  type Broadcast,
  deleteBroadcast,
  exportRecipients,
  freezeSlice,
  duplicateBroadcast,
  getBroadcast,
  getBroadcastSettings,
  listBroadcasts,
  listRecipients,
  readBroadcastReport,
  pauseBroadcast,
  previewAudience,
  resumeBroadcast,
  retryBroadcast,
  scheduleBroadcast,
  sendBroadcast,
  simulateBroadcast,
  testBroadcast,
  unscheduleBroadcast,
  updateBroadcast,
  updateBroadcastSettings
} from "@parley/domain/campaigns"
import { givenNumber } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { givenReader } from "./given.ts"
import { asOwner, attempt, firstPage, type Prepare, reads, type Trace, type Values, type World } from "../attempting.ts"

const everyRecipient = { status: null, reason: null, variant: null, replied: null, contactId: null }

const everyBroadcast = { status: null, chatAccountId: null, q: null, createdFrom: null, createdTo: null }

/** Stored data of a broadcast with only a name. */
const unsaid = (id: string): Values => ({
  chatAccountId: null,
  templateId: null,
  variables: {},
  variants: null,
  holdOut: 0,
  splitKey: id,
  audience: null,
  exclude: null,
  schedule: null,
  throttle: null,
  ignoreFrequencyCaps: false,
  ignoreQuietHours: false,
  replyHours: 72,
  upliftDays: 7,
  status: "draft"
})

const givenDraft = (world: World) => asOwner(world, createBroadcast({ name: "Before" }))

/** A draft with everything that sending needs. */
const givenReady = Effect.fnUntraced(function* (world: World) {
  const { id: chatAccountId } = yield* givenNumber(world.organization)
  const now = yield* DateTime.now
  const template = new MessageTemplate({
    id: yield* nextId(MessageTemplateId),
    chatAccountId,
    name: "hello",
    language: "en",
    category: "marketing",
    components: { body: { text: "Hello." } },
    variables: [],
    status: "approved",
    rejectionReason: null,
    quality: "unknown",
    externalId: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  const insert = Effect.flatMap(MessageTemplates, (templates) => templates.insert(template))
  yield* asOwner(world, transact(insert))
  const schedule = { at: DateTime.add(now, { days: 1 }) }
  return yield* asOwner(
    world,
    createBroadcast({ name: "Before", chatAccountId, templateId: template.id, audience: {}, schedule })
  )
})

/** A draft that can be sent immediately, with recipients. */
const givenSendable = Effect.fnUntraced(function* (world: World) {
  const broadcast = yield* givenReady(world)
  yield* givenReader(world.organization)
  yield* asOwner(world, updateBroadcast({ id: broadcast.id, schedule: null, ifVersion: null }))
  return broadcast
})

/** A sent broadcast. */
const givenSent = Effect.fnUntraced(function* (world: World) {
  const broadcast = yield* givenSendable(world)
  return yield* asOwner(world, sendBroadcast({ id: broadcast.id, ifVersion: null }))
})

const moved = (
  { id }: Pick<Broadcast, "id">,
  action: string,
  from: Broadcast["status"],
  to: Broadcast["status"],
  reason: string | null = null
): Trace => ({
  action,
  target: { kind: "broadcast", id },
  before: { status: from },
  after: { status: to },
  event: { type: "broadcast.status_changed", broadcastId: id, from, to, reason }
})

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "broadcasts.cancel": (world) =>
    Effect.map(givenSent(world), (broadcast) =>
      attempt(cancelBroadcast({ id: broadcast.id }), () =>
        moved(broadcast, "broadcast.cancelled", "sending", "cancelled", "user")
      )
    ),
  "broadcasts.create": () =>
    Effect.succeed(
      attempt(createBroadcast({ name: "Spring" }), ({ id }) => ({
        action: "broadcast.created",
        target: { kind: "broadcast", id },
        before: null,
        after: { name: "Spring", ...unsaid(id) },
        event: { type: "broadcast.created", broadcastId: id }
      }))
    ),
  "broadcasts.delete": (world) =>
    Effect.map(givenDraft(world), ({ id }) =>
      attempt(deleteBroadcast({ id, ifVersion: 1 }), () => ({
        action: "broadcast.deleted",
        target: { kind: "broadcast", id },
        before: { name: "Before", ...unsaid(id) },
        after: null,
        event: { type: "broadcast.deleted", broadcastId: id }
      }))
    ),
  "broadcasts.duplicate": (world) =>
    Effect.map(givenDraft(world), (original) =>
      attempt(duplicateBroadcast({ id: original.id, name: "Again" }), ({ id }) => ({
        action: "broadcast.created",
        target: { kind: "broadcast", id },
        before: null,
        after: { name: "Again", ...unsaid(id), source: { broadcastId: original.id, kind: "duplicate" } },
        event: { type: "broadcast.created", broadcastId: id }
      }))
    ),
  "broadcasts.retry": (world) =>
    Effect.gen(function* () {
      const original = yield* givenSent(world)
      yield* asOwner(world, freezeSlice(original.id))
      yield* asOwner(world, cancelBroadcast({ id: original.id }))
      const { chatAccountId, id: broadcastId, splitKey, templateId } = original
      const retry = { broadcastId, statuses: ["never_sent"], codes: null } as const
      return attempt(retryBroadcast({ id: broadcastId, name: "Again", statuses: retry.statuses }), ({ id }) => ({
        action: "broadcast.created",
        target: { kind: "broadcast", id },
        before: null,
        after: {
          ...unsaid(splitKey),
          name: "Again",
          audience: {},
          chatAccountId,
          templateId,
          source: { broadcastId, kind: "retry" },
          retry
        },
        event: { type: "broadcast.created", broadcastId: id }
      }))
    }),
  "broadcasts.schedule": (world) =>
    Effect.map(givenReady(world), (broadcast) =>
      attempt(scheduleBroadcast({ id: broadcast.id, ifVersion: 1 }), () =>
        moved(broadcast, "broadcast.scheduled", "draft", "scheduled")
      )
    ),
  "broadcasts.simulate": (world) => Effect.map(givenReady(world), ({ id }) => attempt(simulateBroadcast({ id }))),
  "broadcasts.test": (world) =>
    Effect.map(givenReady(world), ({ id }) =>
      attempt(testBroadcast({ id, to: ["+491701234567"] }), () => ({
        action: "broadcast.tested",
        target: { kind: "broadcast", id },
        before: null,
        after: { numbers: 1 },
        event: null
      }))
    ),
  "broadcasts.unschedule": (world) =>
    Effect.gen(function* () {
      const broadcast = yield* givenReady(world)
      yield* asOwner(world, scheduleBroadcast({ id: broadcast.id, ifVersion: 1 }))
      return attempt(unscheduleBroadcast({ id: broadcast.id, ifVersion: 2 }), () =>
        moved(broadcast, "broadcast.unscheduled", "scheduled", "draft")
      )
    }),
  "broadcasts.get": (world) => Effect.map(givenDraft(world), ({ id }) => attempt(getBroadcast({ id }))),
  "broadcasts.recipients": (world) =>
    Effect.map(givenDraft(world), ({ id }) => attempt(listRecipients({ id, ...everyRecipient, page: firstPage }))),
  "broadcasts.exportRecipients": (world) =>
    Effect.map(givenDraft(world), ({ id }) =>
      attempt(exportRecipients({ id, ...everyRecipient, format: "csv" }), () => ({
        action: "broadcast.exported",
        target: { kind: "broadcast", id },
        before: null,
        after: { format: "csv" },
        event: null
      }))
    ),
  "broadcasts.report": (world) => Effect.map(givenDraft(world), ({ id }) => attempt(readBroadcastReport({ id }))),
  "broadcasts.list": reads(() => listBroadcasts({ ...everyBroadcast, page: firstPage })),
  "broadcasts.pause": (world) =>
    Effect.map(givenSent(world), (broadcast) =>
      attempt(pauseBroadcast({ id: broadcast.id }), () =>
        moved(broadcast, "broadcast.paused", "sending", "paused", "user")
      )
    ),
  "broadcasts.preview": (world) =>
    Effect.map(givenReady(world), ({ audience, chatAccountId, templateId }) =>
      attempt(previewAudience({ audience, chatAccountId, templateId, freeze: true }))
    ),
  "broadcasts.resume": (world) =>
    Effect.map(
      Effect.tap(givenSent(world), ({ id }) => asOwner(world, pauseBroadcast({ id }))),
      (broadcast) =>
        attempt(resumeBroadcast({ id: broadcast.id }), () => moved(broadcast, "broadcast.resumed", "paused", "sending"))
    ),
  "broadcasts.send": (world) =>
    Effect.map(givenSendable(world), (broadcast) =>
      attempt(sendBroadcast({ id: broadcast.id, ifVersion: null }), () =>
        moved(broadcast, "broadcast.sent", "draft", "sending")
      )
    ),
  "broadcasts.update": (world) =>
    Effect.map(givenDraft(world), ({ id }) =>
      attempt(updateBroadcast({ id, name: "After", holdOut: 5, ifVersion: 1 }), () => ({
        action: "broadcast.updated",
        target: { kind: "broadcast", id },
        before: { name: "Before", holdOut: 0 },
        after: { name: "After", holdOut: 5 },
        event: { type: "broadcast.updated", broadcastId: id }
      }))
    ),
  "broadcastSettings.get": reads(() => getBroadcastSettings()),
  "broadcastSettings.update": ({ organization }) =>
    Effect.succeed(
      attempt(updateBroadcastSettings({ attributionHours: 24, ifVersion: null }), () => ({
        action: "broadcast_settings.updated",
        target: { kind: "organization", id: organization.id },
        before: { attributionHours: 120 },
        after: { attributionHours: 24 },
        event: { type: "broadcast_settings.updated" }
      }))
    )
}
