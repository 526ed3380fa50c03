import {
  createBroadcast,
  deleteBroadcast,
  getBroadcast,
  getBroadcastSettings,
  listBroadcasts,
  updateBroadcast,
  updateBroadcastSettings
} from "@parley/domain"
import { Effect } from "effect"
import { asOwner, attempt, firstPage, type Prepare, reads, type Values, type World } from "../attempting.ts"

const everyBroadcast = { status: null, chatAccountId: null, q: null, createdFrom: null, createdTo: null }

/** What is kept of a broadcast that says nothing but its name. */
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

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
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
      attempt(deleteBroadcast(id, 1), () => ({
        action: "broadcast.deleted",
        target: { kind: "broadcast", id },
        before: { name: "Before", ...unsaid(id) },
        after: null,
        event: { type: "broadcast.deleted", broadcastId: id }
      }))
    ),
  "broadcasts.get": (world) => Effect.map(givenDraft(world), ({ id }) => attempt(getBroadcast(id))),
  "broadcasts.list": reads(() => listBroadcasts(everyBroadcast, firstPage)),
  "broadcasts.update": (world) =>
    Effect.map(givenDraft(world), ({ id }) =>
      attempt(updateBroadcast(id, { name: "After", holdOut: 5 }, 1), () => ({
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
      attempt(updateBroadcastSettings({ attributionHours: 24 }, null), () => ({
        action: "broadcast_settings.updated",
        target: { kind: "organization", id: organization.id },
        before: { attributionHours: 120 },
        after: { attributionHours: 24 },
        event: { type: "broadcast_settings.updated" }
      }))
    )
}
